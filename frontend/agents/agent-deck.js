// <agent-deck>: home. A card for every agent, those that wait first and with their answers, then the
// windows without one. A tap opens the window. Reads the last words of the cards that are in sight.
import './answer-bar.js'

import { part } from '../page/api.js'
import { format } from '../page/router.js'
import { Live, html, nothing, repeat } from '../page/view.js'
import { activePane, addressOf, windowTitle } from '../page/workspace.js'
import { shortPath } from '../terminals/rail-rows.js'
import { Since, deckOf } from './deck.js'
import { Previews } from './previews.js'
import { counted, stateWords } from './words.js'

const TICK_MS = 10_000 // "since" is told in minutes

class AgentDeck extends Live {
  static parts = ['windows', 'agents', 'facts', 'projects', 'place', 'problem']

  services = null
  #since = new Since()
  #previews = new Previews((pane, lines) => this.#capture(pane, lines))
  #inSight = new Map() // card → pane
  #observer = null
  #timer = 0
  #hear = () => this.update()

  connectedCallback() {
    this.#observer ??= new IntersectionObserver((seen) => this.#see(seen))
    this.#previews.addEventListener('change', this.#hear)
    clearInterval(this.#timer)
    this.#timer = setInterval(() => { if (!this.hidden && !document.hidden) this.update() }, TICK_MS)
    super.connectedCallback()
  }

  disconnectedCallback() {
    clearInterval(this.#timer)
    this.#observer.disconnect()
    this.#inSight.clear()
    this.#previews.stop()
    super.disconnectedCallback()
  }

  paint() {
    this.#since.note(deckOf(this.store).groups.flatMap(({ cards }) => cards), Date.now())
    if (this.hidden) return
    super.paint()
    for (const card of this.querySelectorAll('[data-pane]')) this.#observer.observe(card) // again is once
    this.#read()
  }

  view() {
    if (!this.store.ready) return html`<p class="deck-none quiet" role="status">Looking at tmux…</p>`
    const { groups, plain, counts } = deckOf(this.store)
    return html`<div class="deck">
      <header class="deck-head">
        <h2 class="visually-hidden">Agents</h2>
        <p class="deck-counts" role="status">${counted(counts)}</p>
      </header>
      ${groups.length ? nothing : this.#emptyView(plain.length)}
      ${groups.map(({ title, cards }) => html`<section class="deck-group" aria-label=${title}>
        <h3 class="deck-title">${title} <span class="chip">${cards.length}</span></h3>
        <div class="deck-cards">${repeat(cards, ({ agent }) => agent.name, (card) => this.#cardView(card))}</div>
      </section>`)}
      ${plain.length ? this.#plainView(plain) : nothing}
    </div>`
  }

  #cardView({ agent, window }) {
    const since = this.#since.of(agent.name)
    const lines = this.#previews.lines(agent.paneId)
    return html`<article class="card agent-card ${agent.state}" data-agent=${agent.name} data-pane=${agent.paneId} data-window=${window.windowId}>
      <header>
        <h4 class="cut"><a class="card-link" href=${placeOf(window)}>${windowTitle(window)}</a></h4>
        <span class="chip ${agent.state}">${stateWords(agent.state, since, Date.now())}</span>
      </header>
      <p class="card-facts quiet"><span>${agent.runtime}</span><span class="mono cut" title=${agent.workDir}>${shortPath(agent.workDir)}</span></p>
      ${agent.state === 'waiting'
        ? html`<answer-bar .agent=${agent}></answer-bar>`
        : html`<pre class="card-words" aria-label="Last lines">${lines.join('\n')}</pre>`}
    </article>`
  }

  #plainView(windows) {
    return html`<section class="deck-group" aria-label="Other windows">
      <h3 class="deck-title">Other windows <span class="chip">${windows.length}</span></h3>
      <ul class="deck-plain">${repeat(windows, ({ windowId }) => windowId, (window) => html`<li>
        <a class="card plain-card" href=${placeOf(window)}>
          <span class="cut">${windowTitle(window)}</span>
          <span class="quiet mono cut">${activePane(window)?.command} · ${shortPath(activePane(window)?.path ?? '')}</span>
        </a></li>`)}</ul>
    </section>`
  }

  #emptyView(hasWindows) {
    return html`<section class="deck-none">
      <h3>No agent runs yet</h3>
      <p class="quiet">Start one in any window, as you always do: type <code>claude</code>, <code>codex</code> or <code>gemini</code>.
        It appears here by itself, and when it asks something you answer from this page.</p>
      <p><button type="button" class="button primary" @click=${() => this.act('create-session')}>${hasWindows ? 'New session' : 'Make the first session'}</button></p>
    </section>`
  }

  // --- last words ---

  #see(seen) {
    for (const { target, isIntersecting } of seen) {
      if (isIntersecting) this.#inSight.set(target, target.dataset.pane)
      else this.#inSight.delete(target)
    }
    this.#read()
  }

  #read() {
    for (const card of this.#inSight.keys()) {
      const window = this.store.windows.get(card.dataset.window)
      if (!card.isConnected) this.#inSight.delete(card)
      else if (window && this.services) this.#previews.want(card.dataset.pane, window.activity)
    }
  }

  async #capture(pane, lines) {
    return (await this.services.api('GET', `/panes/${part(pane.slice(1))}/capture?lines=${lines}`)).text
  }
}

customElements.define('agent-deck', AgentDeck)

function placeOf(window) { return format({ view: 'terminal', key: addressOf(window) }) }
