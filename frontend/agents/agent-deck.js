// Home: a card for every agent, those that wait first.
import { Live, html } from '../page/view.js'

class AgentDeck extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('agent-deck', AgentDeck)
