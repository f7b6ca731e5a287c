// What the terminal area decides from values: letters, places, links, the renderer.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { READABLE_FONT, cellOf, fittingFont, sizeIn } from '../../frontend/terminals/cells.js'
import { isSoftware } from '../../frontend/terminals/gpu.js'
import { arrange, fill, put } from '../../frontend/terminals/grid.js'
import { isWebAddress } from '../../frontend/terminals/links.js'
import { isLight, parseSize, terminalOptions } from '../../frontend/terminals/terminal-options.js'

const cellAt = (font) => ({ width: font * 0.6, height: font * 1.2 })
const PLACE = { width: 1200, height: 800 }

test('letters are as large as wished where the window fits', () => {
  assert.equal(fittingFont(cellAt, { cols: 100, rows: 30 }, PLACE, 13), 13)
})

test('letters shrink until the whole window fits, in width and in height', () => {
  assert.equal(fittingFont(cellAt, { cols: 200, rows: 30 }, PLACE, 13), 10)
  assert.equal(fittingFont(cellAt, { cols: 80, rows: 60 }, PLACE, 13), 11)
})

test('letters stay readable, and the place scrolls instead', () => {
  assert.equal(fittingFont(cellAt, { cols: 900, rows: 300 }, PLACE, 13), READABLE_FONT)
})

test('a cell has whole device pixels in height, and under WebGL in width', () => {
  assert.deepEqual(cellOf({ width: 7.8, height: 15.2 }, 1), { width: 7.8, height: 16 })
  assert.deepEqual(cellOf({ width: 7.8, height: 15.2 }, 2, true), { width: 7.5, height: 15.5 })
})

test('a size is asked for within the limits of the protocol, and never for next to nothing', () => {
  assert.deepEqual(sizeIn(PLACE, cellAt(10)), { cols: 200, rows: 66 })
  assert.deepEqual(sizeIn({ width: 1e5, height: 1e5 }, cellAt(10)), { cols: 1000, rows: 500 })
  assert.equal(sizeIn({ width: 100, height: 800 }, cellAt(10)), null)
  assert.equal(sizeIn({ width: 0, height: 0 }, cellAt(10)), null)
})

test('the window that is looked at always has a place', () => {
  const known = ['a', 'b', 'c', 'd']
  assert.deepEqual(arrange({ count: 1, slots: [], current: 'a', before: '', known }), ['a'])
  assert.deepEqual(arrange({ count: 2, slots: ['a', 'b'], current: 'b', before: 'a', known }), ['a', 'b'])
  assert.deepEqual(arrange({ count: 2, slots: ['a', 'b'], current: 'c', before: 'b', known }), ['a', 'c'])
  assert.deepEqual(arrange({ count: 2, slots: ['a', ''], current: 'c', before: 'x', known }), ['a', 'c'])
})

test('a window that has ended leaves its place empty', () => {
  assert.deepEqual(arrange({ count: 4, slots: ['a', 'gone', 'b'], current: 'a', before: 'a', known: ['a', 'b'] }), ['a', '', 'b', ''])
  assert.deepEqual(arrange({ count: 2, slots: ['a', 'b'], current: '', before: 'b', known: ['a'] }), ['a', ''])
})

test('empty places are filled with the windows that come next', () => {
  assert.deepEqual(fill(['b', '', '', ''], 'b', ['a', 'b', 'c']), ['b', 'c', 'a', ''])
})

test('no window stands in two places', () => {
  assert.deepEqual(put(['a', 'b'], 0, 'c'), ['c', 'b'])
  assert.deepEqual(put(['a', 'b'], 0, 'b'), ['b', 'a'])
  assert.deepEqual(put(['a', ''], 1, 'a'), ['', 'a'])
})

test('only addresses of the web are opened', () => {
  for (const address of ['http://a.example', 'HTTPS://a.example/b?c']) assert.equal(isWebAddress(address), true, address)
  for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'a.example', '', 'ssh://a']) {
    assert.equal(isWebAddress(address), false, address)
  }
})

test('a software renderer is no GPU', () => {
  for (const name of ['', 'Google SwiftShader', 'ANGLE (Mesa, llvmpipe (LLVM 15), OpenGL 4.5)', 'Microsoft Basic Render Driver']) {
    assert.equal(isSoftware(name), true, name)
  }
  assert.equal(isSoftware('ANGLE (NVIDIA GeForce RTX 3060)'), false)
})

test('a size is columns and rows, and anything else is none', () => {
  assert.deepEqual(parseSize('100x30'), { cols: 100, rows: 30 })
  for (const text of [null, '', '100', '0x5', '100x30x1', '99999x1', 'x']) assert.equal(parseSize(text), null, text)
})

test('the sixteen colours can be read on their ground', () => {
  for (const background of ['#0b1112', '#ffffff']) {
    const { theme } = terminalOptions({ background })
    const own = isLight(background) ? [] : ['black'] // as in every terminal, it is the ground's own
    const names = Object.keys(theme).filter((name) => !/^(background|cursor|cursorAccent|selection.*)$/.test(name) && !own.includes(name))
    assert.equal(names.length, 17 - own.length)
    for (const name of names) assert.ok(contrast(theme[name], background) >= 4.5, `${name} ${theme[name]} on ${background}`)
  }
})

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
