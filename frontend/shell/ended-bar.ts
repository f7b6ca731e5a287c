// <ended-bar>: says how the program of a pane ended, and offers to run it again or to close the pane. A pane
// without a program exists only if tmux was set to keep it (terminals/windows/launch.py).
import type { ShownPaneOut } from '../core/generated/socket'
import { customElement, html, property, type TemplateResult, View } from '../core/view'
import type { WindowRow } from '../core/workspace'
import { endedText } from './ended-text'

@customElement('ended-bar')
export class EndedBar extends View {
  @property({ attribute: false }) window!: WindowRow
  @property({ attribute: false }) pane!: ShownPaneOut

  override render(): TemplateResult {
    const { window, pane } = this
    return html`
      <div class="ended" role="status">
        <span class="chip ${pane.deadStatus || pane.deadSignal ? 'bad' : ''}">${endedText(pane)}</span>
        <button class="button" @click=${() => this.act('restart-pane', { pane })}>Run again</button>
        <button class="button" @click=${() => this.act('close-ended-pane', { window, pane })}>Close</button>
      </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'ended-bar': EndedBar
  }
}
