// <find-bar>: searches one terminal, including its scrollback. The addon is loaded when first opened.
import type { ISearchOptions, ISearchResultChangeEvent, SearchAddon } from '@xterm/addon-search'
import { customElement, html, property, state, type TemplateResult, View } from '../core/view'
import type { TmuxAdapterWeb } from './tmux-adapter-web'

type Direction = 'findPrevious' | 'findNext'

// Further matches are found but neither counted nor highlighted: each highlight is an element.
const HIGHLIGHT_LIMIT = 1_000
const COLOURS = {
  matchBackground: '#5a4a12',
  matchOverviewRuler: '#f5c264',
  activeMatchBackground: '#a86400',
  activeMatchColorOverviewRuler: '#f5c264',
}
const LIGHT_COLOURS = { ...COLOURS, matchBackground: '#ffe7ad', activeMatchBackground: '#ffc04d' }

@customElement('find-bar')
export class FindBar extends View {
  @property({ attribute: false }) dark = true
  @state() private results: ISearchResultChangeEvent | null = null
  @state() private text = ''
  #addons = new WeakMap<TmuxAdapterWeb, SearchAddon>()
  #terminal: TmuxAdapterWeb | null = null

  override connectedCallback(): void {
    super.connectedCallback()
    this.hidden = true
  }

  async open(terminal: TmuxAdapterWeb): Promise<void> {
    this.close()
    this.#terminal = terminal
    this.hidden = false
    this.results = null
    const addon = await this.#addon(terminal)
    await this.updateComplete
    const input = this.querySelector('input')
    input?.focus()
    input?.select()
    if (this.text) addon.findPrevious(this.text, this.#options)
  }

  close(): void {
    if (this.hidden) return
    this.hidden = true
    this.#currentAddon?.clearDecorations()
    this.#terminal?.focus()
    this.#terminal = null
  }

  override render(): TemplateResult {
    return html`
      <form role="search" @submit=${this.#submit} @keydown=${this.#key}>
        <input class="field" type="text" aria-label="Find in terminal" placeholder="Find" autocomplete="off"
          spellcheck="false" @input=${this.#input}>
        <output class="mono quiet" aria-live="polite">${this.#count()}</output>
        <button class="button plain icon" type="button" aria-label="Previous match" title="Previous (Shift+Enter)"
          @click=${() => this.#find('findPrevious')}>↑</button>
        <button class="button plain icon" type="button" aria-label="Next match" title="Next (Enter)"
          @click=${() => this.#find('findNext')}>↓</button>
        <button class="button plain icon" type="button" aria-label="Close search" title="Close (Esc)"
          @click=${() => this.close()}>✕</button>
      </form>`
  }

  #count(): string {
    if (!this.results || !this.text) return ''
    const { resultIndex, resultCount } = this.results
    if (resultCount === 0) return 'No results'
    if (resultCount >= HIGHLIGHT_LIMIT) return `${HIGHLIGHT_LIMIT}+`
    return `${resultIndex + 1} of ${resultCount}`
  }

  get #options(): ISearchOptions {
    return { decorations: this.dark ? COLOURS : LIGHT_COLOURS }
  }

  get #currentAddon(): SearchAddon | undefined {
    return this.#terminal ? this.#addons.get(this.#terminal) : undefined
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault()
    this.#find('findNext')
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close()
    else if (event.key === 'Enter' && event.shiftKey) this.#find('findPrevious')
    else return
    event.preventDefault()
  }

  #input(event: InputEvent & { currentTarget: HTMLInputElement }): void {
    this.text = event.currentTarget.value
    this.#find('findPrevious', true)
  }

  #find(direction: Direction, incremental = false): void {
    const addon = this.#currentAddon
    if (!addon) return
    if (this.text) addon[direction](this.text, { ...this.#options, incremental })
    else addon.clearDecorations()
  }

  async #addon(terminal: TmuxAdapterWeb): Promise<SearchAddon> {
    const known = this.#addons.get(terminal)
    if (known) return known
    const { SearchAddon } = await import('@xterm/addon-search')
    const addon = new SearchAddon({ highlightLimit: HIGHLIGHT_LIMIT })
    addon.onDidChangeResults((results) => {
      this.results = results
    })
    terminal.use(addon)
    this.#addons.set(terminal, addon)
    return addon
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'find-bar': FindBar
  }
}
