// The keys, by what they do.
import { Live, html } from './view.js'

class KeysHelp extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('keys-help', KeysHelp)
