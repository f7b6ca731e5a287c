// Recordings of a window, or of all: start and stop, play, name, share, delete. Live while some run.
import { Live, html, nothing, repeat } from '../page/view.js'
import { currentWindow } from '../page/workspace.js'
import { belongs, lengthOf, merge, without } from './recording-list.js'
import { bytes, clock, day } from './recording-words.js'
import './share-dialog.js'

const PAGE = 50
const TICK_MS = 1000

class RecordingsScreen extends Live {
  static parts = ['recordings', 'windows', 'facts', 'status']

  services = null
  #place = null
  #window = '' // the key of the window that is looked at; empty: all
  #rows = null
  #count = 0
  #problem = ''
  #renaming = ''
  #deleting = ''
  #timer = 0
  #hear = ({ detail }) => { if (detail.type === 'recordings-updated') this.#take(detail) }

  get place() { return this.#place }
  set place(place) {
    if (this.#place?.key === place.key) return
    this.#place = place
    this.#window = ''
    this.#rows = null
    this.#load()
  }

  connectedCallback() {
    super.connectedCallback()
    this.services.socket.addEventListener('event', this.#hear)
    clearInterval(this.#timer)
    this.#timer = setInterval(() => { if (this.#rows?.some((row) => row.state === 'recording')) this.update() }, TICK_MS)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    this.services.socket.removeEventListener('event', this.#hear)
    clearInterval(this.#timer)
  }

  /** An address may have tmux's id of a window; the list goes by its key. */
  async #load(offset = 0) {
    const { api } = this.services
    const place = this.#place
    try {
      const window = place.key.startsWith('@') ? (await api('GET', `/windows/${encodeURIComponent(place.key)}`)).key : place.key
      const query = new URLSearchParams({ limit: PAGE, offset, ...(window ? { window } : {}) })
      const { items, count } = await api('GET', `/recordings?${query}`)
      if (place !== this.#place) return
      this.#window = window
      this.#rows = merge(this.#rows ?? [], items)
      this.#count = count
      this.#problem = ''
    } catch (problem) {
      if (place === this.#place) this.#problem = problem.message
    }
    this.update()
  }

  #take({ recordings, gone }) {
    if (!this.#rows) return
    const before = this.#rows.length
    this.#rows = merge(without(this.#rows, gone), recordings.filter((row) => belongs(row, this.#window)))
    this.#count += this.#rows.length - before
    this.update()
  }

  async #do(method, path, body) {
    try {
      await this.services.api(method, path, body)
      this.#problem = ''
    } catch (problem) {
      this.#problem = problem.message
    }
    this.update()
  }

  async #rename(row, title) {
    if (this.#renaming !== row.key) return // Escape: the field that goes loses the focus, too
    this.#renaming = ''
    this.update()
    if (title.trim() && title !== row.title) await this.#do('PATCH', `/recordings/${row.key}`, { title })
  }

  view() {
    return html`<div class="recordings">
      ${this.#head()}
      ${this.#problem ? html`<p class="strip bad" role="alert">${this.#problem}
        <button class="button" @click=${() => this.#load()}>Try again</button></p>` : nothing}
      ${this.#list()}
      <share-dialog .api=${this.services.api}></share-dialog>
    </div>`
  }

  #head() {
    const window = this.#place?.key ? currentWindow(this.store) : null
    const words = !this.#place?.key ? 'Of all windows, the newest first.'
      : 'What a pane prints, with its times: to be played, searched, downloaded and shared.'
    return html`<header><div><h1>Recordings</h1><p class="quiet">${words}</p></div>
      ${window ? this.#panes(window) : nothing}</header>`
  }

  #panes({ panes }) {
    return html`<div class="panes" role="group" aria-label="Record panes of this window">
      ${repeat(panes, ({ paneId }) => paneId, (pane) => this.#toggle(pane, panes.length === 1))}
      ${panes.length > 1 && !panes.some(({ paneId }) => this.store.recordings.has(paneId))
        ? html`<button class="button" @click=${() => this.act('record-window')}>Record all</button>` : nothing}
    </div>`
  }

  #toggle({ paneId, paneIndex, command }, only) {
    const name = only ? '' : ` pane ${paneIndex} (${command})`
    return this.store.recordings.has(paneId)
      ? html`<button class="button danger" @click=${() => this.act('record-stop', { pane: paneId })}><span class="stop-square" aria-hidden="true"></span>Stop${name || ' recording'}</button>`
      : html`<button class=${only ? 'button primary' : 'button'} @click=${() => this.act('record-start', { pane: paneId })}><span class="record-dot" aria-hidden="true"></span>Record${name}</button>`
  }

  #list() {
    if (!this.#rows) return this.#problem ? nothing : html`<p class="quiet empty" role="status">Loading the recordings …</p>`
    if (!this.#rows.length) return this.#empty()
    return html`<ul class="list">${repeat(this.#rows, ({ key }) => key, (row) => this.#row(row))}</ul>
      ${this.#rows.length < this.#count ? html`<button class="button more" @click=${() => this.#load(this.#rows.length)}>Show more (${this.#count - this.#rows.length})</button>` : nothing}`
  }

  #empty() {
    return html`<div class="empty"><span class="tape" aria-hidden="true"><i></i><i></i></span>
      <h2>Nothing is recorded yet</h2>
      <p class="quiet">${this.#place?.key ? 'Press “Record” and go on working: every byte is kept, also while webtmux is away. Prompts and moved tasks become markers.'
        : 'Open a window and choose “Recordings” to record one of its panes.'}</p></div>`
  }

  #row(row) {
    const runs = row.state === 'recording'
    return html`<li class="recording" data-key=${row.key} data-state=${row.state}>
      <div class="what">${this.#title(row)}
        <p class="quiet cut">${this.#window || !row.project ? '' : `${row.project} · ${row.windowName} · `}${row.paneId} · ${day(row.startedAt)}${row.by ? ` · by ${row.by}` : ''}</p>
        ${row.problem ? html`<p class="bad-words">It stopped by itself: ${row.problem}</p>` : nothing}
      </div>
      <p class="figures">${runs ? html`<span class="chip bad"><span class="record-dot" aria-hidden="true"></span>recording</span>` : row.state === 'broken' ? html`<span class="chip waiting">stopped</span>` : nothing}
        <span>${clock(lengthOf(row))}</span><span>${bytes(row.size)}</span></p>
      ${this.#deleting === row.key ? this.#confirm(row) : this.#buttons(row, runs)}
    </li>`
  }

  #title(row) {
    if (this.#renaming !== row.key) {
      return html`<h2 class="cut"><a href=${`/recordings/${row.key}`}>${row.title}</a>
        <button class="button plain icon" aria-label=${`Rename ${row.title}`} title="Rename" @click=${() => this.#edit(row)}>✎</button></h2>`
    }
    return html`<input class="field title" aria-label="Title" maxlength="255" .value=${row.title}
      @keydown=${(event) => this.#key(event, row)} @blur=${({ target }) => this.#rename(row, target.value)}>`
  }

  #edit(row) {
    this.#renaming = row.key
    this.paint()
    this.querySelector('input.title').select()
  }

  #key({ key, target, isComposing }, row) {
    if (isComposing) return
    if (key === 'Enter') this.#rename(row, target.value)
    if (key === 'Escape') {
      this.#renaming = ''
      this.update()
    }
  }

  #buttons(row, runs) {
    return html`<div class="buttons">
      <a class="button" href=${`/recordings/${row.key}`}>Play</a>
      <a class="button plain" href=${`/api/recordings/${row.key}/cast`} download aria-label=${`Download ${row.title}`}>Download</a>
      <button class="button plain" data-share aria-label=${`Share ${row.title}`} @click=${() => this.querySelector('share-dialog').open(row)}>Share</button>
      ${runs ? html`<button class="button danger" @click=${() => this.#do('DELETE', `/panes/${row.paneId.slice(1)}/recording`)}>Stop</button>`
        : html`<button class="button plain" aria-label=${`Delete ${row.title}`} @click=${() => this.#ask(row)}>Delete</button>`}
    </div>`
  }

  #ask(row) {
    this.#deleting = row.key
    this.paint()
    this.querySelector('.confirm .danger').focus()
  }

  #confirm(row) {
    const close = () => { this.#deleting = ''; this.update() }
    return html`<div class="buttons confirm" role="group" aria-label=${`Delete ${row.title}?`} @keydown=${({ key }) => { if (key === 'Escape') close() }}>
      <span>Delete it, its file and its links?</span>
      <button class="button danger" @click=${() => { close(); this.#do('DELETE', `/recordings/${row.key}`) }}>Delete</button>
      <button class="button" @click=${close}>Keep</button></div>`
  }
}

customElements.define('recordings-screen', RecordingsScreen)
