// Where a page without an address starts: at the window viewed last, or the most recent one of tmux.
// A phone starts with the deck. Pure except for `goToLanding`.
import { load } from '../core/memory'
import { isPhone } from '../core/phone-media'
import { format } from '../core/router'
import type { Store } from '../core/store'
import { addressOf, allWindows } from '../core/workspace'

/** The address of a window, or an empty string if there is none. */
export function landingAddress(store: Store, last: string): string {
  const windows = allWindows(store)
  const lastViewed = windows.find((window) => window.key === last)
  const [newest] = windows.sort((a, b) => Number(b.active) - Number(a.active) || b.activity - a.activity)
  const window = lastViewed ?? newest
  return window ? format({ view: 'terminal', key: addressOf(window) }) : ''
}

/** Runs once the windows and their keys are known, unless the user has navigated by then. */
export function goToLanding(store: Store): void {
  if (location.hash || isPhone()) return
  const tryLanding = () => {
    if (!store.ready) return
    store.removeEventListener('change', tryLanding)
    const address = landingAddress(store, load('last-window', ''))
    if (address && !location.hash) location.replace(address)
  }
  store.addEventListener('change', tryLanding)
}
