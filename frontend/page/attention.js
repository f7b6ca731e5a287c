// What the page tells without being looked at: the title with the count of those who wait, the icon
// with it, and which windows have printed since they were seen. Pure but for `attend`.
import { drawIcon } from './favicon.js'
import { load, save } from './memory.js'
import { allWindows, currentWindow, waiting, windowTitle } from './workspace.js'

const KEPT = 500 // windows whose last look this browser remembers
// tmux is asked once a second: what it tells that soon after one has left was printed before.
const LATE_MS = 2_000

/** `(2) project · window — webtmux` */
export function titleOf(store) {
  const count = waiting(store).length
  const window = currentWindow(store)
  const place = store.place.project || (window ? windowTitle(window) : '')
  return `${count ? `(${count}) ` : ''}${place ? `${place} — ` : ''}webtmux`
}

/**
 * What was seen, after a look at the windows of these keys; a window that nobody knew counts as seen.
 * The same map where nothing is different.
 */
export function seenAfter(seen, windows, looked) {
  const news = windows.filter(({ key, activity }) => key && (!seen.has(key) || (looked.includes(key) && activity > seen.get(key))))
  return news.length ? new Map([...seen, ...news.map(({ key, activity }) => [key, activity])]) : seen
}

/** Two pages of one browser: what either has seen is seen. */
export function joined(one, other) {
  const both = new Map(one)
  for (const [key, activity] of other) both.set(key, Math.max(activity, both.get(key) ?? 0))
  return new Map([...both].sort(([, first], [, second]) => second - first).slice(0, KEPT))
}

export function attend(store) {
  store.set('seen', new Map(load('seen', [])))
  let shown = -1
  let here = ''
  let left = { key: '', at: 0 }
  const look = () => {
    const key = document.hidden ? '' : currentWindow(store)?.key ?? ''
    if (key !== here) left = { key: here, at: Date.now() }
    here = key
    see(store, [here, Date.now() - left.at < LATE_MS ? left.key : ''])
    if (here) save('last-window', here)
    document.title = titleOf(store)
    const count = waiting(store).length
    if (count !== shown) drawIcon(shown = count)
  }
  store.addEventListener('change', look)
  document.addEventListener('visibilitychange', look)
  addEventListener('storage', ({ key }) => {
    if (key === 'webtmux:seen') store.set('seen', joined(store.seen, load('seen', [])))
  })
}

function see(store, looked) {
  const seen = seenAfter(store.seen, allWindows(store), looked)
  if (seen === store.seen) return
  store.set('seen', seen)
  save('seen', [...joined(seen, load('seen', []))])
}
