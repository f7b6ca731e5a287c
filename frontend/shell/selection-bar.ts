// <selection-bar>: how many windows are selected, and what can be done with them. In the sidebar, and in
// the deck where there is no sidebar.
import type { Part } from '../core/store'
import { customElement, html, Live, nothing } from '../core/view'
import { selectedWindows } from './window-actions'
import { NO_SELECTION } from '../core/selection'

@customElement('selection-bar')
export class SelectionBar extends Live {
  static override parts: readonly Part[] = ['selection', 'windows', 'agents']

  override render() {
    const { store } = this
    if (store.selection === NO_SELECTION) return nothing
    const windows = selectedWindows(store)
    const count = windows.length
    const agents = windows.reduce((sum, window) => sum + window.agents.length, 0)
    return html`
      <section class="selection" aria-label="Selected windows">
        <p role="status"><b>${count ? `${count} selected` : 'Select windows'}</b>
          ${count ? html`<span class="quiet">${agents === 1 ? '1 agent' : `${agents} agents`}</span>` : nothing}</p>
        <button class="button plain" @click=${() => this.act('clear-selection')}>Done</button>
        <button class="button primary" ?disabled=${agents === 0} @click=${() => this.act('prompt-selected')}>Prompt…</button>
        <button class="button danger" ?disabled=${count === 0} @click=${() => this.act('kill-selected')}>Close…</button>
      </section>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'selection-bar': SelectionBar
  }
}
