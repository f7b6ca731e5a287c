// <prompt-history .entries>: earlier prompts in a list that can be searched. Tells `pick` with the text,
// and `close`. Where they are kept is history.js.
import { View, html, nothing, repeat, states } from '../page/view.js'
import { found } from './history.js'
import { ago } from './words.js'

const SHOWN = 50 // of those that fit; more words find the others

export class PromptHistory extends View {
  #words = ''
  #at = 0

  connectedCallback() {
    super.connectedCallback()
    queueMicrotask(() => this.querySelector('input')?.focus())
  }

  view() {
    const shown = this.#shown()
    return html`
      <div class="history-head">
        <input class="field" type="search" placeholder="Search earlier prompts" aria-label="Search earlier prompts"
          role="combobox" aria-expanded="true" aria-controls="history-list" autocomplete="off"
          aria-activedescendant=${shown.length ? `history-${this.#at}` : nothing}
          @input=${({ target }) => this.#search(target.value)} @keydown=${(event) => this.#key(event, shown)}>
        <button type="button" class="button plain" @click=${() => this.tell('close')}>Close</button>
      </div>
      <ul id="history-list" role="listbox" aria-label="Earlier prompts">
        ${repeat(shown, ({ text }) => text, (entry, at) => this.#entry(entry, at))}
      </ul>
      ${shown.length ? nothing : html`<p class="quiet history-none">${this.entries.length ? 'No prompt has these words.' : 'Prompts that you send are kept here, in this browser.'}</p>`}`
  }

  #entry({ text, at: sent, address }, at) {
    return html`<li id=${`history-${at}`} role="option" aria-selected=${at === this.#at ? 'true' : 'false'}
      @click=${() => this.tell('pick', { text })}>
      <span class="history-text">${text}</span>
      <span class="quiet history-when">${address === this.address ? '' : 'another window · '}${ago(Date.now() - sent)}</span>
    </li>`
  }

  #shown() { return found(this.entries, this.#words).slice(0, SHOWN) }

  #search(words) {
    this.#words = words
    this.#at = 0
    this.update()
  }

  #key(event, shown) {
    const steps = { ArrowDown: 1, ArrowUp: -1 }
    if (event.key in steps) {
      this.#at = Math.min(Math.max(this.#at + steps[event.key], 0), Math.max(shown.length - 1, 0))
      this.update()
      queueMicrotask(() => this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }))
    } else if (event.key === 'Enter' && shown[this.#at]) this.tell('pick', { text: shown[this.#at].text })
    else if (event.key === 'Escape') this.tell('close')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

states(PromptHistory, { entries: [], address: '' })
customElements.define('prompt-history', PromptHistory)
