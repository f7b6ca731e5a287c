// To be built.
import { Live, html } from '../page/view.js'

class ChatScreen extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('chat-screen', ChatScreen)
