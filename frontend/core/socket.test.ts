// The socket with a fake WebSocket and fake timers: requests, reconnecting, subscriptions, credit.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BinaryMsgType, creditPayload, decodeBinaryFrame, encodeBinaryFrame } from './frames'
import { RequestError, Socket } from './socket'

interface Sent {
  id: number
  type: string
  [field: string]: unknown
}

/** The server's end of a connection. */
class FakeWebSocket {
  static all: FakeWebSocket[] = []
  binaryType = ''
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  sent: (string | Uint8Array)[] = []
  closed = false

  constructor(readonly address: string) {
    FakeWebSocket.all.push(this)
  }

  send(data: string | Uint8Array): void {
    this.sent.push(data)
  }

  close(): void {
    this.closed = true
  }

  get requests(): Sent[] {
    return this.sent.filter((data) => typeof data === 'string').map((data) => JSON.parse(data) as Sent)
  }

  get frames() {
    return this.sent.filter((data) => typeof data !== 'string').map((data) => decodeBinaryFrame(data))
  }

  get types(): string[] {
    return this.requests.map(({ type }) => type)
  }

  last(type: string): Sent {
    const request = this.requests.findLast((each) => each.type === type)
    if (!request) throw new Error(`No request ${type} in ${this.types.join(', ')}`)
    return request
  }

  message(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }

  output(type: number, name: string, text: string): void {
    this.onmessage?.({ data: encodeBinaryFrame(type, name, text).buffer })
  }

  async answer(type: string, fields: object = { ok: true }): Promise<void> {
    this.message({ id: this.last(type).id, type, ...fields })
    await settled()
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

function newest(): FakeWebSocket {
  const socket = FakeWebSocket.all.at(-1)
  if (!socket) throw new Error('No connection was opened.')
  return socket
}

/** Opens the newest connection and answers its hello. */
async function connect(): Promise<FakeWebSocket> {
  const server = newest()
  server.onopen?.()
  await server.answer('hello', { ok: true, features: ['credit', 'reset'], version: 1 })
  return server
}

async function opened(): Promise<[Socket, FakeWebSocket]> {
  const socket = new Socket('ws://here/ws')
  socket.open()
  return [socket, await connect()]
}

const newDocument = () => Object.assign(new EventTarget(), { hidden: false })
let page = new EventTarget()
let pageDocument = newDocument()

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  FakeWebSocket.all = []
  page = new EventTarget()
  pageDocument = newDocument()
  vi.stubGlobal('WebSocket', FakeWebSocket)
  vi.stubGlobal('document', pageDocument)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
})

afterEach(() => {
  vi.useRealTimers()
})

test('a request resolves to its response, also if responses arrive in another order', async () => {
  const [socket, server] = await opened()
  const windows = socket.request('list-windows', {})
  const prompt = socket.request('send-prompt', { agent: 'a', prompt: 'go' })
  expect(server.last('send-prompt')).toMatchObject({ agent: 'a', prompt: 'go' })
  await server.answer('send-prompt', { ok: true, receipt: { id: 'r' } })
  await server.answer('list-windows', { ok: true, windows: [] })
  expect((await prompt).receipt.id).toBe('r')
  expect((await windows).windows).toEqual([])
})

test('a refused request rejects with the message and the answer of the server', async () => {
  const [socket, server] = await opened()
  const failed = socket.request('send-prompt', { agent: 'a', prompt: 'go' }).catch((error: unknown) => error)
  await server.answer('send-prompt', { ok: false, error: 'agent not found', receipt: { id: 'r' } })
  const error = await failed
  expect(error).toBeInstanceOf(RequestError)
  expect(error).toMatchObject({ message: 'agent not found', answer: { receipt: { id: 'r' } } })
})

test('a request without a response fails after a minute', async () => {
  const [socket, server] = await opened()
  const failed = expect(socket.request('list-windows', {})).rejects.toThrow('The server did not respond.')
  for (let seconds = 0; seconds < 60; seconds += 5) {
    await vi.advanceTimersByTimeAsync(5_000)
    await server.answer('ping') // else the connection would count as lost
  }
  await failed
})

test('requests fail at once without a connection, and when it is lost', async () => {
  const [socket, server] = await opened()
  const pending = expect(socket.request('list-windows', {})).rejects.toThrow('Connection lost.')
  server.onclose?.({ code: 1006 })
  await pending
  await expect(socket.request('list-windows', {})).rejects.toThrow('Not connected.')
  expect(socket.input('%1', 'x')).toBe(false)
})

test('a lost connection is opened again, each time later, up to ten seconds', async () => {
  const [socket, server] = await opened()
  const statuses: string[] = []
  socket.addEventListener('status', () => statuses.push(socket.status))
  server.onclose?.({ code: 1006 })
  for (const delay of [400, 800, 1600, 3200, 6400, 10_000, 10_000]) {
    const count = FakeWebSocket.all.length
    expect(socket.retryAt - Date.now()).toBe(delay)
    await vi.advanceTimersByTimeAsync(delay - 1)
    expect(FakeWebSocket.all.length).toBe(count)
    await vi.advanceTimersByTimeAsync(1)
    expect(FakeWebSocket.all.length).toBe(count + 1)
    newest().onclose?.({ code: 1006 })
  }
  expect(statuses.slice(0, 3)).toEqual(['lost', 'connecting', 'lost'])
  await vi.advanceTimersByTimeAsync(10_000)
  const again = await connect()
  again.onclose?.({ code: 1006 })
  expect(socket.retryAt - Date.now()).toBe(400)
})

test('the page connects at once when the network is back or the page is shown', async () => {
  const [socket, server] = await opened()
  server.onclose?.({ code: 1006 })
  page.dispatchEvent(new Event('online'))
  expect(socket.status).toBe('connecting')
  expect(FakeWebSocket.all.length).toBe(2)
  newest().onclose?.({ code: 1006 })
  pageDocument.hidden = true
  pageDocument.dispatchEvent(new Event('visibilitychange'))
  expect(FakeWebSocket.all.length).toBe(2)
  pageDocument.hidden = false
  pageDocument.dispatchEvent(new Event('visibilitychange'))
  expect(FakeWebSocket.all.length).toBe(3)
})

test('a server that refuses the user is not asked again', async () => {
  const [socket, server] = await opened()
  server.onclose?.({ code: 4401 })
  expect(socket.status).toBe('refused')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(FakeWebSocket.all.length).toBe(1)
})

test('refuse() ends the attempts of a lost connection only', async () => {
  const [socket, server] = await opened()
  socket.refuse()
  expect(socket.status).toBe('open')
  server.onclose?.({ code: 1006 })
  socket.refuse()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(socket.status).toBe('refused')
  expect(FakeWebSocket.all.length).toBe(1)
})

test('a connection without a pong counts as lost', async () => {
  const [socket, server] = await opened()
  await server.answer('ping')
  expect(socket.latency).toBe(0)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(server.types.filter((type) => type === 'ping')).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(7_999)
  expect(socket.status).toBe('open')
  await vi.advanceTimersByTimeAsync(1)
  expect(socket.status).toBe('lost')
  expect(server.closed).toBe(true)
})

test('subscriptions wait for hello, and are sent again in the same order after a reconnect', async () => {
  const socket = new Socket('ws://here/ws')
  const responses: string[] = []
  socket.open()
  socket.subscribe('subscribe-workspace', {}, () => responses.push('workspace'))
  socket.subscribe('subscribe-agents', {}, () => responses.push('agents'))
  socket.watch('%1', { write: async () => {} })
  newest().onopen?.()
  expect(newest().types).toEqual(['hello'])
  const order = ['hello', 'subscribe-workspace', 'subscribe-agents', 'subscribe-output', 'ping']
  let server = newest()
  await server.answer('hello')
  expect(server.types).toEqual(order)
  await server.answer('subscribe-workspace')
  await server.answer('subscribe-agents')
  expect(responses).toEqual(['workspace', 'agents'])
  server.onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(400)
  server = await connect()
  expect(server.types).toEqual(order)
  await server.answer('subscribe-workspace')
  expect(responses).toEqual(['workspace', 'agents', 'workspace'])
})

test('an ended subscription is not sent again, and is ended on the server if it was the last', async () => {
  const [socket, server] = await opened()
  const first = socket.subscribe('subscribe-notes', { window: 'k' }, () => {})
  const second = socket.subscribe('subscribe-notes', { window: 'k' }, () => {})
  first()
  expect(server.types).not.toContain('unsubscribe-notes')
  second()
  second()
  expect(server.requests.filter(({ type }) => type === 'unsubscribe-notes')).toEqual([
    expect.objectContaining({ window: 'k' }),
  ])
  server.onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(400)
  expect((await connect()).types).not.toContain('subscribe-notes')
})

test('a failed subscription is reported until it has ended', async () => {
  const [socket, server] = await opened()
  const reported: (string | null)[] = []
  socket.addEventListener('trouble', ({ detail }) =>
    reported.push(detail && `${detail.type}: ${detail.error.message}`),
  )
  const end = socket.subscribe('subscribe-chat', { window: 'k' }, () => reported.push('response'))
  await server.answer('subscribe-chat', { ok: false, error: 'window not found' })
  expect(reported).toEqual(['subscribe-chat: window not found'])
  expect(socket.troubles).toHaveLength(1)
  end()
  expect(reported).toEqual(['subscribe-chat: window not found', null])
  expect(socket.troubles).toEqual([])
})

test('a failed subscription is tried again after a reconnect', async () => {
  const [socket, server] = await opened()
  socket.subscribe('subscribe-agents', {}, () => {})
  await server.answer('subscribe-agents', { ok: false, error: 'internal error' })
  server.onclose?.({ code: 1006 })
  expect(socket.troubles).toEqual([])
  await vi.advanceTimersByTimeAsync(400)
  await (await connect()).answer('subscribe-agents')
  expect(socket.troubles).toEqual([])
})

test('a subscription that is lost with its connection is no trouble', async () => {
  const [socket, server] = await opened()
  const trouble = vi.fn()
  socket.addEventListener('trouble', trouble)
  socket.subscribe('subscribe-agents', {}, () => {})
  server.onclose?.({ code: 1006 })
  await settled()
  expect(trouble).not.toHaveBeenCalled()
})

test('output is written in order, and credit is given once it is parsed', async () => {
  const [socket, server] = await opened()
  const written: [string, boolean][] = []
  let parsed = () => {}
  socket.watch('%1', {
    write(bytes, reset) {
      written.push([new TextDecoder().decode(bytes), reset])
      return new Promise((resolve) => {
        parsed = resolve
      })
    },
  })
  server.output(BinaryMsgType.TerminalSnapshot, '%1', 'screen')
  await settled()
  expect(written).toEqual([['screen', true]])
  expect(server.frames).toEqual([])
  parsed()
  await settled()
  expect(server.frames).toEqual([
    { msgType: BinaryMsgType.Credit, agentName: '%1', payload: creditPayload(6) },
  ])
  server.output(BinaryMsgType.TerminalOutput, '%1', 'more')
  server.output(BinaryMsgType.TerminalOutput, '%2', 'of another pane')
  await settled()
  expect(written.slice(1)).toEqual([['more', false]])
})

test('no credit is given to a new connection for output of the old one', async () => {
  const [socket, server] = await opened()
  let parsed = () => {}
  socket.watch('%1', {
    write: () =>
      new Promise((resolve) => {
        parsed = resolve
      }),
  })
  server.output(BinaryMsgType.TerminalOutput, '%1', 'old')
  server.onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(400)
  const next = await connect()
  parsed()
  await settled()
  expect([...server.frames, ...next.frames]).toEqual([])
})

test('a watcher learns the state of its output', async () => {
  const [socket, server] = await opened()
  const states: unknown[] = []
  const end = socket.watch('%1', {
    write: async () => {},
    onState: (...state) => states.push(state),
  })
  await server.answer('subscribe-output')
  server.message({ type: 'output-away', agent: '%1' })
  server.message({ type: 'output-ended', agent: '%1', reason: 'the pane has ended' })
  server.message({ type: 'output-ended', agent: '%2', reason: 'another pane' })
  expect(states).toEqual([['watching'], ['away'], ['ended', 'the pane has ended']])
  end()
  expect(server.last('unsubscribe-output')).toMatchObject({ agent: '%1' })
  socket.watch('%3', { write: async () => {}, onState: (...state) => states.push(state) })
  await server.answer('subscribe-output', { ok: false, error: 'agent not found' })
  expect(states.at(-1)).toEqual(['failed', 'agent not found'])
})

test('input, sizes and uploads are sent as frames', async () => {
  const [socket, server] = await opened()
  expect(socket.input('%1', 'ls')).toBe(true)
  expect(socket.resize('%1', 80, 24)).toBe(true)
  expect(socket.upload('%1', Uint8Array.of(1))).toBe(true)
  const text = (payload: Uint8Array) => new TextDecoder().decode(payload)
  expect(server.frames.map(({ msgType, payload }) => [msgType, text(payload)])).toEqual([
    [BinaryMsgType.KeyboardInput, 'ls'],
    [BinaryMsgType.Resize, '80:24'],
    [BinaryMsgType.FileUpload, '\u0001'],
  ])
})

test('events of the server are passed on', async () => {
  const [socket, server] = await opened()
  const events: unknown[] = []
  socket.addEventListener('event', ({ detail }) => events.push(detail))
  const event = { type: 'agents-count', totalAgents: 3 }
  server.message(event)
  expect(events).toEqual([event])
})
