// Search in the chat of one window: the field and the results. State in (`results`), events out:
// `search` {query}, `more`, `jump` {hit}, `leave`. Sends no requests itself.
import { customElement, html, live, nothing, property, repeat, type TemplateResult, View } from '../core/view'
import { NO_RESULTS, type Results } from './chat-lookup'
import { highlight, timeElement } from './chat-message'
import { asTyped, excerpt, pattern } from './highlights'

const PAUSE_MS = 200 // after the last key press

@customElement('chat-search')
export class ChatSearch extends View {
  @property({ attribute: false }) query = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  override focus(): void {
    this.querySelector('input')?.focus()
  }

  override render(): TemplateResult {
    return html`
      <search class="chat-search">
        <input class="field" type="search" placeholder="Search chat" aria-label="Search chat"
          maxlength="200" autocomplete="off" spellcheck="false"
          .value=${live(this.query)} @input=${this.#onInput} @keydown=${this.#onKeydown}>
      </search>`
  }

  #onInput = ({ target }: Event) => {
    clearTimeout(this.#timer)
    const input = target as HTMLInputElement // the listener is on the input
    this.#timer = setTimeout(() => this.emit('search', { query: input.value }), PAUSE_MS)
  }

  #onKeydown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      this.emit('leave')
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault()
      this.emit('enter-hits')
    }
  }
}

@customElement('chat-hits')
export class ChatHits extends View {
  @property({ attribute: false }) query = ''
  @property({ attribute: false }) results: Results = NO_RESULTS
  /** The timestamp of the result that was opened. */
  @property({ attribute: false }) current = 0

  override focus(): void {
    this.querySelector<HTMLElement>('.hit')?.focus()
  }

  override render(): TemplateResult {
    const { phase, items, hasMore } = this.results
    const searched = pattern(asTyped(this.query))
    return html`
      <section class="chat-hits" id="chat-hits" aria-label="Search results" @keydown=${this.#onKeydown}>
        <header>
          <p role="status">${statusText(this.results)}</p>
          <button class="button plain" @click=${() => this.emit('leave')}>Close</button>
        </header>
        <ol>
          ${repeat(
            items,
            ({ ts }) => ts,
            (hit) => html`
            <li><button class="hit" aria-current=${hit.ts === this.current ? 'true' : nothing} @click=${() => this.emit('jump', { hit })}>
              <span class="hit-head"><span class="chat-who ${hit.role}">${hit.role === 'user' ? 'Prompt' : hit.source === 'journal' ? 'Reply' : 'Screen'}</span> ${timeElement(hit.ts)}</span>
              <span class="hit-text">${highlight(excerpt(hit.text, searched), searched)}</span>
            </button></li>`,
          )}
        </ol>
        ${hasMore ? html`<button class="button hit-more" ?disabled=${phase === 'loading'} @click=${() => this.emit('more')}>More</button>` : nothing}
      </section>`
  }

  #onKeydown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      return this.emit('leave')
    }
    const hits = [...this.querySelectorAll<HTMLElement>('.hit')]
    const focused = document.activeElement
    const index = focused instanceof HTMLElement ? hits.indexOf(focused) : -1
    if (index < 0 || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
    event.preventDefault()
    const next = event.key === 'ArrowDown' ? index + 1 : index - 1
    if (next < 0) this.emit('leave-hits')
    else hits[next]?.focus()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'chat-search': ChatSearch
    'chat-hits': ChatHits
  }
}

function statusText({ phase, items: { length: count }, hasMore, problem }: Results): string {
  if (phase === 'failed') return problem
  if (phase === 'loading' && !count) return 'Searching…'
  if (!count) return 'No results. Use whole words, or add * to match word beginnings.'
  return `${count}${hasMore ? '+' : ''} ${count === 1 ? 'result' : 'results'}, newest first`
}
