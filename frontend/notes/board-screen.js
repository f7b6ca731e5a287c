// To be built.
import { Live, html } from '../page/view.js'

class BoardScreen extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('board-screen', BoardScreen)
