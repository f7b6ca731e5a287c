// Which notice replaces the terminals or the deck: still loading, no session, or the window of the
// address has ended. Pure.
import type { ViewName } from '../core/router'
import type { Store } from '../core/store'
import { currentWindow } from '../core/workspace'

export type Notice = 'loading' | 'empty' | 'gone' | ''

// The others show stored data and work without tmux.
const LIVE_VIEWS: readonly ViewName[] = ['home', 'terminal']

/** An empty string if there is nothing to say. */
export function notice(store: Store): Notice {
  if (!LIVE_VIEWS.includes(store.place.view)) return ''
  // Also before the keys of windows are known: a terminal that is hidden by a notice cannot get the focus.
  if (store.place.view === 'terminal' && currentWindow(store)) return ''
  if (!store.ready) return 'loading'
  if (store.windows.size === 0) return 'empty'
  if (store.place.view === 'home') return ''
  // Windows arrive before their keys: until then it is unknown whether this one exists.
  return store.savedWindows.size === 0 ? 'loading' : 'gone'
}
