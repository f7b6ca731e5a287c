// Touch gestures on a terminal: the calculations.
import { expect, test } from 'vitest'
import {
  anchoredScroll,
  direction,
  scrollable,
  pinchedFont,
  revealed,
  toggledFont,
  fullWidthFont,
} from './zooming'

test('doubling the distance of the fingers doubles the font size, within limits', () => {
  expect(pinchedFont(8, 100, 200)).toBe(16)
  expect(pinchedFont(8, 200, 20)).toBe(3)
  expect(pinchedFont(20, 100, 300)).toBe(28)
  expect(pinchedFont(9, 0, 100)).toBe(9)
})

test('the font changes by half pixels, so that small movements redraw nothing', () => {
  expect(pinchedFont(8, 100, 102)).toBe(8)
  expect(pinchedFont(8, 100, 104)).toBe(8.5)
})

test('the full-width font is as large as possible', () => {
  expect(fullWidthFont(100, 390, 0.6)).toBe(6.5)
  expect(fullWidthFont(300, 390, 0.6)).toBe(3)
})

test('a double tap toggles between full width and readable', () => {
  expect(toggledFont(8, 6.5)).toBe(6.5)
  expect(toggledFont(6.5, 6.5)).toBe(12)
  expect(toggledFont(14, 14)).toBe(14)
})

test('a direction needs a minimum movement', () => {
  expect(direction(3, -4)).toBe('')
  expect(direction(12, -4)).toBe('x')
  expect(direction(3, -40)).toBe('y')
})

test('the content under the fingers stays in place', () => {
  expect(anchoredScroll(100, 50, 2)).toBe(250)
  expect(anchoredScroll(0, 0, 3)).toBe(0)
  expect(anchoredScroll(250, 50, 0.5)).toBe(100)
})

test('the view scrolls to its edge and no further', () => {
  expect(scrollable({ scroll: 0, inner: 500, outer: 300 }, 80)).toBe(80)
  expect(scrollable({ scroll: 150, inner: 500, outer: 300 }, 80)).toBe(50)
  expect(scrollable({ scroll: 30, inner: 500, outer: 300 }, -80)).toBe(-30)
  expect(scrollable({ scroll: 0, inner: 300, outer: 300 }, 80)).toBe(0)
})

test('a range is revealed with the smallest movement', () => {
  const revealedFrom = (scroll: number, start: number, end: number) =>
    revealed({ scroll, outer: 100 }, { start, end })
  expect(revealedFrom(50, 60, 140)).toBe(50)
  expect(revealedFrom(0, 160, 180)).toBe(80)
  expect(revealedFrom(200, 160, 180)).toBe(160)
  expect(revealedFrom(0, -10, 20)).toBe(0)
  // A range that is larger than the view: its end.
  expect(revealedFrom(0, 100, 400)).toBe(300)
})
