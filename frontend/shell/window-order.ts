// Where a window moves in its session: by a key, by the menu, or by a drop. Pure.
import type { Store } from '../core/store'
import { tree, type WindowRow } from '../core/workspace'

/** The window that another one moves before or after. */
export interface Move {
  side: 'before' | 'after'
  other: WindowRow
}

/** The windows that are shown together with this one: of its session, and pinned like it. */
export function siblings(store: Store, window: Pick<WindowRow, 'sessionId' | 'pinned'>): WindowRow[] {
  const session = tree(store).find(({ sessionId }) => sessionId === window.sessionId)
  return session?.windows.filter(({ pinned }) => pinned === window.pinned) ?? []
}

/** The move one place up or down; null at the end of the list. */
export function stepMove(store: Store, window: WindowRow, by: 1 | -1): Move | null {
  const rows = siblings(store, window)
  const other = rows[rows.findIndex(({ windowId }) => windowId === window.windowId) + by]
  return other ? { side: by < 0 ? 'before' : 'after', other } : null
}

/** The move for a drop on another window, in its upper or lower half; null if nothing would change. */
export function dropMove(
  store: Store,
  dragged: WindowRow,
  other: WindowRow,
  side: Move['side'],
): Move | null {
  const rows = siblings(store, dragged).map(({ windowId }) => windowId)
  const to = rows.indexOf(other.windowId)
  const from = rows.indexOf(dragged.windowId)
  if (to < 0 || from < 0 || to === from) return null
  const isThere = side === 'before' ? from === to - 1 : from === to + 1
  return isThere ? null : { side, other }
}
