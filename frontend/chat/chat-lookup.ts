// Requests about the chat of a window besides its messages: search, summary, recordings. Emits `change`.
// A response to an outdated query is dropped.
import { type Api, part } from '../core/api'
import { messageOf, typedTarget } from '../core/events'
import type {
  ChatFoundOut,
  PageRecordingOut,
  RecordingOut,
  SummaryOut,
  UsageTotalOut,
  WindowOut,
} from '../core/generated/api'
import type { Services } from '../core/services'
import type { Store } from '../core/store'
import { newestFirst } from '../recordings/recording-list'
import { asTyped } from './highlights'

export interface Results {
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed'
  readonly items: ChatFoundOut['items']
  readonly hasMore: boolean
  readonly problem: string
}

/** `at`: when it was loaded; 0 before. */
export interface Summary {
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly bullets: readonly string[]
  readonly by: SummaryOut['by'] | ''
  readonly model: string
  readonly at: number
  readonly problem: string
}

const PAGE = 40
export const NO_RESULTS: Results = { phase: 'idle', items: [], hasMore: false, problem: '' }
export const NO_SUMMARY: Summary = { phase: 'loading', bullets: [], by: '', model: '', at: 0, problem: '' }

export class ChatLookup extends typedTarget<{ change: null }>() {
  query = ''
  results = NO_RESULTS
  summary = NO_SUMMARY
  /** Of the conversations in the window; null until it is known. */
  usage: UsageTotalOut | null = null

  #api: Api
  #store: Store
  #key: string
  #closed = false
  // The key of the window: an address may contain its tmux id.
  #recorded = ''

  constructor({ api, store }: Pick<Services, 'api' | 'store'>, key: string) {
    super()
    this.#api = api
    this.#store = store
    this.#key = key
  }

  /** The known recordings of the window, newest first. */
  get recordings(): readonly RecordingOut[] {
    const all = [...this.#store.savedRecordings.values()]
    return newestFirst(all.filter(({ window }) => window !== null && window === this.#recorded))
  }

  begin(): void {
    void this.summarize()
    void this.#findRecordings()
    void this.#readUsage()
  }

  close(): void {
    this.#closed = true
  }

  search(query: string): void {
    this.query = query.trim()
    this.results = this.query ? { ...NO_RESULTS, phase: 'loading' } : NO_RESULTS
    this.#emit()
    if (this.query) void this.more()
  }

  async more(): Promise<void> {
    const { query, results } = this
    this.results = { ...results, phase: 'loading' }
    this.#emit()
    const found = await this.#find(query, results.items)
    if (query !== this.query) return
    this.results = found
    this.#emit()
  }

  async summarize(): Promise<void> {
    this.summary = { ...this.summary, phase: 'loading' }
    this.#emit()
    try {
      const { summary, by, model } = await this.#api<SummaryOut>('GET', `/windows/${part(this.#key)}/summary`)
      this.summary = { phase: 'ready', bullets: summary, by, model, at: Date.now(), problem: '' }
    } catch (error) {
      this.summary = { ...this.summary, phase: 'failed', problem: messageOf(error) }
    }
    this.#emit()
  }

  async #find(query: string, items: Results['items']): Promise<Results> {
    const parameters = new URLSearchParams({
      q: asTyped(query),
      window: this.#key,
      limit: String(PAGE),
      offset: String(items.length),
    })
    try {
      const page = await this.#api<ChatFoundOut>('GET', `/chat?${parameters}`)
      return { phase: 'ready', items: [...items, ...page.items], hasMore: page.hasMore, problem: '' }
    } catch (error) {
      return { ...NO_RESULTS, phase: 'failed', problem: messageOf(error) }
    }
  }

  /** Without usage, none is shown. */
  async #readUsage(): Promise<void> {
    try {
      this.usage = await this.#api<UsageTotalOut>('GET', `/windows/${part(this.#key)}/usage`)
    } catch {
      return
    }
    this.#emit()
  }

  /** Without recordings, messages simply have no links. */
  async #findRecordings(): Promise<void> {
    try {
      const { key } = await this.#api<WindowOut>('GET', `/windows/${part(this.#key)}`)
      const { items } = await this.#api<PageRecordingOut>('GET', `/recordings?window=${part(key)}`)
      this.#recorded = key
      this.#store.keepRecordings(items)
      this.#emit()
    } catch {
      /* no links */
    }
  }

  #emit(): void {
    if (!this.#closed) this.dispatchEvent(new CustomEvent('change'))
  }
}
