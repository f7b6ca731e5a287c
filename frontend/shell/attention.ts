// Shows activity while the page is in the background: the number of waiting agents in the title and
// on the icon, and which windows have new output. Pure except for `startAttention`.
import { load, save } from '../core/memory'
import type { Store } from '../core/store'
import { allWindows, currentWindow, type WindowRow, waiting, windowTitle } from '../core/workspace'
import { drawIcon } from './favicon'

/** Keys of windows with their last seen activity. */
type Seen = Iterable<readonly [string, number]>
type StoredSeen = [string, number][]

// Windows whose last seen activity this browser remembers.
const SEEN_LIMIT = 500
// tmux is polled once a second: activity reported this soon after leaving a window was printed before.
const LEAVE_GRACE_MS = 2_000

/** `(2) session · window — webtmux` */
export function titleOf(store: Store): string {
  const count = waiting(store).length
  const window = currentWindow(store)
  const place = store.place.project || (window ? windowTitle(window) : '')
  return `${count ? `(${count}) ` : ''}${place ? `${place} — ` : ''}webtmux`
}

/**
 * The last seen activity after viewing the windows with these keys. A window that was not known before
 * counts as seen. Returns the same map if nothing changed.
 */
export function markSeen(
  seen: Map<string, number>,
  windows: readonly Pick<WindowRow, 'key' | 'activity'>[],
  viewed: readonly string[],
): Map<string, number> {
  const changed = windows.filter(({ key, activity }) => {
    const last = seen.get(key)
    return key && (last === undefined || (viewed.includes(key) && activity > last))
  })
  if (changed.length === 0) return seen
  return new Map([...seen, ...changed.map(({ key, activity }) => [key, activity] as const)])
}

/** Merges the state of two pages of one browser: what was seen in one is seen in both. */
export function mergeSeen(own: Seen, other: Seen): Map<string, number> {
  const merged = new Map(own)
  for (const [key, activity] of other) merged.set(key, Math.max(activity, merged.get(key) ?? 0))
  return new Map([...merged].sort(([, first], [, second]) => second - first).slice(0, SEEN_LIMIT))
}

export function startAttention(store: Store): void {
  store.set('seen', new Map(loadSeen()))
  let shown = -1
  let current = ''
  let left = { key: '', at: 0 }
  const refresh = () => {
    const key = document.hidden ? '' : (currentWindow(store)?.key ?? '')
    if (key !== current) left = { key: current, at: Date.now() }
    current = key
    saveSeen(store, [current, Date.now() - left.at < LEAVE_GRACE_MS ? left.key : ''])
    if (current) save('last-window', current)
    document.title = titleOf(store)
    const count = waiting(store).length
    if (count === shown) return
    shown = count
    drawIcon(count)
  }
  store.addEventListener('change', refresh)
  document.addEventListener('visibilitychange', refresh)
  addEventListener('storage', ({ key }) => {
    if (key === 'webtmux:seen') store.set('seen', mergeSeen(store.seen, loadSeen()))
  })
}

function saveSeen(store: Store, viewed: readonly string[]): void {
  const seen = markSeen(store.seen, allWindows(store), viewed)
  if (seen === store.seen) return
  store.set('seen', seen)
  save('seen', [...mergeSeen(seen, loadSeen())])
}

const loadSeen = () => load<StoredSeen>('seen', [])
