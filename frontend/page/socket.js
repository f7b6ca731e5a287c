// The one owner of the WebSocket: requests with answers, events, outputs with credit, and the
// return after a loss. Knows the protocol (docs/protocol.md), nothing of the page.
import { BinaryMsgType, creditPayload, decodeBinaryFrame, encodeBinaryFrame } from '../terminals/frames.js'

const FIRST_PAUSE_MS = 400
const LONGEST_PAUSE_MS = 10_000
const PING_MS = 5_000
// A server that does not answer a ping by then is taken for lost: a phone's network dies in silence.
const PONG_MS = 8_000
const REQUEST_MS = 60_000
const TURNED_AWAY = 4401

/**
 * Tells `status` (connecting, open, lost, refused), `latency` and `event` (a JSON event of the server).
 * What was subscribed is subscribed again after a loss, in the same order.
 */
export class Socket extends EventTarget {
  status = 'connecting'
  latency = null // milliseconds of the last ping
  retryAt = 0 // when the next try is, by Date.now()

  #address
  #socket = null
  #next = 1
  #waiting = new Map() // id → {done, failed, timer}
  #subscriptions = new Map() // key → {type, fields, onAnswer}
  #outputs = new Map() // name → Output
  #pause = FIRST_PAUSE_MS
  #timer = 0
  #pings = 0
  #greeted = false // before the answer to hello, outputs would come without credit

  constructor(address) {
    super()
    this.#address = address
    addEventListener('online', () => this.retry())
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.retry() })
  }

  open() {
    clearTimeout(this.#timer)
    this.#be('connecting')
    const socket = this.#socket = new WebSocket(this.#address)
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => this.#opened()
    socket.onmessage = ({ data }) => this.#take(data)
    socket.onclose = ({ code }) => { if (socket === this.#socket) this.#lost(code) }
  }

  /** The answer; rejects with the server's words, or when the connection is lost. */
  request(type, fields = {}) {
    if (this.status !== 'open') return Promise.reject(new Error('not connected'))
    const id = this.#next++
    return new Promise((done, failed) => {
      const timer = setTimeout(() => this.#settle(id, { ok: false, error: 'the server did not answer' }), REQUEST_MS)
      this.#waiting.set(id, { done, failed, timer })
      this.#socket.send(JSON.stringify({ ...fields, id, type }))
    })
  }

  /** Keeps a subscription over losses; `onAnswer` gets each answer. Returns a function that ends it. */
  subscribe(type, fields, onAnswer) {
    const key = Symbol(type)
    const wanted = { type, fields, onAnswer }
    this.#subscriptions.set(key, wanted)
    if (this.#greeted) this.#ask(wanted)
    return () => {
      if (!this.#subscriptions.delete(key) || this.status !== 'open' || this.#isWanted(wanted)) return
      this.request(type.replace(/^subscribe/, 'unsubscribe'), fields).catch(() => {})
    }
  }

  /** Whether somebody else on the page follows the same: the server counts them as one. */
  #isWanted({ type, fields }) {
    const same = JSON.stringify(fields)
    return [...this.#subscriptions.values()].some((one) => one.type === type && JSON.stringify(one.fields) === same)
  }

  /**
   * What a pane prints, under a name of the protocol (%3). `write(bytes, reset)` returns a promise:
   * parsed. `onState` hears watching, away, ended (with a reason) and failed. Returns a function
   * that ends it. One name has one watcher.
   */
  watch(name, { write, onState = () => {} }) {
    const output = { write, onState }
    this.#outputs.set(name, output)
    if (this.#greeted) this.#askOutput(name, output)
    return () => {
      if (this.#outputs.get(name) !== output) return
      this.#outputs.delete(name)
      if (this.status === 'open') this.request('unsubscribe-output', { agent: name }).catch(() => {})
    }
  }

  /** False where nothing can be sent: what was typed then is not queued, and must be said. */
  input(name, data) { return this.#frame(BinaryMsgType.KeyboardInput, name, data) }
  resize(name, cols, rows) { return this.#frame(BinaryMsgType.Resize, name, `${cols}:${rows}`) }
  upload(name, payload) { return this.#frame(BinaryMsgType.FileUpload, name, payload) }

  #frame(type, name, payload) {
    if (this.status !== 'open') return false
    this.#socket.send(encodeBinaryFrame(type, name, payload))
    return true
  }

  async #opened() {
    this.#be('open')
    try {
      await this.request('hello', { features: ['credit', 'reset'] })
    } catch { return } // lost again: the next return begins anew
    this.#pause = FIRST_PAUSE_MS
    this.#greeted = true
    for (const wanted of this.#subscriptions.values()) this.#ask(wanted)
    for (const [name, output] of this.#outputs) this.#askOutput(name, output)
    this.#ping()
  }

  async #ask({ type, fields, onAnswer }) {
    try {
      onAnswer(await this.request(type, fields))
    } catch (problem) {
      if (this.status === 'open') this.#tell('trouble', { type, problem })
    }
  }

  async #askOutput(name, output) {
    try {
      await this.request('subscribe-output', { agent: name })
      output.onState('watching')
    } catch (problem) {
      if (this.status === 'open') output.onState('failed', problem.message)
    }
  }

  #take(data) {
    if (typeof data !== 'string') return this.#takeFrame(decodeBinaryFrame(data))
    const message = JSON.parse(data)
    if (message.id !== undefined && this.#settle(message.id, message)) return
    const output = this.#outputs.get(message.agent)
    if (message.type === 'output-away') output?.onState('away')
    else if (message.type === 'output-ended') output?.onState('ended', message.reason)
    else this.#tell('event', message)
  }

  async #takeFrame({ msgType, agentName, payload }) {
    const output = this.#outputs.get(agentName)
    const socket = this.#socket
    if (!output) return
    await output.write(payload, msgType === BinaryMsgType.TerminalSnapshot)
    if (socket === this.#socket && this.#outputs.get(agentName) === output) this.#frame(BinaryMsgType.Credit, agentName, creditPayload(payload.length))
  }

  #settle(id, message) {
    const waiting = this.#waiting.get(id)
    if (!waiting) return false
    this.#waiting.delete(id)
    clearTimeout(waiting.timer)
    if (message.ok === false) waiting.failed(Object.assign(new Error(message.error), { answer: message }))
    else waiting.done(message)
    return true
  }

  async #ping() {
    const turn = ++this.#pings
    const socket = this.#socket
    const late = setTimeout(() => { if (socket === this.#socket) this.#lost() }, PONG_MS)
    const asked = performance.now()
    try {
      await this.request('ping')
      this.latency = performance.now() - asked
      this.#tell('latency')
    } catch { return } finally { clearTimeout(late) }
    setTimeout(() => { if (turn === this.#pings && this.status === 'open') this.#ping() }, PING_MS)
  }

  #lost(code) {
    const socket = this.#socket
    this.#socket = null
    this.#greeted = false
    socket?.close()
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { ok: false, error: 'the connection was lost' })
    if (code === TURNED_AWAY) return this.#be('refused')
    const pause = this.#pause * (0.75 + Math.random() / 2) // not all pages in the same moment
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS)
    this.retryAt = Date.now() + pause
    this.#timer = setTimeout(() => this.open(), pause)
    this.#be('lost')
  }

  /** Now, where the next try would be later: the network is back, or the person does not want to wait. */
  retry() { if (this.status === 'lost') this.open() }

  /** No further try: whoever asked was told that they are not let in. */
  turnAway() {
    if (this.status !== 'lost') return
    clearTimeout(this.#timer)
    this.#be('refused')
  }

  #be(status) {
    if (this.status === status) return
    this.status = status
    this.#tell('status')
  }

  #tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })) }
}

/** The address of the socket, beside this page. */
export function socketAddress() {
  const address = new URL('/ws', location.href)
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  return address.href
}
