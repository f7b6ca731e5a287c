// Loads the chat of one window in pages into the store, and follows it live. Emits `change`. chat-pages.ts
// joins the pages, chat-screen.ts shows them.
import { part } from '../core/api'
import { messageOf, typedTarget } from '../core/events'
import type { ChatPageOut, MessagesPageOut } from '../core/generated/api'
import type { SocketEvent, WindowOut } from '../core/generated/socket'
import type { Services } from '../core/services'
import {
  type ChatPage,
  type ChatState,
  EMPTY,
  fromPage,
  wholeTurns,
  withNewer,
  withOlder,
  withRecord,
  withTail,
} from './chat-pages'

/** Messages, or the records that they are derived from. */
export type ChatKind = 'messages' | 'records'
type Position = Partial<Record<'around' | 'before' | 'after' | 'limit', number>>

const PAGE = 60
const TAIL = 16 // messages that are loaded again after a new record
const GATHER_MS = 250 // programs print in bursts
const PATHS = { messages: 'messages', records: 'chat' } as const satisfies Record<ChatKind, string>

export class ChatSource extends typedTarget<{ change: null }>() {
  phase: 'loading' | 'ready' | 'failed' = 'loading'
  problem = ''
  busy: 'older' | 'newer' | '' = '' // the page being loaded
  window: WindowOut | null = null // as the server reports it
  received = 0 // records received since it was opened
  following = true // the end is visible

  #services: Pick<Services, 'api' | 'socket' | 'store'>
  #key: string
  #kind: ChatKind
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  #end = () => {}

  constructor(services: Pick<Services, 'api' | 'socket' | 'store'>, key: string, kind: ChatKind) {
    super()
    this.#services = services
    this.#key = key
    this.#kind = kind
  }

  /** The loaded part of the chat. */
  get state(): ChatState {
    return this.#services.store.chats.get(this.#name) ?? EMPTY
  }

  set state(state: ChatState) {
    // A response may come after the screen was closed.
    if (!this.#closed) this.#services.store.setEntry('chats', this.#name, state)
  }

  get #name(): string {
    return `${this.#kind} of ${this.#key}`
  }

  /** Loads the newest page, or the one around a timestamp. */
  async open(timestamp = 0): Promise<void> {
    this.#listen()
    await this.jump(timestamp)
  }

  async jump(timestamp = 0): Promise<void> {
    this.phase = 'loading'
    this.#emit()
    try {
      const page = await this.#load(timestamp ? { around: timestamp } : {})
      this.state = fromPage(page)
      this.window = page.window
      this.phase = 'ready'
    } catch (error) {
      this.phase = 'failed'
      this.problem = messageOf(error)
    }
    this.#emit()
  }

  async older(): Promise<void> {
    const first = this.state.items[0]
    if (first) await this.#page('older', { before: first.ts }, withOlder)
  }

  async newer(): Promise<void> {
    const last = this.state.items.at(-1)
    if (last) await this.#page('newer', { after: last.ts }, withNewer)
  }

  close(): void {
    this.#closed = true
    this.#services.store.setEntry('chats', this.#name, null)
    clearTimeout(this.#timer)
    this.#end()
    this.#services.socket.removeEventListener('event', this.#onEvent)
  }

  #listen(): void {
    this.#services.socket.addEventListener('event', this.#onEvent)
    // Each response after the first follows a reconnect: records may have been missed.
    this.#end = this.#services.socket.subscribe('subscribe-chat', { window: this.#key }, () => {
      if (this.phase === 'ready') void this.#catchUp()
    })
  }

  #onEvent = ({ detail }: CustomEvent<SocketEvent>) => {
    const isRecord = detail.type === 'chat-added'
    if (!isRecord && detail.type !== 'messages-changed') return
    if (detail.key !== this.window?.key || this.phase !== 'ready') return
    if (isRecord) this.received++
    if (this.#kind === 'records') {
      if (isRecord) this.#setState(withRecord(this.state, detail.record))
    } else this.#timer ??= setTimeout(() => void this.#catchUp(), GATHER_MS)
  }

  async #catchUp(): Promise<void> {
    this.#timer = undefined
    if (this.state.newer) return this.#emit() // the loaded part does not reach the end
    try {
      let page = await this.#load({ limit: TAIL })
      if (!withTail(this.state, page)) page = await this.#load({ limit: 4 * PAGE })
      const merged = withTail(this.state, page)
      this.#setState(merged ?? (this.following ? fromPage(page) : { ...this.state, newer: true }))
    } catch {
      /* retried with the next record or reconnect */
    }
  }

  async #page(
    which: 'older' | 'newer',
    position: Position,
    join: (state: ChatState, page: ChatPage) => ChatState,
  ): Promise<void> {
    if (this.busy || this.phase !== 'ready' || !this.state[which]) return
    this.busy = which
    this.#emit()
    const before = this.state
    try {
      const page = await this.#load(position)
      if (before.items[0] === this.state.items[0] || which === 'newer') this.state = join(this.state, page)
    } catch (error) {
      this.problem = messageOf(error)
    }
    this.busy = ''
    this.#emit()
  }

  async #load(position: Position): Promise<ChatPage> {
    const query = new URLSearchParams({ limit: String(PAGE) })
    for (const [name, value] of Object.entries(position)) query.set(name, String(value))
    const path = `/windows/${part(this.#key)}/${PATHS[this.#kind]}?${query}`
    const page = await this.#services.api<MessagesPageOut | ChatPageOut>('GET', path)
    if (this.#kind === 'records') return page
    return { ...page, messages: wholeTurns(page.messages, page.hasMore) }
  }

  #setState(state: ChatState): void {
    this.state = state
    this.#emit()
  }

  #emit(): void {
    if (!this.#closed) this.dispatchEvent(new CustomEvent('change'))
  }
}
