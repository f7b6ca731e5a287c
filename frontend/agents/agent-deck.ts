// <agent-deck>: the home view. A card for every agent, waiting ones first and with their answers, then
// the windows without an agent. A tap opens the window. Loads the last lines of the visible cards.
import './answer-bar'
import '../shell/selection-bar'

import { part } from '../core/api'
import type { CaptureOut } from '../core/generated/api'
import { icons } from '../core/icons'
import { listenForLongPress } from '../core/long-press'
import { format } from '../core/router'
import { clicked, toggled } from '../core/selection'
import type { Services } from '../core/services'
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  nothing,
  type PropertyValues,
  property,
  repeat,
  type TemplateResult,
} from '../core/view'
import { activePane, addressOf, type WindowRow, windowTitle } from '../core/workspace'
import { shortPath } from '../shell/rail-rows'
import { type Card, deckOf } from './deck'
import { Previews } from './previews'
import { countText, stateText } from './words'

// Durations are shown in minutes.
const TICK_MS = 10_000

@customElement('agent-deck')
export class AgentDeck extends Live {
  static override parts: readonly Part[] = [
    'windows',
    'agents',
    'savedWindows',
    'projects',
    'place',
    'problem',
    'selection',
  ]

  @property({ attribute: false }) services!: Services
  #previews = new Previews((pane, lines) => this.#capture(pane, lines))
  #visible = new Set<HTMLElement>()
  #observer = new IntersectionObserver((entries) => this.#updateVisible(entries))
  #stopPresses = () => {}
  #timer: ReturnType<typeof setInterval> | undefined
  #onChange = () => this.requestUpdate()

  override connectedCallback(): void {
    super.connectedCallback()
    this.#previews.addEventListener('change', this.#onChange)
    this.#stopPresses = listenForLongPress(this, windowOf, (id) =>
      this.act('set-selection', { selection: toggled(this.store.selection, id) }),
    )
    this.#timer = setInterval(() => {
      if (!this.hidden && !document.hidden) this.requestUpdate()
    }, TICK_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#timer)
    this.#observer.disconnect()
    this.#stopPresses()
    this.#visible.clear()
    this.#previews.removeEventListener('change', this.#onChange)
    this.#previews.stop()
  }

  protected override shouldUpdate(): boolean {
    return super.shouldUpdate() && !this.hidden
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    // Observing twice has no effect.
    for (const card of this.querySelectorAll('[data-pane]')) this.#observer.observe(card)
    this.#loadPreviews()
  }

  override render(): TemplateResult {
    if (!this.store.ready) return html`<p class="deck-none quiet" role="status">Loading…</p>`
    const { groups, plain, counts } = deckOf(this.store)
    return html`<div class="deck" @click=${this.#onClick}>
      <header class="deck-head">
        <h2 class="visually-hidden">Agents</h2>
        <p class="deck-counts" role="status">${countText(counts)}</p>
      </header>
      ${groups.length ? nothing : this.#emptyView(plain.length > 0)}
      ${groups.map(
        ({ title, cards }) => html`<section class="deck-group" aria-label=${title}>
        <h3 class="deck-title">${title} <span class="chip">${cards.length}</span></h3>
        <div class="deck-cards">${repeat(
          cards,
          ({ agent }) => agent.name,
          (card) => this.#cardView(card),
        )}</div>
      </section>`,
      )}
      ${plain.length ? this.#plainView(plain) : nothing}
    </div>
    <selection-bar .store=${this.store}></selection-bar>`
  }

  #onClick = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a.card-link, a.plain-card') : null
    const id = link ? windowOf(link) : ''
    const cards = [...this.querySelectorAll<HTMLElement>('[data-window]')]
    const order = cards.map(({ dataset }) => dataset['window'] ?? '')
    const selection = id ? clicked(this.store.selection, id, event, order) : null
    if (!selection) return
    event.preventDefault()
    this.act('set-selection', { selection })
  }

  /** Marks of a card: selected, pinned. */
  #marks({ windowId, pinned }: WindowRow) {
    const { active, ids } = this.store.selection
    const isSelected = ids.has(windowId)
    return html`
      ${active || ids.size ? html`<i class="tick ${isSelected ? 'on' : ''}">${isSelected ? icons.check : nothing}</i>` : nothing}
      ${isSelected ? html`<span class="visually-hidden">selected, </span>` : nothing}
      ${pinned ? html`<span class="card-pin" title="Pinned">${icons.pin}</span>` : nothing}`
  }

  #cardView({ agent, window }: Card): TemplateResult {
    const lines = this.#previews.lines(agent.paneId)
    return html`<article class="card agent-card ${agent.state}" data-agent=${agent.name} data-pane=${agent.paneId} data-window=${window.windowId}
      @click=${(event: MouseEvent) => this.#open(event, window)}>
      <header>
        <h4 class="cut">${this.#marks(window)}<a class="card-link" href=${placeOf(window)} title=${windowTitle(window)}>${windowTitle(window)}</a></h4>
        <span class="chip ${agent.state}">${stateText(agent.state, agent.stateSince, Date.now())}</span>
      </header>
      <p class="card-details quiet"><span>${agent.runtime}</span><span class="mono cut" title=${agent.workDir}>${shortPath(agent.workDir)}</span></p>
      ${
        agent.state === 'waiting'
          ? html`<answer-bar .agent=${agent}></answer-bar>`
          : html`<pre class="card-preview" role="group" aria-label="Last lines">${lines.join('\n')}</pre>`
      }
    </article>`
  }

  /** A tap anywhere on a card opens the window, except on its controls and on selected text. */
  #open({ target }: MouseEvent, window: WindowRow): void {
    if (target instanceof Element && target.closest('a, button')) return
    if (getSelection()?.isCollapsed === false) return
    this.act('go', { place: { view: 'terminal', key: addressOf(window), project: '' } })
  }

  #plainView(windows: readonly WindowRow[]): TemplateResult {
    return html`<section class="deck-group" aria-label="Other windows">
      <h3 class="deck-title">Other windows <span class="chip">${windows.length}</span></h3>
      <ul class="deck-plain">${repeat(
        windows,
        ({ windowId }) => windowId,
        (window) => html`<li>
        <a class="card plain-card" href=${placeOf(window)} data-window=${window.windowId} title=${windowTitle(window)}>
          <span class="cut">${this.#marks(window)}${windowTitle(window)}</span>
          <span class="quiet mono cut">${activePane(window)?.command} · ${shortPath(activePane(window)?.path ?? '')}</span>
        </a></li>`,
      )}</ul>
    </section>`
  }

  #emptyView(hasWindows: boolean): TemplateResult {
    return html`<section class="deck-none">
      <h3>No agents running</h3>
      <p class="quiet">Start one here, or in any window: type <code>claude</code>, <code>codex</code> or <code>gemini</code>.
        It appears here automatically, and you can answer its questions from this page.</p>
      <p class="deck-ways"><button type="button" class="button primary" @click=${() => this.act('start-agent')}>Start an agent</button>
        <button type="button" class="button" @click=${() => this.act('create-session')}>${hasWindows ? 'New session' : 'Start a session'}</button></p>
    </section>`
  }

  // --- last lines ---

  #updateVisible(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const card = target as HTMLElement // only cards are observed
      if (isIntersecting) this.#visible.add(card)
      else this.#visible.delete(card)
    }
    this.#loadPreviews()
  }

  #loadPreviews(): void {
    for (const card of this.#visible) {
      const { pane = '', window: windowId = '' } = card.dataset
      const window = this.store.windows.get(windowId)
      if (!card.isConnected) this.#visible.delete(card)
      else if (window) this.#previews.want(pane, window.activity)
    }
  }

  async #capture(pane: string, lines: number): Promise<string> {
    const path = `/panes/${part(pane.slice(1))}/capture?lines=${lines}`
    return (await this.services.api<CaptureOut>('GET', path)).text
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-deck': AgentDeck
  }
}

/** The id of the window of a card, or an empty string. */
function windowOf(target: Element): string {
  const card = target.closest('answer-bar') ? null : target.closest('[data-window]')
  return card instanceof HTMLElement ? (card.dataset['window'] ?? '') : ''
}

function placeOf(window: WindowRow): string {
  return format({ view: 'terminal', key: addressOf(window) })
}
