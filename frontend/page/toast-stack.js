// Short messages with a way out.
import { Live, html } from './view.js'

class ToastStack extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('toast-stack', ToastStack)
