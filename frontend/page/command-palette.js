// Every action and window by name.
import { Live, html } from './view.js'

class CommandPalette extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('command-palette', CommandPalette)
