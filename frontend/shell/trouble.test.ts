// @vitest-environment happy-dom
// A subscription that the server refuses is shown to the user, for every part of the page that makes it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sheetsOf } from '../board/sheets'
import { ChatSource } from '../chat/chat-source'
import { TimelineSource } from '../chat/timeline-source'
import type { Services } from '../core/services'
import { Socket } from '../core/socket'
import { Store } from '../core/store'
import { ConnectionBanner } from './connection-banner'
import { feedStore } from './feed'

interface Sent {
  id: number
  type: string
}

/** The server's end of the connection: answers every request, and refuses those of `refused`. */
class FakeWebSocket {
  static refused: string[] = []
  static newest: FakeWebSocket | null = null
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null

  constructor() {
    FakeWebSocket.newest = this
    queueMicrotask(() => this.onopen?.())
  }

  send(data: string): void {
    const { id, type } = JSON.parse(data) as Sent
    const answer = FakeWebSocket.refused.includes(type) ? { ok: false, error: `${type} failed` } : ANSWER
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify({ id, type, ...answer }) }))
  }

  close(): void {}
}

// What the subscriptions of the whole page expect.
const ANSWER = { ok: true, windows: [], agents: [], recordings: [], totalAgents: 0, problem: '' }
const settled = () => vi.advanceTimersByTimeAsync(0)
let store: Store
let socket: Socket
let banner: ConnectionBanner

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeWebSocket)
  FakeWebSocket.refused = []
  store = new Store()
  socket = new Socket('ws://here/ws')
  banner = new ConnectionBanner()
  banner.store = store
  document.body.append(banner)
  feedStore(store, socket)
})

afterEach(() => {
  banner.remove()
  vi.useRealTimers()
})

async function connect(...refused: string[]): Promise<void> {
  FakeWebSocket.refused = refused
  socket.open()
  await settled()
}

/** What a screen uses of the services. */
function services(): Services {
  return { store, socket, api: () => new Promise(() => {}) } as unknown as Services
}

const shown = () => banner.querySelector('[role=status] .banner.warn p')?.textContent

test.each(['subscribe-workspace', 'subscribe-windows', 'subscribe-agents', 'subscribe-recordings'])(
  'a refused %s of the page is shown, with a way to try again',
  async (type) => {
    await connect(type)
    expect(shown()).toBe(`A part of this page is not up to date. Subscribe-${type.slice(10)} failed.`)
    expect(banner.querySelector('button')?.textContent).toBe('Reload')
  },
)

test('a page without failed subscriptions shows nothing', async () => {
  await connect()
  expect(store.status).toBe('open')
  expect(banner.querySelector('.banner')).toBeNull()
})

test('a refused subscription of boards and notes is shown', async () => {
  await connect('subscribe-notes')
  expect(shown()).toBeUndefined()
  sheetsOf(services())
  await settled()
  expect(shown()).toContain('Subscribe-notes failed.')
})

test('a refused subscription of a chat is shown until the chat is closed', async () => {
  await connect('subscribe-chat')
  const chat = new ChatSource(services(), 'k1', 'messages')
  void chat.open()
  await settled()
  expect(shown()).toContain('Subscribe-chat failed.')
  chat.close()
  await settled()
  expect(shown()).toBeUndefined()
})

test('a refused subscription of a timeline is shown until the timeline is closed', async () => {
  await connect('subscribe-notes')
  const timeline = new TimelineSource(services(), 'shop', [])
  void timeline.open()
  await settled()
  expect(shown()).toContain('Subscribe-notes failed.')
  timeline.close()
  await settled()
  expect(shown()).toBeUndefined()
})

test('after a reconnect that works, nothing is shown any more', async () => {
  await connect('subscribe-agents')
  expect(shown()).toBeDefined()
  FakeWebSocket.refused = []
  FakeWebSocket.newest?.onclose?.({ code: 1006 })
  await settled()
  expect(banner.querySelector('.banner.bad p')?.textContent).toContain('Connection lost.')
  socket.retry()
  await settled()
  expect(banner.querySelector('.banner')).toBeNull()
})
