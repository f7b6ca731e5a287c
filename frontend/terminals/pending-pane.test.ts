// Input for a pane that is being created.
import { beforeEach, expect, test, vi } from 'vitest'
import { PendingPane } from './pending-pane'

const bytes = (text: string) => new TextEncoder().encode(text)
const send = vi.fn()
let pending = new PendingPane(send)

beforeEach(() => {
  send.mockReset()
  pending = new PendingPane(send)
})

const sent = () => send.mock.calls.map(([pane, data]) => [pane, new TextDecoder().decode(data)])

test('input is held until the pane exists, and keeps its order', () => {
  expect(pending.take(bytes('a'))).toBe(true)
  expect(pending.take('b')).toBe(true)
  expect(send).not.toHaveBeenCalled()
  pending.open('%2')
  expect(pending.take(bytes('c'))).toBe(true)
  expect(sent()).toEqual([
    ['%2', 'a'],
    ['%2', 'b'],
    ['%2', 'c'],
  ])
})

test('reports about the focus and the mouse belong to the old pane', () => {
  for (const report of ['\x1b[I', '\x1b[O', '\x1b[<0;10;5M', '\x1b[<0;10;5m', '\x1b[M !!'])
    expect(pending.take(report), report).toBe(false)
  expect(pending.take('\x1b[A')).toBe(true)
})

test('after the user chose another pane, only held input is sent', () => {
  pending.take('a')
  pending.stop()
  expect(pending.take('b')).toBe(false)
  pending.open('%2')
  expect(sent()).toEqual([['%2', 'a']])
})

test('the held input is bounded', () => {
  pending.take('x'.repeat(64 * 1024))
  pending.take('y')
  pending.open('%2')
  expect(send).toHaveBeenCalledTimes(1)
})
