// The head of the stage: what is looked at, its views, its state.
import { Live, html } from './view.js'

class PlaceBar extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('place-bar', PlaceBar)
