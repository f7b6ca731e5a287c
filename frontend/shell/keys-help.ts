// The list of keyboard shortcuts, read from the table of actions. Opened by `?`.
import { icons } from '../core/icons'
import { isMac, readable } from '../core/keys'
import { customElement, html, Live, state, type TemplateResult } from '../core/view'
import { actions } from './actions'
import { titleText } from './palette-items'

type Row = [keys: string, title: string]

// Keys that elements handle themselves.
const OTHERS: Row[] = [
  ['↑+↓', 'Sidebar: move'],
  ['←+→', 'Sidebar: collapse or expand a project'],
  ['Enter', 'Sidebar: open'],
  ['Delete', 'Sidebar: close the window'],
  ['Shift+F10', 'Sidebar: open the menu'],
]

@customElement('keys-help')
export class KeysHelp extends Live {
  @state() private isOpen = false

  open(): void {
    this.isOpen = true
    this.#dialog?.showModal()
  }

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog')
  }

  override render(): TemplateResult {
    return html`
      <dialog class="keys-dialog" aria-labelledby="keys-title" @close=${this.#closed} @click=${this.#clickOutside}>
        ${this.isOpen ? this.#body() : ''}
      </dialog>`
  }

  #body(): TemplateResult {
    const withKeys = [...actions.values()].flatMap((action): Row[] =>
      action.keys ? [[action.keys, titleText(action, this.store)]] : [],
    )
    return html`
      <header class="dialog-head">
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <button class="button plain icon" aria-label="Close" @click=${() => this.#dialog?.close()}>${icons.close}</button>
      </header>
      <p class="quiet">A focused terminal or text field receives all keys except ${this.#keys('Mod+K')}.</p>
      <table>
        <thead class="visually-hidden"><tr><th scope="col">Key</th><th scope="col">Action</th></tr></thead>
        <tbody>${[...withKeys, ...OTHERS].map(([keys, title]) => html`<tr><td>${this.#keys(keys)}</td><td>${title}</td></tr>`)}</tbody>
      </table>`
  }

  #keys(keys: string): TemplateResult {
    return html`<span class="key-hint">${readable(keys, isMac()).map((key) => html`<kbd>${key}</kbd>`)}</span>`
  }

  #closed = (): void => {
    this.isOpen = false
  }

  #clickOutside = (event: MouseEvent): void => {
    if (event.target === event.currentTarget) this.#dialog?.close()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'keys-help': KeysHelp
  }
}
