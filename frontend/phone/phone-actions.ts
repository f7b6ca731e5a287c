// Actions of the mobile layout.
import type { Action } from '../core/services'
import type { Store } from '../core/store'
import { canInstall, install } from '../shell/install'

const inTerminal = (store: Store) => store.place.view === 'terminal'

const reader: Action<{ shown?: boolean }> = {
  name: 'reader',
  title: (store) => (store.reader ? 'Show the terminal' : 'Reader: show the pane as text'),
  needs: inTerminal,
  run: ({ phone }, { shown }) => phone.showReader(shown),
}

export const actions: Action[] = [
  reader,
  {
    name: 'toggle-keys',
    title: 'Show or hide the key row',
    needs: inTerminal,
    run: ({ phone }) => phone.toggleKeys(),
  },
  { name: 'install', title: 'Install webtmux as an app', needs: canInstall, run: install },
]
