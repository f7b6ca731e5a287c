// What the head of the stage says of a place: its name and its views. Pure.
import { PROJECT_VIEWS, WINDOW_VIEWS } from './router.js'
import { activePane, currentWindow } from './workspace.js'

const PAGE_NAMES = { home: 'All agents', board: 'Board of all projects', recordings: 'Recordings' }

/** `{project, name, window, pane}`; a window that has ended is known by its name, and is no window. */
export function whatIs(store) {
  const { key, project, view } = store.place
  if (project) return { project: '', name: project, window: null, pane: null }
  if (!key) return { project: '', name: PAGE_NAMES[view], window: null, pane: null }
  const window = currentWindow(store)
  if (window) {
    const pane = window.panes.find(({ paneId }) => paneId === store.pane) ?? activePane(window)
    return { project: window.project, name: window.windowName, window, pane }
  }
  const fact = store.facts.get(key)
  return { project: fact?.project ?? '', name: fact?.windowName ?? 'No such window', window: null, pane: null }
}

export function viewsOf({ place }) {
  const views = place.key ? WINDOW_VIEWS : place.project ? PROJECT_VIEWS : []
  return views.map((view) => ({
    name: view[0].toUpperCase() + view.slice(1), place: { ...place, view }, current: view === place.view,
  }))
}
