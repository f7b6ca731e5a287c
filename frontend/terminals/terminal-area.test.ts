// The terminal area: font size, slots, links, renderer.
import { expect, test } from 'vitest'

import { READABLE_FONT, cellOf, fittingFont, sizeIn } from './cells'
import { isSoftware } from './gpu'
import { arrange, fill, put } from './grid'
import { isWebAddress } from './links'
import { isLight, parseSize, readAttributes, terminalOptions } from './terminal-options'

const cellAt = (font: number) => ({ width: font * 0.6, height: font * 1.2 })
const PLACE = { width: 1200, height: 800 }

test('the font has the preferred size if the window fits', () => {
  expect(fittingFont(cellAt, { cols: 100, rows: 30 }, PLACE, 13)).toBe(13)
})

test('the font shrinks until the window fits in width and height', () => {
  expect(fittingFont(cellAt, { cols: 200, rows: 30 }, PLACE, 13)).toBe(10)
  expect(fittingFont(cellAt, { cols: 80, rows: 60 }, PLACE, 13)).toBe(11)
})

test('the font stays readable, and the container scrolls instead', () => {
  expect(fittingFont(cellAt, { cols: 900, rows: 300 }, PLACE, 13)).toBe(READABLE_FONT)
})

test('cells have whole device pixels in height, and in width with WebGL', () => {
  expect(cellOf({ width: 7.8, height: 15.2 }, 1)).toStrictEqual({ width: 7.8, height: 16 })
  expect(cellOf({ width: 7.8, height: 15.2 }, 2, true)).toStrictEqual({ width: 7.5, height: 15.5 })
})

test('a requested size is within the limits of the protocol and not too small', () => {
  expect(sizeIn(PLACE, cellAt(10))).toStrictEqual({ cols: 200, rows: 66 })
  expect(sizeIn({ width: 1e5, height: 1e5 }, cellAt(10))).toStrictEqual({ cols: 1000, rows: 500 })
  expect(sizeIn({ width: 100, height: 800 }, cellAt(10))).toBeNull()
  expect(sizeIn({ width: 0, height: 0 }, cellAt(10))).toBeNull()
})

test('the current window always has a slot', () => {
  const known = ['a', 'b', 'c', 'd']
  expect(arrange({ count: 1, slots: [], current: 'a', before: '', known })).toStrictEqual(['a'])
  expect(arrange({ count: 2, slots: ['a', 'b'], current: 'b', before: 'a', known })).toStrictEqual(['a', 'b'])
  expect(arrange({ count: 2, slots: ['a', 'b'], current: 'c', before: 'b', known })).toStrictEqual(['a', 'c'])
  expect(arrange({ count: 2, slots: ['a', ''], current: 'c', before: 'x', known })).toStrictEqual(['a', 'c'])
})

test('a closed window leaves its slot empty', () => {
  expect(
    arrange({ count: 4, slots: ['a', 'gone', 'b'], current: 'a', before: 'a', known: ['a', 'b'] }),
  ).toStrictEqual(['a', '', 'b', ''])
  expect(arrange({ count: 2, slots: ['a', 'b'], current: '', before: 'b', known: ['a'] })).toStrictEqual([
    'a',
    '',
  ])
})

test('empty slots are filled with the next windows', () => {
  expect(fill(['b', '', '', ''], 'b', ['a', 'b', 'c'])).toStrictEqual(['b', 'c', 'a', ''])
})

test('no window has two slots', () => {
  expect(put(['a', 'b'], 0, 'c')).toStrictEqual(['c', 'b'])
  expect(put(['a', 'b'], 0, 'b')).toStrictEqual(['b', 'a'])
  expect(put(['a', ''], 1, 'a')).toStrictEqual(['', 'a'])
})

test('only web addresses are opened', () => {
  for (const address of ['http://a.example', 'HTTPS://a.example/b?c'])
    expect(isWebAddress(address), address).toBe(true)
  for (const address of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'a.example',
    '',
    'ssh://a',
  ]) {
    expect(isWebAddress(address), address).toBe(false)
  }
})

test('a software renderer does not count as a GPU', () => {
  for (const name of [
    '',
    'Google SwiftShader',
    'ANGLE (Mesa, llvmpipe (LLVM 15), OpenGL 4.5)',
    'Microsoft Basic Render Driver',
  ]) {
    expect(isSoftware(name), name).toBe(true)
  }
  expect(isSoftware('ANGLE (NVIDIA GeForce RTX 3060)')).toBe(false)
})

test('a size is columns and rows, anything else is null', () => {
  expect(parseSize('100x30')).toStrictEqual({ cols: 100, rows: 30 })
  for (const text of [null, '', '100', '0x5', '100x30x1', '99999x1', 'x'])
    expect(parseSize(text), String(text)).toBeNull()
})

test('the sixteen colours are readable on their background', () => {
  for (const background of ['#0b1112', '#ffffff']) {
    const attributes = readAttributes((name) => (name === 'theme-background' ? background : null))
    const { theme } = terminalOptions(attributes)
    const own = isLight(background) ? [] : ['black'] // close to the background, as in every terminal
    const colours = Object.entries(theme).filter(
      ([name]) => !/^(background|cursor|cursorAccent|selection.*)$/.test(name) && !own.includes(name),
    )
    expect(colours.length).toBe(17 - own.length)
    for (const [name, colour] of colours) {
      expect(contrast(String(colour), background), `${name} ${colour}`).toBeGreaterThanOrEqual(4.5)
    }
  }
})

function contrast(one: string, other: string): number {
  const values = [luminance(one), luminance(other)]
  return (Math.max(...values) + 0.05) / (Math.min(...values) + 0.05)
}

function luminance(colour: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}
