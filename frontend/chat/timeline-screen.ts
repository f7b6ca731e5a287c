// The timeline of a project: prompts, turns, tasks, tool calls and files in one list, newest first, each
// with its window, time and author. Loads through timeline-source.ts.
import './chat.css'

import './virtual-list'

import type { TimelineItemOut, TimelineKind } from '../core/generated/api'
import { load, save } from '../core/memory'
import { format, type Place } from '../core/router'
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
import { titleByKey } from '../core/workspace'
import { timeElement } from './chat-message'
import { recordingAt } from './recording-link'
import { cut } from './text-blocks'
import { author, content, KINDS, links, rows, type TimelineRow, title } from './timeline-items'
import { TimelineSource } from './timeline-source'
import { dayOf } from './times'
import type { VirtualList } from './virtual-list'

const KINDS_SETTING = 'timeline-kinds'
const SHOWN_LINES = 4
const MARKS = { prompt: '❯', turn: '●', task: '☑', call: 'ƒ', attachment: '⎘' } as const satisfies Record<
  TimelineKind,
  string
>

@customElement('timeline-screen')
export class TimelineScreen extends Live {
  static override parts: readonly Part[] = ['savedWindows']

  @property({ attribute: false }) services!: Services
  @property({ attribute: false }) place!: Place
  /** The kinds to show; empty for all. */
  @state() private kinds: readonly TimelineKind[] = load<TimelineKind[]>(KINDS_SETTING, [])
  @state() private source: TimelineSource | null = null
  @query('virtual-list') private list!: VirtualList<TimelineRow> | null

  #shown: readonly TimelineItemOut[] | null = null // the items in the list
  #onChange = () => this.requestUpdate()

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.source?.close()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed)
    if (changed.has('place') && changed.get('place')?.project !== this.place.project) this.#open()
  }

  override render() {
    const { source, kinds } = this
    if (!source) return nothing
    return html`
      <header class="chat-head">
        <div class="timeline-kinds" role="group" aria-label="Filter">
          <button class="button" aria-pressed=${!kinds.length} @click=${() => this.#choose([])}>Everything</button>
          ${KINDS.map(
            ({ kind, name }) => html`
            <button class="button" aria-pressed=${kinds.includes(kind)} @click=${() => this.#toggle(kind)}>${name}</button>`,
          )}
        </div>
      </header>
      <div class="chat-flow">
        ${this.#statusView(source)}
        <virtual-list class="timeline" tabindex="0" .sticky=${false} role="region" aria-label="Timeline of ${this.place.project}"
          aria-busy=${source.phase === 'loading'} @near-end=${() => source.older()}></virtual-list>
      </div>`
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const { list, source } = this
    if (!list || !source || source.phase === 'loading') return
    list.estimate = ({ kind }) => (kind === 'day' ? 44 : 84)
    list.row = (row) =>
      row.kind === 'day'
        ? html`<h2 class="chat-day"><span>${dayOf(row.ts)}</span></h2>`
        : this.#event(source, row.item)
    if (this.#shown === source.items) return list.refresh()
    this.#shown = source.items
    list.items = rows(source.items)
  }

  #open(): void {
    this.source?.close()
    this.source = new TimelineSource(this.services, this.place.project, this.kinds)
    this.source.addEventListener('change', this.#onChange)
    void this.source.open()
    this.#shown = null
    this.list?.toStart()
  }

  #toggle(kind: TimelineKind): void {
    const kinds = this.kinds.includes(kind)
      ? this.kinds.filter((other) => other !== kind)
      : [...this.kinds, kind]
    this.#choose(kinds.length === KINDS.length ? [] : kinds)
  }

  #choose(kinds: readonly TimelineKind[]): void {
    this.kinds = kinds
    save(KINDS_SETTING, kinds)
    this.#open()
  }

  #event({ recordings }: TimelineSource, item: TimelineItemOut): TemplateResult {
    const { text, mono } = content(item)
    const shown = cut(text, SHOWN_LINES)
    const own = recordings.filter(({ window }) => window === item.window)
    const recording = recordingAt(own, item.ts)
    return html`
      <article class="event ${item.kind}" aria-label="${title(item)} ${author(item)}">
        <span class="event-mark" aria-hidden="true">${MARKS[item.kind]}</span>
        <div class="event-what">
          <header>
            <span class="event-name">${title(item)}</span>
            ${item.window ? html`<a class="event-window" href=${format({ view: 'terminal', key: item.window })}>${titleByKey(this.store, item.window) ?? (item.windowName || 'window')}</a>` : nothing}
            <span class="quiet">${author(item)}</span>
            ${timeElement(item.ts)}
          </header>
          ${text ? html`<p class="event-text ${mono ? 'mono' : ''}">${shown.text}${shown.hidden ? '…' : ''}</p>` : nothing}
          <footer>
            ${links(item, this.place.project).map(({ name, href }) => html`<a href=${href}>${name}</a>`)}
            ${recording ? html`<a href=${recording} target="_blank" rel="noopener">▶ Watch</a>` : nothing}
          </footer>
        </div>
      </article>`
  }

  #statusView({ phase, problem, items }: TimelineSource) {
    if (phase === 'loading') return html`<p class="chat-loading" role="status">Loading…</p>`
    if (phase === 'failed') {
      return html`<div class="chat-empty" role="alert"><h2>Could not load the timeline</h2><p>${problem}</p>
        <button class="button" @click=${() => this.#open()}>Retry</button></div>`
    }
    if (items.length) return nothing
    return html`<div class="chat-empty"><h2>No activity yet</h2>
      <p>${this.kinds.length ? 'No activity of the selected kinds.' : 'Prompts, answers, task changes, tool calls and files appear here.'}</p>
      ${this.kinds.length ? html`<button class="button" @click=${() => this.#choose([])}>Show everything</button>` : nothing}</div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'timeline-screen': TimelineScreen
  }
}
