// The chat of a window: the conversation, or everything that it is read from, in one endless list;
// with search, a summary on top, and links to recordings. Loads by chat-source.js.
import './chat-summary.js'
import './chat-search.js'
import './virtual-list.js'
import { part } from '../page/api.js'
import { copy } from '../page/clipboard.js'
import { load, save } from '../page/memory.js'
import { Live, html, nothing } from '../page/view.js'
import { currentWindow } from '../page/workspace.js'
import { estimate, row } from './chat-message.js'
import { countSince, messageAt, rows } from './chat-pages.js'
import { ChatLookup } from './chat-lookup.js'
import { ChatSource } from './chat-source.js'
import { asTyped, pattern } from './highlights.js'
import { recordingAt } from './moments.js'

const KIND = 'chat-kind'
const KINDS = [['messages', 'Conversation'], ['records', 'Everything']]
const AGE_MS = 30_000 // "3 min ago" is told anew
const COPIED_MS = 2000

class ChatScreen extends Live {
  static parts = ['agents', 'windows', 'facts']

  #place = null
  #kind = load(KIND, 'messages')
  #source = null
  #lookup = null
  #opened = new Set() // keys of long messages that are shown whole
  #rows = [] // of the state below
  #shown = null
  #seen = 0 // ts of the newest that was looked at
  #target = 0 // a moment to be shown once it is loaded
  #found = '' // the key of the row that was jumped to
  #copied = '' // the key of the row that was just copied
  #clock = 0

  get place() { return this.#place }
  set place(place) {
    const before = this.#place
    this.#place = place
    if (before?.key !== place.key) this.#begin(place.key, Number(place.at) || 0)
    else if (Number(place.at)) this.#jump(Number(place.at))
    if (place.at === 'find') this.find()
  }

  connectedCallback() {
    super.connectedCallback()
    this.#clock = setInterval(() => this.#list?.refresh(), AGE_MS)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    clearInterval(this.#clock)
    this.#source?.close()
    this.#lookup?.close()
  }

  find() { queueMicrotask(() => this.querySelector('chat-search')?.focus()) }

  view() {
    if (!this.#source) return nothing
    const { query } = this.#lookup
    return html`
      <header class="chat-head">
        <div class="segments" role="group" aria-label="What is shown">
          ${KINDS.map(([kind, name]) => html`
            <button class="button" aria-pressed=${kind === this.#kind} @click=${() => this.#choose(kind)}>${name}</button>`)}
        </div>
        <chat-search .query=${query} @search=${({ detail }) => this.#search(detail.query)} @leave=${this.#leave}
          @enter-hits=${() => this.querySelector('chat-hits')?.focus()}></chat-search>
        <button class="button plain chat-copy" @click=${() => this.act('copy-conversation')}>Copy all</button>
      </header>
      <chat-summary ?hidden=${query !== ''} .summary=${this.#lookup.summary} @summarize=${() => this.#lookup.summarize()}></chat-summary>
      <div class="chat-body" ?data-searching=${query !== ''}>
        <div class="chat-flow">
          ${this.#state()}
          <virtual-list tabindex="0" role="region" aria-label=${this.#kind === 'messages' ? 'Conversation' : 'Everything'}
            aria-busy=${this.#source.phase === 'loading' || this.#source.busy !== ''}
            @near-start=${() => this.#source.older()} @near-end=${() => this.#source.newer()}
            @moved=${this.#moved} @keydown=${this.#pressed}></virtual-list>
          ${this.#newest()}
        </div>
        ${query === '' ? nothing : html`<chat-hits .query=${query} .found=${this.#lookup.found} .current=${this.#target}
          @leave=${this.#leave} @leave-hits=${() => this.find()} @more=${() => this.#lookup.more()}
          @jump=${({ detail }) => this.#jump(detail.hit.ts)}></chat-hits>`}
      </div>`
  }

  paint() {
    super.paint()
    if (this.#source) this.#fill()
  }

  // --- what is loaded ---

  #begin(key, moment) {
    this.#source?.close()
    this.#lookup?.close()
    this.#opened.clear()
    this.#lookup = new ChatLookup(this.services, key)
    this.#lookup.addEventListener('change', () => this.update())
    this.#open(key, moment)
    this.#lookup.begin()
  }

  #open(key, moment) {
    this.#source?.close()
    this.#source = new ChatSource(this.services, key, this.#kind)
    this.#source.addEventListener('change', () => this.update())
    this.#target = moment
    this.#found = ''
    this.#source.open(moment)
    this.update()
  }

  #choose(kind) {
    if (kind === this.#kind) return
    const moment = this.#source.following ? 0 : this.#firstVisible()
    this.#kind = kind
    save(KIND, kind)
    this.#opened.clear()
    this.#open(this.#place.key, moment)
  }

  async #jump(moment) {
    this.#target = moment
    const { items } = this.#source.state
    if (!items.length || moment < items[0].ts || moment > items.at(-1).ts) await this.#source.jump(moment)
    this.#shown = null
    this.update()
  }

  #search(query) {
    this.#lookup.search(query)
    this.update()
  }

  #leave = () => {
    this.#search('')
    this.querySelector('chat-search').query = ''
    this.find()
  }

  // --- the list ---

  get #list() { return this.querySelector('virtual-list') }

  #fill() {
    const list = this.#list
    const { state, phase } = this.#source
    const look = this.#look()
    list.row = (item) => row(item, look)
    list.estimate = estimate
    if (phase === 'loading') return
    if (this.#shown !== state) {
      this.#shown = state
      this.#rows = rows(state.items, { older: state.older, turns: this.#kind === 'messages' })
      list.items = this.#rows
      if (this.#target) this.#showTarget(state.items)
      else if (state.newer === false && this.#source.following && !list.atEnd) list.toEnd()
    } else list.refresh()
    if (list.atEnd && !state.newer) this.#seen = state.items.at(-1)?.ts ?? 0
  }

  #showTarget(items) {
    const item = messageAt(items, this.#target)
    const found = this.#rows.find((one) => one.item === item)
    if (!found) return
    this.#found = found.key
    this.#source.following = false
    this.#seen = Math.max(this.#seen, items.at(-1).ts)
    this.#list.show(found.key)
    this.#target = 0
  }

  #look() {
    const agent = currentWindow(this.store)?.agents[0]
    const raw = this.#kind === 'records'
    return {
      raw,
      who: { user: raw ? 'Submitted' : 'Prompt', assistant: raw ? 'Screen' : agent?.runtime ?? 'Terminal' },
      wanted: this.#lookup.query ? pattern(asTyped(this.#lookup.query)) : null,
      isOpen: (key) => this.#opened.has(key),
      isMarked: (key) => key === this.#found,
      recording: (ts) => recordingAt(this.#lookup.recordings, ts),
      isCopied: (key) => key === this.#copied,
      on: { open: (key) => this.#unfold(key), copy: (key, item) => this.#copy(key, item) },
    }
  }

  #unfold(key) {
    if (!this.#opened.delete(key)) this.#opened.add(key)
    this.#list.refresh()
  }

  async #copy(key, { text }) {
    try {
      await copy(text)
      this.#copied = key
      setTimeout(() => { this.#copied = ''; this.#list?.refresh() }, COPIED_MS)
      this.#list.refresh()
    } catch (problem) {
      this.services.toast({ tone: 'bad', text: problem.message })
    }
  }

  #moved = ({ detail }) => {
    const following = detail.atEnd && !this.#source.state.newer
    if (following === this.#source.following) return
    this.#source.following = following
    this.update()
  }

  #pressed = (event) => {
    if (event.target !== this.#list) return
    const to = { Home: () => this.#toBegin(), End: () => this.#toEnd() }[event.key]
    if (!to) return
    event.preventDefault()
    to()
  }

  #toBegin() { this.#jump(1) }

  async #toEnd() {
    this.#found = ''
    this.#target = 0
    this.#source.following = true
    if (this.#source.state.newer) await this.#source.jump()
    this.#list.toEnd()
    this.update()
  }

  #firstVisible() {
    const top = this.#list.getBoundingClientRect().top
    const first = [...this.querySelectorAll('.chat-row')].find((one) => one.getBoundingClientRect().bottom > top)
    return Number(first?.dataset.ts ?? 0)
  }

  // --- what is beside it ---

  #newest() {
    const { state, following } = this.#source
    if (following && !state.newer) return nothing
    const count = state.newer ? 0 : countSince(state.items, this.#seen)
    return html`<button class="button chat-newest ${count ? 'primary' : ''}" @click=${() => this.#toEnd()}>↓ ${count ? `${count} new` : 'Newest'}</button>`
  }

  #state() {
    const { phase, problem, state, busy } = this.#source
    if (busy) return html`<p class="chat-loading" role="status">Loading ${busy} ${this.#kind}…</p>`
    if (phase === 'loading' && !state.items.length) return html`<p class="chat-loading" role="status">Loading…</p>`
    if (phase === 'failed') {
      return html`<div class="chat-empty" role="alert"><h2>The chat could not be loaded</h2><p>${problem}</p>
        <button class="button" @click=${() => this.#source.jump()}>Try again</button></div>`
    }
    if (state.items.length) return nothing
    return html`<div class="chat-empty"><h2>Nothing was said here yet</h2>
      <p>What is submitted to this window and what it answers appears here, as it happens.</p>
      <a class="button" href="#/window/${part(this.#place.key)}">Open the terminal</a></div>`
  }
}

customElements.define('chat-screen', ChatScreen)
