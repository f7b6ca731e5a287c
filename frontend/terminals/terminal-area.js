// The window's panes as terminals.
import { Live, html } from '../page/view.js'

class TerminalArea extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('terminal-area', TerminalArea)
