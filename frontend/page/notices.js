// What stands on the stage in place of terminals or the deck: nothing is known yet, nothing is
// there, or the window of the address has ended. Pure.
import { currentWindow } from './workspace.js'

const LIVE_VIEWS = ['home', 'terminal'] // the others show what is kept, with or without tmux

/** `loading`, `empty`, `gone`, or nothing. */
export function notice(store) {
  if (!LIVE_VIEWS.includes(store.place.view)) return ''
  if (!store.ready) return 'loading'
  if (store.windows.size === 0) return 'empty'
  if (store.place.view === 'home' || currentWindow(store)) return ''
  // Windows are told before their keys are: until then nobody knows whether this one is there.
  return store.facts.size === 0 ? 'loading' : 'gone'
}
