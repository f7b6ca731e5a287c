// Owns the WebSocket: requests with responses, events, pane output with credit, and reconnecting.
// Implements the protocol (docs/protocol.md); knows nothing about the page.
import { messageOf, typedTarget } from './events'
import {
  BinaryMsgType,
  creditPayload,
  decodeBinaryFrame,
  encodeBinaryFrame,
  type Frame,
  type Payload,
} from './frames'
import type { Requests, Responses, SocketEvent } from './generated/socket'

const FIRST_DELAY_MS = 400
const LONGEST_DELAY_MS = 10_000
const PING_MS = 5_000
// Without a pong by then the connection counts as lost: mobile networks drop without notice.
const PONG_MS = 8_000
const REQUEST_MS = 60_000
const CLOSE_UNAUTHORIZED = 4401

export type SocketStatus = 'connecting' | 'open' | 'lost' | 'refused'
export type OutputState = 'watching' | 'away' | 'ended' | 'failed'
export type RequestType = keyof Requests
export type SubscriptionType = Extract<RequestType, `subscribe-${string}`>
/** A subscription that the server refused: `type` is that of the request. */
export interface Trouble {
  type: RequestType
  error: Error
}

/**
 * A request has failed. `answer` is the whole response of the server, with fields beside `error`; without
 * a `type` there was no response, and the server may have done what was requested.
 */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly answer: Failure,
  ) {
    super(message)
  }
}

export interface Watcher {
  /** Resolves when the bytes are parsed; `reset`: clear the terminal first. */
  write(bytes: Uint8Array, reset: boolean): Promise<void>
  onState?(state: OutputState, reason?: string): void
}

interface Failure {
  ok: false
  error: string
  type?: string
}
interface Success {
  ok?: true
}
type Response = Success | Failure
interface Pending {
  resolve(response: Response): void
  reject(error: Error): void
  timer: ReturnType<typeof setTimeout>
}
interface Subscription {
  type: RequestType
  fields: object
  onResponse(response: Response): void
}
interface SocketEvents {
  status: undefined
  latency: undefined
  event: SocketEvent
  trouble: Trouble | null
}

/**
 * Emits `status`, `latency`, `event` (a JSON event of the server) and `trouble`: a subscription has failed,
 * or, with null, a failed one has ended or works now.
 * After reconnecting, subscriptions are sent again in the same order.
 */
export class Socket extends typedTarget<SocketEvents>() {
  status: SocketStatus = 'connecting'
  // Milliseconds of the last ping.
  latency: number | null = null
  // Time of the next attempt, by Date.now()
  retryAt = 0

  #address: string
  #socket: WebSocket | null = null
  #next = 1
  #pending = new Map<number, Pending>()
  #subscriptions = new Map<symbol, Subscription>()
  // By the name of the pane.
  #outputs = new Map<string, Watcher>()
  // Subscriptions that the server has refused on this connection.
  #troubles = new Map<Subscription, Trouble>()
  #delay = FIRST_DELAY_MS
  #timer: ReturnType<typeof setTimeout> | undefined
  #pings = 0
  // Before the response to hello, output would be sent without credit.
  #helloDone = false

  constructor(address: string) {
    super()
    this.#address = address
    addEventListener('online', () => this.retry())
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.retry()
    })
  }

  /** The failed subscriptions: what they would show is not up to date. */
  get troubles(): Trouble[] {
    return [...this.#troubles.values()]
  }

  open(): void {
    clearTimeout(this.#timer)
    this.#setStatus('connecting')
    const socket = new WebSocket(this.#address)
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => void this.#opened()
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => this.#receive(data)
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#lost(code)
    }
  }

  /** Rejects with the error of the server (RequestError), or when the connection is lost. */
  request<Type extends RequestType>(type: Type, fields: Requests[Type]): Promise<Responses[Type]>
  request(type: 'ping'): Promise<Responses['ping']>
  request(type: RequestType, fields: object = {}): Promise<Response> {
    return this.#request(type, fields)
  }

  #request(type: string, fields: object): Promise<Response> {
    const socket = this.#socket
    if (this.status !== 'open' || !socket) return Promise.reject(new Error('Not connected.'))
    const id = this.#next++
    return new Promise((resolve, reject) => {
      const failure: Failure = { ok: false, error: 'The server did not respond.' }
      const timer = setTimeout(() => this.#settle(id, failure), REQUEST_MS)
      this.#pending.set(id, { resolve, reject, timer })
      socket.send(JSON.stringify({ ...fields, id, type }))
    })
  }

  /** Keeps a subscription across reconnects; `onResponse` gets each response. Returns a function that ends it. */
  subscribe<Type extends SubscriptionType>(
    type: Type,
    fields: Requests[Type],
    onResponse: (response: Responses[Type]) => void,
  ): () => void {
    const key = Symbol(type)
    const subscription = { type, fields, onResponse } as Subscription
    this.#subscriptions.set(key, subscription)
    if (this.#helloDone) void this.#sendSubscription(subscription)
    return () => {
      this.#endTrouble(subscription)
      if (!this.#subscriptions.delete(key) || this.status !== 'open' || this.#isShared(subscription)) return
      this.#request(type.replace(/^subscribe/, 'unsubscribe'), fields).catch(() => {})
    }
  }

  /** Whether the page has another subscription of the same kind: the server counts them as one. */
  #isShared({ type, fields }: Subscription): boolean {
    const encoded = JSON.stringify(fields)
    return [...this.#subscriptions.values()].some(
      (other) => other.type === type && JSON.stringify(other.fields) === encoded,
    )
  }

  /**
   * Streams the output of a pane, named as in the protocol (%3). `onState` gets a reason with `ended` and
   * `failed`. Returns a function that ends it. A name has one watcher.
   */
  watch(name: string, watcher: Watcher): () => void {
    this.#outputs.set(name, watcher)
    if (this.#helloDone) void this.#subscribeOutput(name, watcher)
    return () => {
      if (this.#outputs.get(name) !== watcher) return
      this.#outputs.delete(name)
      if (this.status === 'open') this.request('unsubscribe-output', { agent: name }).catch(() => {})
    }
  }

  /** Returns false if not connected: input is not queued, so the caller must inform the user. */
  input(name: string, data: Payload): boolean {
    return this.#frame(BinaryMsgType.KeyboardInput, name, data)
  }

  resize(name: string, cols: number, rows: number): boolean {
    return this.#frame(BinaryMsgType.Resize, name, `${cols}:${rows}`)
  }

  upload(name: string, payload: Payload): boolean {
    return this.#frame(BinaryMsgType.FileUpload, name, payload)
  }

  #frame(type: number, name: string, payload: Payload): boolean {
    if (this.status !== 'open') return false
    this.#socket?.send(encodeBinaryFrame(type, name, payload))
    return true
  }

  async #opened(): Promise<void> {
    this.#setStatus('open')
    try {
      await this.request('hello', { features: ['credit', 'reset'] })
    } catch {
      return // lost again: the next connection starts over
    }
    this.#delay = FIRST_DELAY_MS
    this.#helloDone = true
    for (const subscription of this.#subscriptions.values()) void this.#sendSubscription(subscription)
    for (const [name, watcher] of this.#outputs) void this.#subscribeOutput(name, watcher)
    void this.#ping()
  }

  async #sendSubscription(subscription: Subscription): Promise<void> {
    const { type, fields, onResponse } = subscription
    let response: Response
    try {
      response = await this.#request(type, fields)
    } catch (error) {
      this.#subscriptionFailed(subscription, error)
      return
    }
    this.#endTrouble(subscription)
    onResponse(response)
  }

  #subscriptionFailed(subscription: Subscription, error: unknown): void {
    // After a lost connection it is sent again.
    const isCurrent = this.status === 'open' && [...this.#subscriptions.values()].includes(subscription)
    if (!isCurrent || !(error instanceof Error)) return
    const trouble = { type: subscription.type, error }
    this.#troubles.set(subscription, trouble)
    this.#emit('trouble', trouble)
  }

  #endTrouble(subscription: Subscription): void {
    if (this.#troubles.delete(subscription)) this.#emit('trouble', null)
  }

  async #subscribeOutput(name: string, watcher: Watcher): Promise<void> {
    try {
      await this.request('subscribe-output', { agent: name })
      watcher.onState?.('watching')
    } catch (error) {
      if (this.status === 'open') watcher.onState?.('failed', messageOf(error))
    }
  }

  #receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') return void this.#receiveFrame(decodeBinaryFrame(data))
    // The server uses the protocol: events of a newer server are ignored by the store.
    const message = JSON.parse(data) as (SocketEvent | Response) & { id?: number }
    if (message.id !== undefined && this.#settle(message.id, message as Response)) return
    const event = message as SocketEvent
    if (event.type === 'output-away') this.#outputs.get(event.agent)?.onState?.('away')
    else if (event.type === 'output-ended') this.#outputs.get(event.agent)?.onState?.('ended', event.reason)
    else this.#emit('event', event)
  }

  async #receiveFrame({ msgType, agentName, payload }: Frame): Promise<void> {
    const watcher = this.#outputs.get(agentName)
    const socket = this.#socket
    if (!watcher) return
    await watcher.write(payload, msgType === BinaryMsgType.TerminalSnapshot)
    if (socket === this.#socket && this.#outputs.get(agentName) === watcher) {
      this.#frame(BinaryMsgType.Credit, agentName, creditPayload(payload.length))
    }
  }

  #settle(id: number, message: Response): boolean {
    const pending = this.#pending.get(id)
    if (!pending) return false
    this.#pending.delete(id)
    clearTimeout(pending.timer)
    if (message.ok === false) pending.reject(new RequestError(message.error, message))
    else pending.resolve(message)
    return true
  }

  async #ping(): Promise<void> {
    const round = ++this.#pings
    const socket = this.#socket
    const timeout = setTimeout(() => {
      if (socket === this.#socket) this.#lost()
    }, PONG_MS)
    const startedAt = performance.now()
    try {
      await this.request('ping')
      this.latency = performance.now() - startedAt
      this.#emit('latency', undefined)
    } catch {
      return
    } finally {
      clearTimeout(timeout)
    }
    setTimeout(() => {
      if (round === this.#pings && this.status === 'open') void this.#ping()
    }, PING_MS)
  }

  #lost(code = 0): void {
    const socket = this.#socket
    this.#socket = null
    this.#helloDone = false
    socket?.close()
    for (const id of [...this.#pending.keys()]) this.#settle(id, { ok: false, error: 'Connection lost.' })
    for (const subscription of [...this.#troubles.keys()]) this.#endTrouble(subscription)
    if (code === CLOSE_UNAUTHORIZED) return this.#setStatus('refused')
    // So that not all pages reconnect at once.
    const delay = this.#delay * (0.75 + Math.random() / 2)
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY_MS)
    this.retryAt = Date.now() + delay
    this.#timer = setTimeout(() => this.open(), delay)
    this.#setStatus('lost')
  }

  /** Retries now instead of later: the network is back, or the user does not want to wait. */
  retry(): void {
    if (this.status === 'lost') this.open()
  }

  /** Stops retrying: the server refused the user. */
  refuse(): void {
    if (this.status !== 'lost') return
    clearTimeout(this.#timer)
    this.#setStatus('refused')
  }

  #setStatus(status: SocketStatus): void {
    if (this.status === status) return
    this.status = status
    this.#emit('status', undefined)
  }

  #emit<Type extends keyof SocketEvents>(type: Type, detail: SocketEvents[Type]): void {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }
}

/** The address of the socket on this host. */
export function socketAddress(): string {
  const address = new URL('/ws', location.href)
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  return address.href
}
