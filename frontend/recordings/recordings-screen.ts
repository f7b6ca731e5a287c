// The recordings of a window or of all: start, stop, play, rename, share, delete. Live while some are running.
import './recordings.css'

import { type Method, part } from '../core/api'
import { messageOf } from '../core/events'
import type { PageRecordingOut, WindowOut } from '../core/generated/api'
import type { RecordingOut, RecordingsUpdated, ShownPaneOut, SocketEvent } from '../core/generated/socket'
import type { Place } from '../core/router'
import type { Services } from '../core/services'
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  nothing,
  property,
  repeat,
  state,
  type TemplateResult,
} from '../core/view'
import { currentWindow, type WindowRow, windowTitle } from '../core/workspace'
import { bytes, clock, day } from './recording-format'
import { belongs, lengthOf, newestFirst } from './recording-list'
import './share-dialog'

const PAGE = 50
const TICK_MS = 1000

type Shown = TemplateResult | typeof nothing

@customElement('recordings-screen')
export class RecordingsScreen extends Live {
  static override parts: readonly Part[] = [
    'recordings',
    'savedRecordings',
    'windows',
    'savedWindows',
    'status',
  ]

  @property({ attribute: false }) services!: Services
  // The key of the current window; empty for all.
  @state() private window = ''
  // The keys of the listed recordings, which are in the store; null: not loaded yet.
  @state() private keys: readonly string[] | null = null
  @state() private count = 0
  @state() private problem = ''
  // The key of the row whose title is edited, and of the row to delete.
  @state() private renaming = ''
  @state() private deleting = ''
  #place: Place | null = null
  #timer: ReturnType<typeof setInterval> | undefined

  /** Newest first. */
  private get rows(): RecordingOut[] | null {
    return this.keys && newestFirst(this.keys.flatMap((key) => this.store.savedRecordings.get(key) ?? []))
  }

  #onEvent = ({ detail }: CustomEvent<SocketEvent>) => {
    if (detail.type === 'recordings-updated') this.#receive(detail)
  }

  // Recordings may have ended meanwhile.
  #onStatus = () => {
    if (this.keys && this.services.socket.status === 'open') void this.#load(this.#place)
  }

  get place(): Place | null {
    return this.#place
  }

  set place(place: Place) {
    if (this.#place?.key === place.key) return
    this.#place = place
    this.window = ''
    this.keys = null
    void this.#load(place)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.services.socket.addEventListener('event', this.#onEvent)
    this.services.socket.addEventListener('status', this.#onStatus)
    clearInterval(this.#timer)
    this.#timer = setInterval(() => {
      if (this.rows?.some((row) => row.state === 'recording')) this.requestUpdate()
    }, TICK_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.services.socket.removeEventListener('event', this.#onEvent)
    this.services.socket.removeEventListener('status', this.#onStatus)
    clearInterval(this.#timer)
  }

  async #load(place: Place | null, offset = 0): Promise<void> {
    if (!place) return
    const { api } = this.services
    try {
      const window = await this.#windowKey(place)
      const query = new URLSearchParams({ limit: String(PAGE), offset: String(offset) })
      if (window) query.set('window', window)
      const { items, count } = await api<PageRecordingOut>('GET', `/recordings?${query}`)
      if (place !== this.#place) return
      this.window = window
      this.store.keepRecordings(items)
      this.#list(items)
      this.count = count
      this.problem = ''
    } catch (error) {
      if (place === this.#place) this.problem = messageOf(error)
    }
  }

  /** An address may contain the tmux id of a window; the list needs its key. */
  async #windowKey({ key }: Place): Promise<string> {
    if (!key.startsWith('@')) return key
    return (await this.services.api<WindowOut>('GET', `/windows/${part(key)}`)).key
  }

  #receive({ recordings, gone }: RecordingsUpdated): void {
    if (!this.keys) return
    const before = this.keys.length
    this.keys = this.keys.filter((key) => !gone.includes(key))
    this.#list(recordings.filter((row) => belongs(row, this.window)))
    this.count += this.keys.length - before
  }

  #list(rows: readonly RecordingOut[]): void {
    this.keys = [...new Set([...(this.keys ?? []), ...rows.map(({ key }) => key)])]
  }

  async #request(method: Method, path: string, body?: object): Promise<void> {
    try {
      await this.services.api<unknown>(method, path, body)
      this.problem = ''
    } catch (error) {
      this.problem = messageOf(error)
    }
  }

  async #rename(row: RecordingOut, title: string): Promise<void> {
    if (this.renaming !== row.key) return // cancelled by Escape: the removed field also loses the focus
    this.renaming = ''
    if (title.trim() && title !== row.title) await this.#request('PATCH', `/recordings/${row.key}`, { title })
  }

  override render(): TemplateResult {
    return html`<div class="recordings">
      ${this.#head()}
      ${
        this.problem
          ? html`<p class="strip bad" role="alert">${this.problem}
        <button class="button" @click=${() => this.#load(this.#place)}>Retry</button></p>`
          : nothing
      }
      ${this.#listView()}
      <share-dialog .api=${this.services.api}></share-dialog>
    </div>`
  }

  #head(): TemplateResult {
    const window = this.#place?.key ? currentWindow(this.store) : null
    const text = this.#place?.key
      ? 'Record the output of a pane to play, search, download and share it.'
      : 'From all windows, newest first.'
    return html`<header><div><h1>Recordings</h1><p class="quiet">${text}</p></div>
      ${window ? this.#panes(window) : nothing}</header>`
  }

  #panes({ panes }: WindowRow): TemplateResult {
    const toggles = repeat(
      panes,
      ({ paneId }) => paneId,
      (pane) => this.#toggle(pane, panes.length === 1),
    )
    const none = !panes.some(({ paneId }) => this.store.recordings.has(paneId))
    return html`<div class="panes" role="group" aria-label="Record panes of this window">
      ${toggles}
      ${
        panes.length > 1 && none
          ? html`<button class="button" @click=${() => this.act('record-window')}>Record all</button>`
          : nothing
      }
    </div>`
  }

  #toggle({ paneId, paneIndex, command }: ShownPaneOut, only: boolean): TemplateResult {
    const name = only ? '' : ` pane ${paneIndex} (${command})`
    return this.store.recordings.has(paneId)
      ? html`<button class="button danger" @click=${() => this.act('record-stop', { pane: paneId })}><span class="stop-square" aria-hidden="true"></span>Stop${name || ' recording'}</button>`
      : html`<button class=${only ? 'button primary' : 'button'} @click=${() => this.act('record-start', { pane: paneId })}><span class="record-dot" aria-hidden="true"></span>Record${name}</button>`
  }

  #listView(): Shown {
    const { rows } = this
    if (!rows) return this.problem ? nothing : html`<p class="quiet empty" role="status">Loading…</p>`
    if (!rows.length) return this.#empty()
    const items = repeat(
      rows,
      ({ key }) => key,
      (row) => this.#row(row),
    )
    const left = this.count - rows.length
    return html`<ul class="list">${items}</ul>
      ${left > 0 ? html`<button class="button more" @click=${() => this.#load(this.#place, rows.length)}>Show more (${left})</button>` : nothing}`
  }

  #empty(): TemplateResult {
    return html`<div class="empty"><span class="tape" aria-hidden="true"><i></i><i></i></span>
      <h2>No recordings yet</h2>
      <p class="quiet">${
        this.#place?.key
          ? 'Press “Record” and keep working. All output is saved, even while webtmux is not running. Prompts and moved tasks become markers.'
          : 'Open a window and choose “Recordings” to record one of its panes.'
      }</p></div>`
  }

  #row(row: RecordingOut): TemplateResult {
    const origin = this.window || !row.project ? '' : `${windowTitle(row)} · `
    return html`<li class="recording" data-key=${row.key} data-state=${row.state}>
      <div class="what">${this.#title(row)}
        <p class="quiet cut">${origin}${row.paneId} · ${day(row.startedAt)}${row.by ? ` · by ${row.by}` : ''}</p>
        ${row.problem ? html`<p class="error-text">Recording stopped: ${row.problem}</p>` : nothing}
      </div>
      <p class="figures">${stateChip(row)}
        <span>${clock(lengthOf(row))}</span><span>${bytes(row.size)}</span></p>
      ${this.deleting === row.key ? this.#confirm(row) : this.#buttons(row)}
    </li>`
  }

  #title(row: RecordingOut): TemplateResult {
    if (this.renaming !== row.key) {
      return html`<h2 class="cut"><a href=${`/recordings/${row.key}`}>${row.title}</a>
        <button class="button plain icon" aria-label=${`Rename ${row.title}`} title="Rename" @click=${() => this.#edit(row)}>✎</button></h2>`
    }
    return html`<input class="field title" aria-label="Title" maxlength="255" .value=${row.title}
      @keydown=${(event: FieldEvent<KeyboardEvent>) => this.#key(event, row)}
      @blur=${({ currentTarget }: FieldEvent<FocusEvent>) => this.#rename(row, currentTarget.value)}>`
  }

  #edit(row: RecordingOut): void {
    this.renaming = row.key
    this.performUpdate()
    this.querySelector<HTMLInputElement>('input.title')?.select()
  }

  #key({ key, currentTarget, isComposing }: FieldEvent<KeyboardEvent>, row: RecordingOut): void {
    if (isComposing) return
    if (key === 'Enter') void this.#rename(row, currentTarget.value)
    if (key === 'Escape') this.renaming = ''
  }

  #buttons(row: RecordingOut): TemplateResult {
    return html`<div class="buttons">
      <a class="button" href=${`/recordings/${row.key}`}>Play</a>
      <a class="button plain" href=${`/api/recordings/${row.key}/cast`} download aria-label=${`Download ${row.title}`}>Download</a>
      <button class="button plain" data-share aria-label=${`Share ${row.title}`} @click=${() => this.querySelector('share-dialog')?.open(row)}>Share</button>
      ${
        row.state === 'recording'
          ? html`<button class="button danger" @click=${() => this.#request('DELETE', `/panes/${row.paneId.slice(1)}/recording`)}>Stop</button>`
          : html`<button class="button plain" aria-label=${`Delete ${row.title}`} @click=${() => this.#askDelete(row)}>Delete</button>`
      }
    </div>`
  }

  #askDelete(row: RecordingOut): void {
    this.deleting = row.key
    this.performUpdate()
    this.querySelector<HTMLElement>('.confirm .danger')?.focus()
  }

  #confirm(row: RecordingOut): TemplateResult {
    const close = () => {
      this.deleting = ''
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close()
    }
    const remove = () => {
      close()
      return this.#request('DELETE', `/recordings/${row.key}`)
    }
    return html`<div class="buttons confirm" role="group" aria-label=${`Delete ${row.title}?`} @keydown=${onKey}>
      <span>Delete the recording, its file and its links?</span>
      <button class="button danger" @click=${remove}>Delete</button>
      <button class="button" @click=${close}>Cancel</button></div>`
  }
}

/** An event of the title field: its listeners are on the field itself. */
type FieldEvent<Type extends Event> = Type & { readonly currentTarget: HTMLInputElement }

function stateChip({ state }: RecordingOut): Shown {
  if (state === 'recording')
    return html`<span class="chip bad"><span class="record-dot" aria-hidden="true"></span>recording</span>`
  return state === 'broken' ? html`<span class="chip waiting">stopped</span>` : nothing
}

declare global {
  interface HTMLElementTagNameMap {
    'recordings-screen': RecordingsScreen
  }
}
