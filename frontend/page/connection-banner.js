// Says that the server or tmux is away.
import { Live, html } from './view.js'

class ConnectionBanner extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('connection-banner', ConnectionBanner)
