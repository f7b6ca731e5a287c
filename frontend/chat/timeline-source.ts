// Loads the timeline of one project in pages into the store, and its newest page again after a change. Emits `change`.
// timeline-items.ts merges the pages.
import { part } from '../core/api'
import { messageOf, typedTarget } from '../core/events'
import type {
  PageRecordingOut,
  RecordingOut,
  TimelineItemOut,
  TimelineKind,
  TimelineOut,
} from '../core/generated/api'
import type { SocketEvent } from '../core/generated/socket'
import type { Services } from '../core/services'
import type { TimelineState } from '../core/store'
import { newestFirst } from '../recordings/recording-list'
import { withNewest } from './timeline-items'

const EMPTY: TimelineState = { items: [], hasMore: false }

const PAGE = 50
const ITEM_LIMIT = 5000 // items
const GATHER_MS = 700 // tool calls are stored half a second after they end
const INTERVAL_MS = 10_000 // for items without an event: files, read-only tool calls
const RELEVANT_EVENTS = new Set<SocketEvent['type']>([
  'notes-updated',
  'agent-updated',
  'agent-added',
  'agent-removed',
  'chat-added',
])

export class TimelineSource extends typedTarget<{ change: null }>() {
  phase: 'loading' | 'ready' | 'failed' = 'loading'
  problem = ''

  #services: Pick<Services, 'api' | 'socket' | 'store'>
  #project: string
  #kinds: readonly TimelineKind[]
  #busy = false
  #reloadTimer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  #endNotes = () => {}
  #interval = setInterval(() => {
    if (!document.hidden) void this.#reload()
  }, INTERVAL_MS)

  /** `kinds`: the kinds to show; empty for all. */
  constructor(
    services: Pick<Services, 'api' | 'socket' | 'store'>,
    project: string,
    kinds: readonly TimelineKind[],
  ) {
    super()
    this.#services = services
    this.#project = project
    this.#kinds = kinds
  }

  /** The loaded part of the timeline. */
  get state(): TimelineState {
    return this.#services.store.timelines.get(this.#name) ?? EMPTY
  }

  get items(): readonly TimelineItemOut[] {
    return this.state.items
  }

  /** The known recordings of the project, newest first. */
  get recordings(): readonly RecordingOut[] {
    const { savedRecordings } = this.#services.store
    return newestFirst([...savedRecordings.values()].filter(({ project }) => project === this.#project))
  }

  get #name(): string {
    return `${this.#project} ${this.#kinds.join()}`
  }

  #setState(state: TimelineState): void {
    // A response may come after the screen was closed.
    if (!this.#closed) this.#services.store.setEntry('timelines', this.#name, state)
  }

  async open(): Promise<void> {
    const { socket } = this.#services
    socket.addEventListener('event', this.#onEvent)
    this.#endNotes = socket.subscribe('subscribe-notes', {}, () => this.#scheduleReload())
    void this.#findRecordings()
    try {
      this.#setState(await this.#load())
      this.phase = 'ready'
    } catch (error) {
      this.phase = 'failed'
      this.problem = messageOf(error)
    }
    this.#emit()
  }

  async older(): Promise<void> {
    const last = this.items.at(-1)
    if (!last || this.#busy || !this.state.hasMore || this.items.length >= ITEM_LIMIT) return
    this.#busy = true
    try {
      const page = await this.#load(last.key)
      this.#setState({ items: [...this.items, ...page.items], hasMore: page.hasMore })
    } catch {
      /* retried with the next scroll */
    }
    this.#busy = false
    this.#emit()
  }

  close(): void {
    this.#closed = true
    this.#services.store.setEntry('timelines', this.#name, null)
    clearInterval(this.#interval)
    clearTimeout(this.#reloadTimer)
    this.#endNotes()
    this.#services.socket.removeEventListener('event', this.#onEvent)
  }

  #onEvent = ({ detail }: CustomEvent<SocketEvent>) => {
    if (RELEVANT_EVENTS.has(detail.type)) this.#scheduleReload()
  }

  #scheduleReload(): void {
    this.#reloadTimer ??= setTimeout(() => {
      this.#reloadTimer = undefined
      void this.#reload()
    }, GATHER_MS)
  }

  async #reload(): Promise<void> {
    if (this.#busy || this.#closed) return
    this.#busy = true
    try {
      const page = await this.#load()
      const { items, alone } = withNewest(this.items, page)
      const hasMore = alone || this.phase !== 'ready' ? page.hasMore : this.state.hasMore
      this.#setState({ items: items.slice(0, ITEM_LIMIT), hasMore })
      this.phase = 'ready'
    } catch {
      /* the connection banner reports it */
    }
    this.#busy = false
    this.#emit()
  }

  /** The newest page, or the one before an item. */
  #load(before = ''): Promise<TimelineOut> {
    const query = new URLSearchParams({ limit: String(PAGE), kinds: this.#kinds.join(',') })
    if (before) query.set('before', before)
    return this.#services.api('GET', `/projects/${part(this.#project)}/timeline?${query}`)
  }

  async #findRecordings(): Promise<void> {
    try {
      const path = `/recordings?project=${part(this.#project)}`
      this.#services.store.keepRecordings((await this.#services.api<PageRecordingOut>('GET', path)).items)
      this.#emit()
    } catch {
      /* no links */
    }
  }

  #emit(): void {
    if (!this.#closed) this.dispatchEvent(new CustomEvent('change'))
  }
}
