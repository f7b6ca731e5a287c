// Fingers on a terminal: the arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { anchored, direction, movable, pinched, toggled, wholeWidth } from '../../frontend/terminals/zooming.js'

test('fingers twice as far apart make letters twice as large, within limits', () => {
  assert.equal(pinched(8, 100, 200), 16)
  assert.equal(pinched(8, 200, 20), 3)
  assert.equal(pinched(20, 100, 300), 28)
  assert.equal(pinched(9, 0, 100), 9)
})

test('letters change by half pixels, so that a trembling hand redraws nothing', () => {
  assert.equal(pinched(8, 100, 102), 8)
  assert.equal(pinched(8, 100, 104), 8.5)
})

test('the whole width is as large as it can be', () => {
  assert.equal(wholeWidth(100, 390, 0.6), 6.5)
  assert.equal(wholeWidth(300, 390, 0.6), 3)
})

test('a double tap goes between the whole width and what can be read', () => {
  assert.equal(toggled(8, 6.5), 6.5)
  assert.equal(toggled(6.5, 6.5), 12)
  assert.equal(toggled(14, 14), 14)
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
