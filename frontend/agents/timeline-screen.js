// To be built.
import { Live, html } from '../page/view.js'

class TimelineScreen extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('timeline-screen', TimelineScreen)
