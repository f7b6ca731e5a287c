// Where a page without an address begins: at the window that was looked at last, or the newest one
// of tmux. A phone begins with the deck. Pure but for `land`.
import { load } from './memory.js'
import { format } from './router.js'
import { addressOf, allWindows } from './workspace.js'

/** The address of a window, or nothing where there is none. */
export function landing(store, last) {
  const windows = allWindows(store)
  const known = windows.find((window) => window.key === last)
  const newest = [...windows].sort((one, other) => other.active - one.active || other.activity - one.activity)[0]
  const window = known ?? newest
  return window ? format({ view: 'terminal', key: addressOf(window) }) : ''
}

/** Once, when the windows and their keys are known; not where the person has gone on meanwhile. */
export function land(store) {
  if (location.hash || matchMedia('(max-width: 700px)').matches) return
  const look = () => {
    if (!store.ready) return
    store.removeEventListener('change', look)
    const address = landing(store, load('last-window', ''))
    if (address && !location.hash) location.replace(address)
  }
  store.addEventListener('change', look)
}
