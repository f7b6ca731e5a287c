// Projects, windows and panes.
import { Live, html } from '../page/view.js'

class WorkspaceRail extends Live {
  static parts = ['windows', 'agents', 'place']

  view() { return html`` }
}

customElements.define('workspace-rail', WorkspaceRail)
