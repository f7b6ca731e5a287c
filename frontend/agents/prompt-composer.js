// Where prompts are written, sent and receipted.
import { Live, html } from '../page/view.js'

class PromptComposer extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('prompt-composer', PromptComposer)
