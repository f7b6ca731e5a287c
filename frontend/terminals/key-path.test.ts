// @vitest-environment happy-dom
// The path of a key from a terminal or the key row to the socket.
import { beforeEach, expect, test, vi } from 'vitest'
import { shownPane, shownWindow } from '../core/samples'
import { Socket } from '../core/socket'
import { Store } from '../core/store'
import { TerminalArea } from './terminal-area'
import { TerminalPane } from './terminal-pane'

// xterm.js needs a real browser.
vi.mock('./tmux-adapter-web', () => ({}))

const bytes = (text: string) => new TextEncoder().encode(text)
const store = new Store()
const socket = new Socket('ws://here/ws')
const toast = vi.fn()
let area = new TerminalArea()
let input = vi.spyOn(socket, 'input')

beforeEach(() => {
  toast.mockClear()
  input = vi.spyOn(socket, 'input').mockReturnValue(true)
  area = new TerminalArea()
  area.store = store
  area.services = { socket, store, toast }
  store.place = { view: 'terminal', key: '@1', project: '' }
  store.windows = new Map([
    ['@1', shownWindow(1, { panes: [shownPane(1, { active: true }), shownPane(2)] })],
    ['@2', shownWindow(2, { panes: [shownPane(3, { active: true })] })],
  ])
  store.pane = '%2'
})

test('a typed key is sent to the pane of its terminal', () => {
  area.sendInput('%1', bytes('a'))
  expect(input.mock.calls).toEqual([['%1', bytes('a')]])
})

test('the modifier changes typed keys, and nothing else does', () => {
  area.modifier = { modify: () => bytes('\x01') }
  area.sendInput('%1', bytes('a'))
  area.sendKey('\x1b[A')
  expect(input.mock.calls).toEqual([
    ['%1', bytes('\x01')],
    ['%2', '\x1b[A'],
  ])
})

test('a key of the key row goes to the focused pane, or to the active one of the window', () => {
  area.sendKey('x')
  store.pane = '%3'
  area.sendKey('y')
  store.windows = new Map()
  area.sendKey('z')
  expect(input.mock.calls).toEqual([
    ['%2', 'x'],
    ['%1', 'y'],
  ])
  expect(toast).not.toHaveBeenCalled()
})

test('keys that are not sent are reported once until the connection changes', () => {
  input.mockReturnValue(false)
  area.sendInput('%1', bytes('a'))
  area.sendInput('%1', bytes('b'))
  expect(toast).toHaveBeenCalledTimes(1)
  socket.dispatchEvent(new CustomEvent('status'))
  area.sendInput('%1', bytes('c'))
  expect(toast).toHaveBeenCalledTimes(2)
  area.sendKey('d')
  expect(toast).toHaveBeenLastCalledWith({ tone: 'bad', text: 'Not connected. The key was not sent.' })
})

test('a pane passes input to its sender and leaves the event as it is', () => {
  const sender = { sendInput: vi.fn(), sendFile: vi.fn() }
  const pane = Object.assign(new TerminalPane(), { name: '%1', sender })
  const event = () => new CustomEvent('terminal-input', { detail: { name: '%1', data: bytes('a') } })
  // A removed terminal reports that it lost the focus.
  pane.dispatchEvent(event())
  expect(sender.sendInput).not.toHaveBeenCalled()
  vi.spyOn(pane, 'isConnected', 'get').mockReturnValue(true)
  const typed = event()
  pane.dispatchEvent(typed)
  expect(sender.sendInput.mock.calls).toEqual([['%1', bytes('a')]])
  expect(typed.detail).toEqual({ name: '%1', data: bytes('a') })
})
