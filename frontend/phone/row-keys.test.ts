// The key row: what its keys send, and how long Ctrl and Alt apply.
import { expect, test } from 'vitest'
import { LOCKED, NEXT, OFF, encode, modified, afterKey, afterTap } from './row-keys'

test('keys send the same as a keyboard', () => {
  const sent = {
    escape: '\x1b',
    tab: '\t',
    enter: '\r',
    up: '\x1b[A',
    left: '\x1b[D',
    home: '\x1b[H',
    'page-up': '\x1b[5~',
    delete: '\x1b[3~',
    interrupt: '\x03',
    'end-of-file': '\x04',
    backtab: '\x1b[Z',
    '|': '|',
  }
  for (const [key, text] of Object.entries(sent)) expect(encode(key), key).toBe(text)
})

test('modifiers are part of the sequence of a special key', () => {
  expect(encode('right', { ctrl: true })).toBe('\x1b[1;5C')
  expect(encode('left', { alt: true })).toBe('\x1b[1;3D')
  expect(encode('page-down', { ctrl: true, alt: true })).toBe('\x1b[6;7~')
})

test('Ctrl turns letters and some symbols into control characters', () => {
  const pairs = {
    a: '\x01',
    Z: '\x1a',
    '[': '\x1b',
    '\\': '\x1c',
    '/': '\x1f',
    ' ': '\x00',
    '?': '\x7f',
    é: 'é',
    5: '5',
  }
  for (const [typed, text] of Object.entries(pairs)) expect(modified(typed, { ctrl: true }), typed).toBe(text)
})

test('Alt prepends Escape', () => {
  expect(modified('b', { alt: true })).toBe('\x1bb')
  expect(modified('c', { alt: true, ctrl: true })).toBe('\x1b\x03')
  expect(encode('enter', { alt: true })).toBe('\x1b\r')
})

test('modifiers do not apply to whole words', () => {
  expect(modified('hello', { ctrl: true, alt: true })).toBe('hello')
  expect(modified('', { alt: true })).toBe('')
})

test('a tap applies to one key, a double tap locks until the next tap', () => {
  expect(afterTap(OFF, 5000)).toBe(NEXT)
  expect(afterKey(NEXT)).toBe(OFF)
  expect(afterTap(NEXT, 200)).toBe(LOCKED)
  expect(afterKey(LOCKED)).toBe(LOCKED)
  expect(afterTap(LOCKED, 100)).toBe(OFF)
  expect(afterTap(NEXT, 2000)).toBe(OFF)
})
