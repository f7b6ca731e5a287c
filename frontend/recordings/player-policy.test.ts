// The templates that the policy of the player page allows.
import { expect, test } from 'vitest'

import { isHarmless } from './player-policy'

test('templates of drawing and text are allowed', () => {
  expect(isHarmless('<div class="ap-player"><svg viewBox="0 0 1 1"><path d="M0"></path></svg></div>')).toBe(
    true,
  )
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x>',
  '<div onclick="x">',
  '<svg/onload=x>',
  '<p href="javascript:x">',
  '<a>',
])('%s is refused', (html) => expect(isHarmless(html)).toBe(false))
