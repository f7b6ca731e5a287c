// To be built.
import { Live, html } from '../page/view.js'

class NotesScreen extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('notes-screen', NotesScreen)
