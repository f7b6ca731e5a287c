// The key row: what its keys send, and how long Ctrl and Alt hold.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { LOCKED, NEXT, OFF, encode, modified, spent, tapped } from '../../frontend/terminals/row-keys.js'

test('keys send what a keyboard would', () => {
  const sent = { escape: '\x1b', tab: '\t', enter: '\r', up: '\x1b[A', left: '\x1b[D', home: '\x1b[H',
    'page-up': '\x1b[5~', delete: '\x1b[3~', interrupt: '\x03', 'end-of-file': '\x04', backtab: '\x1b[Z', '|': '|' }
  for (const [key, text] of Object.entries(sent)) assert.equal(encode(key), text, key)
})

test('modifiers stand in the sequence of a special key', () => {
  assert.equal(encode('right', { ctrl: true }), '\x1b[1;5C')
  assert.equal(encode('left', { alt: true }), '\x1b[1;3D')
  assert.equal(encode('page-down', { ctrl: true, alt: true }), '\x1b[6;7~')
})

test('Ctrl makes control characters of letters and of the signs that have one', () => {
  const pairs = { a: '\x01', Z: '\x1a', '[': '\x1b', '\\': '\x1c', '/': '\x1f', ' ': '\x00', '?': '\x7f', é: 'é', 5: '5' }
  for (const [typed, text] of Object.entries(pairs)) assert.equal(modified(typed, { ctrl: true }), text, typed)
})

test('Alt puts Escape before a character', () => {
  assert.equal(modified('b', { alt: true }), '\x1bb')
  assert.equal(modified('c', { alt: true, ctrl: true }), '\x1b\x03')
  assert.equal(encode('enter', { alt: true }), '\x1b\r')
})

test('a whole word from the keyboard is no key', () => {
  assert.equal(modified('hello', { ctrl: true, alt: true }), 'hello')
  assert.equal(modified('', { alt: true }), '')
})

test('a tap holds for one key, a double tap until the next tap', () => {
  assert.equal(tapped(OFF, 5000), NEXT)
  assert.equal(spent(NEXT), OFF)
  assert.equal(tapped(NEXT, 200), LOCKED)
  assert.equal(spent(LOCKED), LOCKED)
  assert.equal(tapped(LOCKED, 100), OFF)
  assert.equal(tapped(NEXT, 2000), OFF)
})
