// @vitest-environment happy-dom
// The key row: what it emits, and what its modifiers do to typed keys.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KeyRow, type RowKey } from './key-row'

let row = new KeyRow()

beforeEach(async () => {
  vi.useFakeTimers()
  row = new KeyRow()
  document.body.append(row)
  await row.updateComplete
})
afterEach(() => {
  row.remove()
  vi.useRealTimers()
})

const button = (key: string) => {
  const found = row.querySelector<HTMLElement>(`[data-key="${key}"]`)
  if (!found) throw new Error(`No key ${key}`)
  return found
}
const tap = async (key: string) => {
  button(key).click()
  await row.updateComplete
}
const typed = (text: string) => new TextDecoder().decode(row.modify(new TextEncoder().encode(text)))

test('a modifier applies to the next typed key only', async () => {
  expect(typed('a')).toBe('a')
  await tap('ctrl')
  expect(button('ctrl').dataset['state']).toBe('next')
  expect(button('ctrl').getAttribute('aria-pressed')).toBe('true')
  expect([typed('a'), typed('a')]).toEqual(['\x01', 'a'])
  await row.updateComplete
  expect(button('ctrl').getAttribute('aria-pressed')).toBe('false')
})

test('a locked modifier applies until it is released', async () => {
  await tap('alt')
  await tap('alt')
  expect(button('alt').dataset['state']).toBe('locked')
  expect([typed('a'), typed('b')]).toEqual(['\x1ba', '\x1bb'])
  await tap('alt')
  expect(typed('c')).toBe('c')
})

test('input that is not one character leaves the modifier waiting', async () => {
  await tap('ctrl')
  expect([typed('hello'), typed('\x1b[I'), typed('c')]).toEqual(['hello', '\x1b[I', '\x03'])
})

test('a key of the row takes the modifiers along', async () => {
  const keys: RowKey[] = []
  row.addEventListener('row-key', ({ detail }) => keys.push(detail))
  await tap('ctrl')
  await tap('right')
  await tap('right')
  expect(keys).toEqual([
    { key: 'right', modifiers: { ctrl: true, alt: false } },
    { key: 'right', modifiers: { ctrl: false, alt: false } },
  ])
})

test('a held key repeats until it is released, and its click is ignored', () => {
  const keys = vi.fn()
  row.addEventListener('row-key', keys)
  button('down').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  vi.advanceTimersByTime(400 + 3 * 50)
  expect(keys).toHaveBeenCalledTimes(3)
  button('down').dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
  button('down').click()
  vi.advanceTimersByTime(1_000)
  expect(keys).toHaveBeenCalledTimes(3)
})

test('the keyboard key asks for the other mode', () => {
  const modes: boolean[] = []
  row.addEventListener('raw-typing', ({ detail }) => modes.push(detail.raw))
  button('keyboard').click()
  row.raw = true
  button('keyboard').click()
  expect(modes).toEqual([true, false])
})
