// What a person can do with the page in the hand.
import { canInstall, install } from './install.js'

const inTerminal = (store) => store.place.view === 'terminal'

export const actions = [
  { name: 'reader', title: 'Reader: the pane as text', needs: inTerminal, run: ({ phone }) => phone.toggleReader() },
  { name: 'toggle-keys', title: 'Show or hide the key row', needs: inTerminal, run: ({ phone }) => phone.toggleKeys() },
  { name: 'install', title: 'Install webtmux as an app', needs: canInstall, run: install },
]
