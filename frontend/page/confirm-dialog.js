// Asks before something ends, and for names.
import { Live, html } from './view.js'

class ConfirmDialog extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('confirm-dialog', ConfirmDialog)
