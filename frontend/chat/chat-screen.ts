// The chat of a window: the conversation, or all records it is derived from, in one endless list; with
// search, a summary at the top, and links to recordings. Loads through chat-source.ts.
import './chat.css'

import './chat-summary'
import './chat-search'
import './virtual-list'

import { part } from '../core/api'
import { copy } from '../core/clipboard'
import { messageOf } from '../core/events'
import type { FoundOut } from '../core/generated/api'
import { load, save } from '../core/memory'
import type { Place } from '../core/router'
import type { Services } from '../core/services'
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  nothing,
  type PropertyValues,
  property,
  query,
  state,
  type TemplateResult,
} from '../core/view'
import { currentWindow } from '../core/workspace'
import { ChatLookup } from './chat-lookup'
import { estimate, type RowOptions, row } from './chat-message'
import { type ChatItem, type ChatRow, type ChatState, countSince, messageAt, rows } from './chat-pages'
import { type ChatKind, ChatSource } from './chat-source'
import { asTyped, pattern } from './highlights'
import { recordingAt } from './recording-link'
import type { VirtualList } from './virtual-list'

const KIND = 'chat-kind'
const KINDS = [
  ['messages', 'Conversation'],
  ['records', 'Everything'],
] as const satisfies readonly [ChatKind, string][]
const AGE_MS = 30_000 // how often "3 min ago" is updated
const COPIED_MS = 2000

@customElement('chat-screen')
export class ChatScreen extends Live {
  static override parts: readonly Part[] = ['agents', 'windows', 'savedWindows']

  @property({ attribute: false }) services!: Services
  @property({ attribute: false }) place!: Place
  @state() private kind = load<ChatKind>(KIND, 'messages')
  @state() private source: ChatSource | null = null
  @state() private lookup: ChatLookup | null = null
  @state() private opened: ReadonlySet<string> = new Set() // keys of long messages that are shown in full
  @state() private copied = '' // the key of the row that was just copied
  @state() private hit = 0 // the ts of the search result that was opened
  @query('virtual-list') private list!: VirtualList<ChatRow> | null

  #rows: ChatRow[] = [] // the rows of #shown
  #shown: ChatState | null = null
  #seen = 0 // ts of the newest item that was visible
  #target = 0 // the timestamp to show once it is loaded
  #highlighted = '' // the key of the row that was jumped to
  #clock: ReturnType<typeof setInterval> | undefined
  #copiedTimer: ReturnType<typeof setTimeout> | undefined
  #onChange = () => this.requestUpdate()

  override connectedCallback(): void {
    super.connectedCallback()
    this.#clock = setInterval(() => this.list?.refresh(), AGE_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#clock)
    clearTimeout(this.#copiedTimer)
    this.source?.close()
    this.lookup?.close()
  }

  async find(): Promise<void> {
    await this.updateComplete
    const search = this.querySelector('chat-search')
    await search?.updateComplete
    search?.focus()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed)
    if (changed.has('place')) this.#placeChanged(changed.get('place'))
  }

  override render() {
    const { source, lookup } = this
    if (!source || !lookup) return nothing
    const { query } = lookup
    return html`
      <header class="chat-head">
        <div class="segments" role="group" aria-label="View">
          ${KINDS.map(
            ([kind, name]) => html`
            <button class="button" aria-pressed=${kind === this.kind} @click=${() => this.#choose(source, kind)}>${name}</button>`,
          )}
        </div>
        <chat-search .query=${query} @search=${({ detail }: CustomEvent<{ query: string }>) => lookup.search(detail.query)} @leave=${this.#leave}
          @enter-hits=${() => this.querySelector('chat-hits')?.focus()}></chat-search>
        <button class="button plain chat-copy" @click=${() => this.act('copy-conversation')}>Copy all</button>
      </header>
      <chat-summary ?hidden=${query !== ''} .summary=${lookup.summary} .usage=${lookup.usage} @summarize=${() => lookup.summarize()}></chat-summary>
      <div class="chat-body" ?data-searching=${query !== ''}>
        <div class="chat-flow">
          ${this.#statusView(source)}
          <virtual-list tabindex="0" role="region" aria-label=${this.kind === 'messages' ? 'Conversation' : 'Everything'}
            aria-busy=${source.phase === 'loading' || source.busy !== ''}
            @near-start=${() => source.older()} @near-end=${() => source.newer()}
            @moved=${({ detail }: CustomEvent<{ atEnd: boolean }>) => this.#moved(source, detail.atEnd)} @keydown=${this.#onKeydown}></virtual-list>
          ${this.#newestButton(source)}
        </div>
        ${
          query === ''
            ? nothing
            : html`<chat-hits .query=${query} .results=${lookup.results} .current=${this.hit}
          @leave=${this.#leave} @leave-hits=${() => this.find()} @more=${() => lookup.more()}
          @jump=${({ detail }: CustomEvent<{ hit: FoundOut }>) => this.#jumpToHit(detail.hit)}></chat-hits>`
        }
      </div>`
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const { list, source, lookup } = this
    if (list && source && lookup) this.#fill(list, source, lookup)
  }

  // --- loading ---

  #placeChanged(before: Place | undefined): void {
    const { key, at } = this.place
    const timestamp = Number(at) || 0
    if (before?.key !== key) this.#begin(key, timestamp)
    else if (timestamp) void this.#jump(timestamp)
    if (at === 'find') void this.find()
  }

  #begin(key: string, timestamp: number): void {
    this.lookup?.close()
    this.lookup = new ChatLookup(this.services, key)
    this.lookup.addEventListener('change', this.#onChange)
    this.#open(key, timestamp)
    this.lookup.begin()
  }

  #open(key: string, timestamp: number): void {
    this.source?.close()
    this.source = new ChatSource(this.services, key, this.kind)
    this.source.addEventListener('change', this.#onChange)
    this.opened = new Set()
    this.#target = timestamp
    this.#highlighted = ''
    void this.source.open(timestamp)
  }

  #choose(source: ChatSource, kind: ChatKind): void {
    if (kind === this.kind) return
    const timestamp = source.following ? 0 : this.#firstVisible()
    this.#show(kind, timestamp)
  }

  /** A message of a journal is in the conversation, a screen among the records. */
  #jumpToHit({ ts, source }: FoundOut): void {
    this.hit = ts
    if (source === 'journal' && this.kind === 'records') this.#show('messages', ts)
    else void this.#jump(ts)
  }

  /** What the terminal showed at the time of a message. */
  #showTerminal(ts: number): void {
    this.#show('records', ts)
  }

  #show(kind: ChatKind, ts: number): void {
    this.kind = kind
    save(KIND, kind)
    this.#open(this.place.key, ts)
  }

  async #jump(timestamp: number): Promise<void> {
    this.#target = timestamp
    const { source } = this
    const [first, last] = [source?.state.items[0], source?.state.items.at(-1)]
    if (!first || !last || timestamp < first.ts || timestamp > last.ts) await source?.jump(timestamp)
    this.#shown = null
    this.requestUpdate()
  }

  #leave = () => {
    this.lookup?.search('')
    void this.find()
  }

  // --- the list ---

  #fill(list: VirtualList<ChatRow>, source: ChatSource, lookup: ChatLookup): void {
    const { state, phase } = source
    const options = this.#rowOptions(lookup)
    list.row = (item) => row(item, options)
    list.estimate = estimate
    if (phase === 'loading') return
    if (this.#shown !== state) {
      this.#shown = state
      this.#rows = rows(state.items, { older: state.older, turns: this.kind === 'messages' })
      list.items = this.#rows
      if (this.#target) this.#showTarget(list, source)
      else if (!state.newer && source.following && !list.atEnd) list.toEnd()
    } else list.refresh()
    if (list.atEnd && !state.newer) this.#seen = state.items.at(-1)?.ts ?? 0
  }

  #showTarget(list: VirtualList<ChatRow>, source: ChatSource): void {
    const { items } = source.state
    const item = messageAt(items, this.#target)
    const target = this.#rows.find((each) => each.kind === 'message' && each.item === item)
    if (!target) return
    this.#highlighted = target.key
    source.following = false
    this.#seen = Math.max(this.#seen, items.at(-1)?.ts ?? 0)
    list.show(target.key)
    this.#target = 0
  }

  #rowOptions(lookup: ChatLookup): RowOptions {
    const agent = currentWindow(this.store)?.agents[0]
    const raw = this.kind === 'records'
    return {
      raw,
      who: {
        user: raw ? 'Submitted' : 'Prompt',
        assistant: raw ? 'Screen' : (agent?.runtime ?? 'Terminal'),
      },
      pattern: lookup.query ? pattern(asTyped(lookup.query)) : null,
      isOpen: (key) => this.opened.has(key),
      isHighlighted: (key) => key === this.#highlighted,
      recording: (ts) => recordingAt(lookup.recordings, ts),
      isCopied: (key) => key === this.copied,
      on: {
        open: (key) => this.#toggleOpen(key),
        copy: (key, item) => void this.#copy(key, item),
        terminal: ({ ts }) => this.#showTerminal(ts),
        coloured: () => this.list?.refresh(),
      },
    }
  }

  #toggleOpen(key: string): void {
    const others = [...this.opened].filter((each) => each !== key)
    this.opened = new Set(this.opened.has(key) ? others : [...others, key])
  }

  async #copy(key: string, { text }: ChatItem): Promise<void> {
    try {
      await copy(text)
      this.copied = key
      clearTimeout(this.#copiedTimer)
      this.#copiedTimer = setTimeout(() => {
        this.copied = ''
      }, COPIED_MS)
    } catch (error) {
      this.services.toast({ tone: 'bad', text: messageOf(error) })
    }
  }

  #moved(source: ChatSource, atEnd: boolean): void {
    const following = atEnd && !source.state.newer
    if (following === source.following) return
    source.following = following
    this.requestUpdate()
  }

  #onKeydown = (event: KeyboardEvent) => {
    if (event.target !== this.list || (event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    if (event.key === 'Home') void this.#jump(1)
    else void this.#toEnd()
  }

  async #toEnd(): Promise<void> {
    const { source } = this
    if (!source) return
    this.#highlighted = ''
    this.#target = 0
    source.following = true
    if (source.state.newer) await source.jump()
    this.list?.toEnd()
    this.requestUpdate()
  }

  /** The timestamp of the first visible row. */
  #firstVisible(): number {
    const top = this.list?.getBoundingClientRect().top ?? 0
    const first = [...this.querySelectorAll<HTMLElement>('.chat-row')].find(
      (element) => element.getBoundingClientRect().bottom > top,
    )
    return Number(first?.dataset['ts'] ?? 0)
  }

  // --- status ---

  #newestButton({ state, following }: ChatSource) {
    if (following && !state.newer) return nothing
    const count = state.newer ? 0 : countSince(state.items, this.#seen)
    return html`<button class="button chat-newest ${count ? 'primary' : ''}" @click=${() => this.#toEnd()}>↓ ${count ? `${count} new` : 'Newest'}</button>`
  }

  #statusView(source: ChatSource): TemplateResult | typeof nothing {
    const { phase, problem, state, busy } = source
    if (busy) return html`<p class="chat-loading" role="status">Loading ${busy} ${this.kind}…</p>`
    if (phase === 'loading' && !state.items.length)
      return html`<p class="chat-loading" role="status">Loading…</p>`
    if (phase === 'failed') {
      return html`<div class="chat-empty" role="alert"><h2>Could not load the chat</h2><p>${problem}</p>
        <button class="button" @click=${() => source.jump()}>Retry</button></div>`
    }
    if (state.items.length) return nothing
    return html`<div class="chat-empty"><h2>No messages yet</h2>
      <p>Prompts sent to this window and its answers appear here.</p>
      <a class="button" href="#/window/${part(this.place.key)}">Open terminal</a></div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'chat-screen': ChatScreen
  }
}
