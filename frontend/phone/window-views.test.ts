// Reader or terminal: the default, and what the user chose.
import { expect, test } from 'vitest'
import { CHOICE_LIMIT, type ViewChoices, viewOf, withChoice } from './window-views'

test('a window with an agent opens as text, any other one as a terminal', () => {
  expect(viewOf([], 'k1', true)).toBe('reader')
  expect(viewOf([], 'k1', false)).toBe('terminal')
})

test('a choice applies to its window only, and the last one counts', () => {
  const choices = withChoice(withChoice([], 'k1', 'terminal'), 'k2', 'reader')
  expect(viewOf(choices, 'k1', true)).toBe('terminal')
  expect(viewOf(choices, 'k2', false)).toBe('reader')
  expect(viewOf(choices, 'k3', true)).toBe('reader')
  expect(viewOf(withChoice(choices, 'k1', 'reader'), 'k1', true)).toBe('reader')
})

test('the oldest choices are forgotten', () => {
  let choices: ViewChoices = []
  for (let number = 0; number <= CHOICE_LIMIT; number += 1) {
    choices = withChoice(choices, `k${number}`, 'terminal')
  }
  expect(choices).toHaveLength(CHOICE_LIMIT)
  expect(viewOf(choices, 'k0', true)).toBe('reader')
  expect(viewOf(choices, `k${CHOICE_LIMIT}`, true)).toBe('terminal')
})
