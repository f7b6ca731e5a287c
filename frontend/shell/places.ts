// The title and the tabs that the header shows for a place. Pure.
import type { ShownPaneOut } from '../core/generated/socket'
import { type Place, PROJECT_VIEWS, type ViewName, WINDOW_VIEWS } from '../core/router'
import type { Store } from '../core/store'
import { activePane, currentWindow, type WindowRow } from '../core/workspace'

/** `window` is null for a window that has ended, and for places that are no window. */
export interface PlaceDescription {
  /** The session of a window; empty for other places. */
  session: string
  project: string
  name: string
  window: WindowRow | null
  pane: ShownPaneOut | null
}

export interface Tab {
  name: string
  place: Place
  current: boolean
}

const PAGE_NAMES: Partial<Record<ViewName, string>> = {
  home: 'All agents',
  board: 'Board for all projects',
  recordings: 'Recordings',
  settings: 'Settings',
}

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

export function describePlace(store: Store): PlaceDescription {
  const { key, project, view } = store.place
  if (project) return { session: '', project: '', name: project, window: null, pane: null }
  if (!key) return { session: '', project: '', name: PAGE_NAMES[view] ?? '', window: null, pane: null }
  const window = currentWindow(store)
  if (window) {
    const pane = window.panes.find(({ paneId }) => paneId === store.pane) ?? activePane(window)
    const name = window.windowName || String(window.windowIndex)
    return { session: window.session, project: window.project, name, window, pane }
  }
  const saved = store.savedWindows.get(key)
  return {
    session: saved?.session || saved?.project || '',
    project: saved?.project ?? '',
    name: saved?.windowName ?? 'Window not found',
    window: null,
    pane: null,
  }
}

export function viewsOf({ place }: Pick<Store, 'place'>): Tab[] {
  const views = place.key ? WINDOW_VIEWS : place.project ? PROJECT_VIEWS : []
  return views.map((view) => ({
    name: capitalized(view),
    place: { ...place, view },
    current: view === place.view,
  }))
}
