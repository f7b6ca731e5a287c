// What the palette offers: every action that makes sense now, every window, agent, project and view.
// Pure. An item is {id, kind, title, detail, words, keys, act}; `act` is the action it stands for.
import { PROJECT_VIEWS, WINDOW_VIEWS } from './router.js'
import { addressOf, currentWindow, tree, windowTitle } from './workspace.js'

export const RECENT_LIMIT = 20
const name = (view) => view[0].toUpperCase() + view.slice(1)
const place = (view, { key = '', project = '' } = {}) => ({ name: 'go', place: { view, key, project } })

export function items(store, actions) {
  const projects = tree(store)
  const windows = projects.flatMap((project) => project.windows)
  const doable = actions.filter((action) => !action.hidden && (action.needs?.(store) ?? true)).map((action) => actionItem(action, store))
  const named = new Set(doable.map(({ title }) => title)) // an action that goes to a view is offered once
  return [
    ...windows.map(windowItem),
    ...[...store.agents.values()].flatMap((agent) => agentItem(agent, windows)),
    ...doable,
    ...viewItems(store).filter(({ title }) => !named.has(title)),
    ...projects.flatMap(projectItems),
  ]
}

/** Those used last come first; the rest keeps its order. */
export function recentFirst(offered, recent) {
  const age = new Map(recent.map((id, at) => [id, at]))
  const of = (item) => age.get(item.id) ?? RECENT_LIMIT
  return [...offered].sort((one, other) => of(one) - of(other))
}

export function remembered(recent, id) {
  return [id, ...recent.filter((other) => other !== id)].slice(0, RECENT_LIMIT)
}

function windowItem(window) {
  const [pane] = window.panes.filter(({ active }) => active)
  return {
    id: `window:${addressOf(window)}`, kind: 'Window', title: windowTitle(window), detail: window.state || pane?.command || '',
    words: `${window.session} ${pane?.path ?? ''}`, act: place('terminal', { key: addressOf(window) }),
  }
}

function agentItem(agent, windows) {
  const window = windows.find(({ windowId }) => windowId === agent.windowId)
  if (!window) return []
  return [{
    id: `agent:${agent.name}`, kind: 'Agent', title: `${agent.name} (${agent.runtime})`, detail: agent.state,
    words: `${agent.state} ${agent.workDir}`, act: place('terminal', { key: addressOf(window) }),
  }]
}

function actionItem(action, store) {
  const title = typeof action.title === 'function' ? action.title(store) : action.title
  return { id: `action:${action.name}`, kind: 'Action', title, detail: '', words: action.name, keys: action.keys, act: { name: action.name } }
}

function viewItems(store) {
  const window = currentWindow(store)
  const here = window ? WINDOW_VIEWS.filter((view) => view !== store.place.view) : []
  return [
    ...here.map((view) => ({
      id: `view:${view}`, kind: 'View', title: `${name(view)} of this window`, detail: windowTitle(window),
      act: place(view, { key: addressOf(window) }),
    })),
    { id: 'view:all-board', kind: 'View', title: 'Board of all projects', detail: '', act: place('board') },
    { id: 'view:all-recordings', kind: 'View', title: 'All recordings', detail: '', act: place('recordings') },
  ]
}

function projectItems({ project, session }) {
  return PROJECT_VIEWS.map((view) => ({
    id: `project:${session}:${view}`, kind: 'Project', title: `${project}: ${view}`, detail: '', words: session,
    act: place(view, { project }),
  }))
}
