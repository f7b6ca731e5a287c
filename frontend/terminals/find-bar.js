// <find-bar>: search in one terminal, its history included. The addon comes when it is first opened.
import { View, html, states } from '../page/view.js'

// More are found, but neither counted nor marked: each mark is an element.
const MARKED = 1_000
const COLOURS = {
  matchBackground: '#5a4a12', matchOverviewRuler: '#f5c264',
  activeMatchBackground: '#a86400', activeMatchColorOverviewRuler: '#f5c264',
}
const LIGHT_COLOURS = { ...COLOURS, matchBackground: '#ffe7ad', activeMatchBackground: '#ffc04d' }

class FindBar extends View {
  #addons = new WeakMap() // terminal → SearchAddon
  #terminal = null

  connectedCallback() {
    super.connectedCallback()
    this.hidden = true
  }

  async open(terminal) {
    this.close()
    this.#terminal = terminal
    this.hidden = false
    this.found = null
    this.update()
    const addon = await this.#addon(terminal)
    const input = this.querySelector('input')
    input?.focus()
    input?.select()
    if (input?.value) addon.findPrevious(input.value, this.#options)
  }

  close() {
    if (this.hidden) return
    this.hidden = true
    this.#addons.get(this.#terminal)?.clearDecorations()
    this.#terminal?.focus()
    this.#terminal = null
  }

  view() {
    return html`
      <form role="search" @submit=${(event) => this.#submit(event)} @keydown=${(event) => this.#key(event)}>
        <input class="field" type="text" aria-label="Find in this terminal" placeholder="Find" autocomplete="off"
          spellcheck="false" @input=${() => this.#find('findPrevious', true)}>
        <output class="mono quiet" aria-live="polite">${this.#count()}</output>
        <button class="button plain icon" type="button" aria-label="Previous match" title="Previous (Shift+Enter)"
          @click=${() => this.#find('findPrevious')}>↑</button>
        <button class="button plain icon" type="button" aria-label="Next match" title="Next (Enter)"
          @click=${() => this.#find('findNext')}>↓</button>
        <button class="button plain icon" type="button" aria-label="Close search" title="Close (Esc)"
          @click=${() => this.close()}>✕</button>
      </form>`
  }

  #count() {
    if (!this.found || !this.querySelector('input')?.value) return ''
    const { resultIndex, resultCount } = this.found
    if (resultCount === 0) return 'none'
    if (resultCount >= MARKED) return `${MARKED}+`
    return `${resultIndex + 1} of ${resultCount}`
  }

  get #options() { return { decorations: this.dark ? COLOURS : LIGHT_COLOURS } }

  #submit(event) {
    event.preventDefault()
    this.#find('findNext')
  }

  #key(event) {
    if (event.key === 'Escape') this.close()
    else if (event.key === 'Enter' && event.shiftKey) this.#find('findPrevious')
    else return
    event.preventDefault()
  }

  #find(verb, incremental = false) {
    const addon = this.#addons.get(this.#terminal)
    const { value } = this.querySelector('input')
    if (!addon) return
    if (value) addon[verb](value, { ...this.#options, incremental })
    else addon.clearDecorations()
    this.update()
  }

  async #addon(terminal) {
    if (!this.#addons.has(terminal)) {
      const { SearchAddon } = await import('../lib/xterm/addon-search.mjs')
      const addon = new SearchAddon({ highlightLimit: MARKED })
      addon.onDidChangeResults((found) => { this.found = found })
      terminal.use(addon)
      this.#addons.set(terminal, addon)
    }
    return this.#addons.get(terminal)
  }
}

states(FindBar, { found: null, dark: true })
customElements.define('find-bar', FindBar)
