// Every action, window, agent, project and view by a few letters of its name: Ctrl/⌘+K.
// A combobox over a list; what is chosen is told as the action it stands for.
import { actions } from './actions.js'
import { pieces, rank } from './fuzzy.js'
import { icons } from './icons.js'
import { isMac, nameOf, readable } from './keys.js'
import { load, save } from './memory.js'
import { items, recentFirst, remembered } from './palette-items.js'
import { Live, html, live, nothing, repeat, states } from './view.js'

const SHOWN = 50
const ICONS = { Window: icons.pane, Agent: icons.agent, Action: icons.action, Project: icons.board, View: icons.board }

class CommandPalette extends Live {
  static parts = ['windows', 'facts', 'agents', 'place']

  open() {
    const dialog = this.querySelector('dialog')
    if (dialog.open) return dialog.close()
    this.query = ''
    this.at = 0
    this.isOpen = true
    dialog.showModal()
  }

  /** `close` is told a task later: it may be open again by then. */
  #closed = ({ target }) => { this.isOpen = target.open }

  view() {
    const found = this.isOpen ? this.#found() : []
    const at = Math.min(this.at, found.length - 1)
    return html`
      <dialog class="palette" aria-label="Command palette"
        @close=${this.#closed} @click=${this.#clickBeside} @keydown=${(event) => this.#key(event, found, at)}>
        <div class="palette-field">
          ${icons.search}
          <input type="text" role="combobox" aria-label="Search actions, windows and agents" autofocus
            aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autocomplete="off" spellcheck="false"
            aria-activedescendant=${found.length ? `palette-${at}` : nothing} placeholder="Search actions, windows, agents …"
            .value=${live(this.query)} @input=${(event) => { this.query = event.target.value; this.at = 0 }}>
          <kbd>Esc</kbd>
        </div>
        <ul id="palette-list" role="listbox" aria-label="Found" ?hidden=${found.length === 0}>
          ${repeat(found, (item) => item.id, (item, number) => this.#row(item, number, number === at))}
        </ul>
        ${found.length ? nothing : html`<p class="palette-none quiet" role="status">Nothing is called “${this.query}”.</p>`}
      </dialog>`
  }

  paint() {
    super.paint()
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }

  #found() {
    const offered = recentFirst(items(this.store, [...actions.values()]), load('recent', []))
    return rank(this.query, offered).slice(0, SHOWN)
  }

  #row(item, number, selected) {
    return html`
      <li id="palette-${number}" role="option" aria-selected=${selected} class="palette-row"
        @click=${() => this.#choose(item)} @pointermove=${() => { this.at = number }}>
        ${ICONS[item.kind]}
        <span class="cut">${pieces(item.title, item.places).map(({ text, hit }) => (hit ? html`<mark>${text}</mark>` : text))}</span>
        <span class="palette-detail quiet cut">${item.detail}</span>
        ${item.keys ? html`<span class="key-hint">${readable(item.keys, isMac()).map((key) => html`<kbd>${key}</kbd>`)}</span>` : nothing}
        <span class="palette-kind quiet">${item.kind}</span>
      </li>`
  }

  #key(event, found, at) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step) this.at = within(at + step, found.length, Math.abs(step) === 1)
    else if (event.key === 'Enter' && !event.isComposing) this.#choose(found[at])
    else if (nameOf(event) === 'Mod+K') this.querySelector('dialog').close()
    else return
    event.preventDefault()
  }

  #choose(item) {
    if (!item) return
    save('recent', remembered(load('recent', []), item.id))
    this.querySelector('dialog').close() // gives the focus back, before the action may take it
    this.tell('action', item.act)
  }

  #clickBeside(event) { if (event.target === event.currentTarget) event.currentTarget.close() }
}

/** Single steps go round, pages stop at the ends. */
function within(at, length, round) {
  if (round) return length ? (at + length) % length : 0
  return Math.max(0, Math.min(at, length - 1))
}

states(CommandPalette, { isOpen: false, query: '', at: 0 })
customElements.define('command-palette', CommandPalette)
