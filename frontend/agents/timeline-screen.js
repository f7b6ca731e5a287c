// The timeline of a project: prompts, turns, tasks, tool calls and files in one list, newest first,
// each with its window, its moment and whoever did it. Loads by timeline-source.js.
import './virtual-list.js'
import { load, save } from '../page/memory.js'
import { format } from '../page/router.js'
import { Live, html, nothing } from '../page/view.js'
import { moment } from './chat-message.js'
import { recordingAt } from './moments.js'
import { cut } from './text-blocks.js'
import { author, content, KINDS, links, rows, title } from './timeline-items.js'
import { TimelineSource } from './timeline-source.js'
import { dayOf } from './times.js'

const CHOSEN = 'timeline-kinds'
const SHOWN_LINES = 4
const MARKS = { prompt: '❯', turn: '●', task: '☑', call: 'ƒ', attachment: '⎘' }

class TimelineScreen extends Live {
  static parts = ['facts']

  #place = null
  #kinds = load(CHOSEN, [])
  #source = null
  #shown = null

  get place() { return this.#place }
  set place(place) {
    const before = this.#place
    this.#place = place
    if (before?.project !== place.project) this.#open()
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    this.#source?.close()
  }

  view() {
    if (!this.#source) return nothing
    return html`
      <header class="chat-head">
        <div class="timeline-kinds" role="group" aria-label="Show only">
          <button class="button" aria-pressed=${!this.#kinds.length} @click=${() => this.#choose([])}>Everything</button>
          ${KINDS.map(({ kind, name }) => html`
            <button class="button" aria-pressed=${this.#kinds.includes(kind)} @click=${() => this.#toggle(kind)}>${name}</button>`)}
        </div>
      </header>
      <div class="chat-flow">
        ${this.#state()}
        <virtual-list class="timeline" tabindex="0" .sticky=${false} role="region" aria-label="Timeline of ${this.#place.project}"
          aria-busy=${this.#source.phase === 'loading'} @near-end=${() => this.#source.older()}></virtual-list>
      </div>`
  }

  paint() {
    super.paint()
    const list = this.querySelector('virtual-list')
    if (!list || this.#source.phase === 'loading') return
    list.estimate = ({ kind }) => kind === 'day' ? 44 : 84
    list.row = (row) => row.kind === 'day' ? html`<h2 class="chat-day"><span>${dayOf(row.ts)}</span></h2>` : this.#event(row.item)
    if (this.#shown === this.#source.items) return list.refresh()
    this.#shown = this.#source.items
    list.items = rows(this.#shown)
  }

  #open() {
    this.#source?.close()
    this.#source = new TimelineSource(this.services, this.#place.project, this.#kinds)
    this.#source.addEventListener('change', () => this.update())
    this.#source.open()
    this.#shown = null
    this.querySelector('virtual-list')?.toStart()
    this.update()
  }

  #toggle(kind) {
    const kinds = this.#kinds.includes(kind) ? this.#kinds.filter((one) => one !== kind) : [...this.#kinds, kind]
    this.#choose(kinds.length === KINDS.length ? [] : kinds)
  }

  #choose(kinds) {
    this.#kinds = kinds
    save(CHOSEN, kinds)
    this.#open()
  }

  #event(item) {
    const { text, mono } = content(item)
    const shown = cut(text, SHOWN_LINES)
    const film = recordingAt(this.#source.recordings.filter(({ window }) => window === item.window), item.ts)
    return html`
      <article class="event ${item.kind}" aria-label="${title(item)} ${author(item)}">
        <span class="event-mark" aria-hidden="true">${MARKS[item.kind]}</span>
        <div class="event-what">
          <header>
            <span class="event-name">${title(item)}</span>
            ${item.window ? html`<a class="event-window" href=${format({ view: 'terminal', key: item.window })}>${item.windowName || 'window'}</a>` : nothing}
            <span class="quiet">${author(item)}</span>
            ${moment(item.ts)}
          </header>
          ${text ? html`<p class="event-text ${mono ? 'mono' : ''}">${shown.text}${shown.hidden ? '…' : ''}</p>` : nothing}
          <footer>
            ${links(item, this.#place.project).map(({ name, href }) => html`<a href=${href}>${name}</a>`)}
            ${film ? html`<a href=${film} target="_blank" rel="noopener">▶ Watch</a>` : nothing}
          </footer>
        </div>
      </article>`
  }

  #state() {
    const { phase, problem, items } = this.#source
    if (phase === 'loading') return html`<p class="chat-loading" role="status">Loading…</p>`
    if (phase === 'failed') {
      return html`<div class="chat-empty" role="alert"><h2>The timeline could not be loaded</h2><p>${problem}</p>
        <button class="button" @click=${() => this.#open()}>Try again</button></div>`
    }
    if (items.length) return nothing
    return html`<div class="chat-empty"><h2>Nothing has happened here yet</h2>
      <p>${this.#kinds.length ? 'Nothing of the chosen kinds, that is.' : 'Prompts, answers, changed tasks, calls of tools and files appear here, as they come.'}</p>
      ${this.#kinds.length ? html`<button class="button" @click=${() => this.#choose([])}>Show everything</button>` : nothing}</div>`
  }
}

customElements.define('timeline-screen', TimelineScreen)
