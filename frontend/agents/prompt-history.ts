// <prompt-history .entries>: a searchable list of earlier prompts. Emits `pick` with the text, and
// `close`. The entries are stored by deliveries.ts.
import {
  customElement,
  html,
  nothing,
  type PropertyValues,
  property,
  repeat,
  state,
  type TemplateResult,
  View,
} from '../core/view'
import { type Entry, search } from './history'
import { ago } from './words'

const RESULT_LIMIT = 50 // a longer query finds the others
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

@customElement('prompt-history')
export class PromptHistory extends View {
  @property({ attribute: false }) entries: readonly Entry[] = []
  @property({ attribute: false }) address = ''
  @state() private searched = ''
  @state() private index = 0

  protected override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed)
    this.querySelector('input')?.focus()
  }

  override render(): TemplateResult {
    const shown = this.#shown()
    return html`
      <div class="history-head">
        <input class="field" type="search" placeholder="Search earlier prompts" aria-label="Search earlier prompts"
          role="combobox" aria-expanded="true" aria-controls="history-list" autocomplete="off"
          aria-activedescendant=${shown.length ? `history-${this.index}` : nothing}
          @input=${this.#onInput} @keydown=${(event: KeyboardEvent) => this.#onKey(event, shown)}>
        <button type="button" class="button plain" @click=${() => this.emit('close')}>Close</button>
      </div>
      <ul id="history-list" role="listbox" aria-label="Earlier prompts">
        ${repeat(
          shown,
          ({ text }) => text,
          (entry, index) => this.#entry(entry, index),
        )}
      </ul>
      ${shown.length ? nothing : html`<p class="quiet history-none">${this.entries.length ? 'No matching prompts.' : 'Prompts you send are saved here, in this browser.'}</p>`}`
  }

  #entry({ text, at: sentAt, address }: Entry, index: number): TemplateResult {
    return html`<li id=${`history-${index}`} role="option" aria-selected=${index === this.index ? 'true' : 'false'}
      @click=${() => this.emit('pick', { text })}>
      <span class="history-text">${text}</span>
      <span class="quiet history-when">${address === this.address ? '' : 'another window · '}${ago(Date.now() - sentAt)}</span>
    </li>`
  }

  #shown(): Entry[] {
    return search(this.entries, this.searched).slice(0, RESULT_LIMIT)
  }

  #onInput = ({ target }: Event) => {
    this.searched = (target as HTMLInputElement).value // the listener is on the input
    this.index = 0
  }

  #onKey(event: KeyboardEvent, shown: readonly Entry[]): void {
    const step = STEPS[event.key]
    const picked = shown[this.index]
    if (step) {
      this.index = Math.min(Math.max(this.index + step, 0), Math.max(shown.length - 1, 0))
      void this.#showSelected()
    } else if (event.key === 'Enter' && picked) this.emit('pick', { text: picked.text })
    else if (event.key === 'Escape') this.emit('close')
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  async #showSelected(): Promise<void> {
    await this.updateComplete
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'prompt-history': PromptHistory
  }
}
