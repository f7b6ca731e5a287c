// Fingers on a terminal: the arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { anchored, direction, movable, pinched, toggled } from '../../frontend/terminals/zooming.js'

test('fingers twice as far apart make letters twice as large, within limits', () => {
  assert.equal(pinched(1, 100, 200), 2)
  assert.equal(pinched(2, 200, 20), 1)
  assert.equal(pinched(5, 100, 300), 6)
  assert.equal(pinched(1.5, 0, 100), 1.5)
})

test('a double tap goes between the whole width and what can be read', () => {
  assert.equal(toggled(1, 2.2), 2.2)
  assert.equal(toggled(2.2, 2.2), 1)
  assert.equal(toggled(1, 0.8), 1)
})

test('a finger means a direction only once it has moved', () => {
  assert.equal(direction(3, -4), '')
  assert.equal(direction(12, -4), 'x')
  assert.equal(direction(3, -40), 'y')
})

test('what is under the fingers stays there', () => {
  assert.equal(anchored(100, 50, 2), 250)
  assert.equal(anchored(0, 0, 3), 0)
  assert.equal(anchored(250, 50, 0.5), 100)
})

test('the place moves to its edge, and no further', () => {
  assert.equal(movable({ scroll: 0, inner: 500, outer: 300 }, 80), 80)
  assert.equal(movable({ scroll: 150, inner: 500, outer: 300 }, 80), 50)
  assert.equal(movable({ scroll: 30, inner: 500, outer: 300 }, -80), -30)
  assert.equal(movable({ scroll: 0, inner: 300, outer: 300 }, 80), 0)
})
