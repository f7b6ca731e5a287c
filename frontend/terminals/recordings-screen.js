// To be built.
import { Live, html } from '../page/view.js'

class RecordingsScreen extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('recordings-screen', RecordingsScreen)
