// Search in one window's chat: the field, and what was found. State in (`found`), events out:
// `search` {query}, `more`, `jump` {hit}, `leave`. It asks nobody itself.
import { View, html, live, nothing, repeat, states } from '../page/view.js'
import { marked, moment } from './chat-message.js'
import { asTyped, excerpt, pattern } from './highlights.js'

const PAUSE_MS = 200 // between two letters of one word

export class ChatSearch extends View {
  #timer = 0

  disconnectedCallback() { clearTimeout(this.#timer) }

  focus() { this.querySelector('input').focus() }

  view() {
    return html`
      <search class="chat-search">
        <input class="field" type="search" placeholder="Search this window" aria-label="Search in what was said here"
          maxlength="200" autocomplete="off" spellcheck="false"
          .value=${live(this.query)} @input=${this.#typed} @keydown=${this.#pressed}>
      </search>`
  }

  #typed = ({ target }) => {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.tell('search', { query: target.value }), PAUSE_MS)
  }

  #pressed = (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      this.tell('leave')
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault()
      this.tell('enter-hits')
    }
  }
}

export class ChatHits extends View {
  focus() { this.querySelector('.hit')?.focus() }

  view() {
    const { phase, items, hasMore, problem } = this.found
    const wanted = pattern(asTyped(this.query))
    return html`
      <section class="chat-hits" id="chat-hits" aria-label="What was found" @keydown=${this.#pressed}>
        <header>
          <p role="status">${this.#told(phase, items.length, hasMore, problem)}</p>
          <button class="button plain" @click=${() => this.tell('leave')}>Close</button>
        </header>
        <ol>
          ${repeat(items, ({ ts }) => ts, (hit) => html`
            <li><button class="hit" aria-current=${hit.ts === this.current ? 'true' : nothing} @click=${() => this.tell('jump', { hit })}>
              <span class="hit-head"><span class="chat-who ${hit.role}">${hit.role === 'user' ? 'Prompt' : 'Screen'}</span> ${moment(hit.ts)}</span>
              <span class="hit-text">${marked(excerpt(hit.text, wanted), wanted)}</span>
            </button></li>`)}
        </ol>
        ${hasMore ? html`<button class="button hit-more" ?disabled=${phase === 'loading'} @click=${() => this.tell('more')}>More</button>` : nothing}
      </section>`
  }

  #told(phase, count, hasMore, problem) {
    if (phase === 'failed') return problem
    if (phase === 'loading' && !count) return 'Searching…'
    if (!count) return 'Nothing was found. Words must be whole, unless you add *.'
    return `${count}${hasMore ? ' or more' : ''} found, newest first`
  }

  #pressed = (event) => {
    const hits = [...this.querySelectorAll('.hit')]
    const at = hits.indexOf(document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
    if (event.key === 'Escape') { event.stopPropagation(); return this.tell('leave') }
    if (to === undefined || at < 0) return
    event.preventDefault()
    if (to < 0) this.tell('leave-hits')
    else hits[to]?.focus()
  }
}

states(ChatSearch, { query: '' })
states(ChatHits, { query: '', found: { phase: 'idle', items: [], hasMore: false, problem: '' }, current: 0 })
customElements.define('chat-search', ChatSearch)
customElements.define('chat-hits', ChatHits)
