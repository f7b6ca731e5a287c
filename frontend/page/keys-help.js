// The keys, by what they do: read from the table of actions. Opened by `?`.
import { actions } from './actions.js'
import { icons } from './icons.js'
import { isMac, readable } from './keys.js'
import { Live, html, states } from './view.js'

// What elements do with keys of their own.
const OTHERS = [
  ['↑+↓', 'Rail: move'], ['←+→', 'Rail: fold and unfold a project'], ['Enter', 'Rail: open'],
  ['Delete', 'Rail: end the window'], ['Shift+F10', 'Rail: menu of the row'],
]

class KeysHelp extends Live {
  open() {
    this.isOpen = true
    this.querySelector('dialog').showModal()
  }

  view() {
    return html`
      <dialog class="keys-dialog" aria-labelledby="keys-title" @close=${() => { this.isOpen = false }}
        @click=${(event) => { if (event.target === event.currentTarget) event.currentTarget.close() }}>
        ${this.isOpen ? this.#body() : ''}
      </dialog>`
  }

  #body() {
    const named = [...actions.values()].filter((action) => action.keys)
    const rows = [...named.map((action) => [action.keys, this.#title(action)]), ...OTHERS]
    return html`
      <header class="dialog-head">
        <h2 id="keys-title">Keyboard</h2>
        <button class="button plain icon" aria-label="Close" @click=${() => this.querySelector('dialog').close()}>${icons.close}</button>
      </header>
      <p class="quiet">A terminal or a field that has the focus gets every key itself, but for ${this.#keys('Mod+K')}.</p>
      <table>
        <thead class="visually-hidden"><tr><th scope="col">Key</th><th scope="col">What it does</th></tr></thead>
        <tbody>${rows.map(([keys, title]) => html`<tr><td>${this.#keys(keys)}</td><td>${title}</td></tr>`)}</tbody>
      </table>`
  }

  #title({ title }) { return typeof title === 'function' ? title(this.store) : title }

  #keys(keys) { return html`<span class="key-hint">${readable(keys, isMac()).map((key) => html`<kbd>${key}</kbd>`)}</span>` }
}

states(KeysHelp, { isOpen: false })
customElements.define('keys-help', KeysHelp)
