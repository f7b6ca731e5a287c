// The items of the command palette: every available action, window, agent, project and view. Pure.
import type { AgentOut } from '../core/generated/socket'
import { type Place, PROJECT_VIEWS, type ViewName, WINDOW_VIEWS } from '../core/router'
import type { Action } from '../core/services'
import type { Store } from '../core/store'
import type { ActionDetail } from '../core/view'
import {
  addressOf,
  currentWindow,
  type ProjectRow,
  tree,
  type WindowRow,
  windowTitle,
} from '../core/workspace'
import { capitalized } from './places'

/** `act` is the action that it runs. */
export interface PaletteItem {
  id: string
  kind: 'Window' | 'Agent' | 'Action' | 'Project' | 'View'
  title: string
  detail: string
  words?: string
  keys?: string
  act: ActionDetail
}
/** What the palette needs of an action. */
export type ListedAction = Pick<Action, 'name' | 'title' | 'keys' | 'hidden' | 'needs'>

export const RECENT_LIMIT = 20

function goTo(view: ViewName, { key = '', project = '' }: Partial<Place> = {}): ActionDetail {
  return { name: 'go', place: { view, key, project } }
}

export function items(store: Store, actions: readonly ListedAction[]): PaletteItem[] {
  const projects = tree(store)
  const windows = projects.flatMap((project) => project.windows)
  const available = actions
    .filter((action) => !action.hidden && (action.needs?.(store) ?? true))
    .map((action) => actionItem(action, store))
  const titles = new Set(available.map(({ title }) => title)) // a view that has an action is listed once
  return [
    ...windows.map(windowItem),
    ...[...store.agents.values()].flatMap((agent) => agentItem(agent, windows)),
    ...available,
    ...viewItems(store).filter(({ title }) => !titles.has(title)),
    ...projects.flatMap(projectItems),
  ]
}

/** Recently used items first; the others keep their order. */
export function recentFirst<Item extends { id: string }>(
  list: readonly Item[],
  recent: readonly string[],
): Item[] {
  const ages = new Map(recent.map((id, index) => [id, index]))
  const ageOf = (item: Item) => ages.get(item.id) ?? RECENT_LIMIT
  return [...list].sort((a, b) => ageOf(a) - ageOf(b))
}

export function addRecent(recent: readonly string[], id: string): string[] {
  return [id, ...recent.filter((other) => other !== id)].slice(0, RECENT_LIMIT)
}

export function titleText({ title }: Pick<Action, 'title'>, store: Store): string {
  return typeof title === 'function' ? title(store) : title
}

function windowItem(window: WindowRow): PaletteItem {
  const pane = window.panes.find(({ active }) => active)
  return {
    id: `window:${addressOf(window)}`,
    kind: 'Window',
    title: windowTitle(window),
    detail: window.state || pane?.command || '',
    words: `${window.session} ${pane?.path ?? ''}`,
    act: goTo('terminal', { key: addressOf(window) }),
  }
}

function agentItem(agent: AgentOut, windows: readonly WindowRow[]): PaletteItem[] {
  const window = windows.find(({ windowId }) => windowId === agent.windowId)
  if (!window) return []
  return [
    {
      id: `agent:${agent.name}`,
      kind: 'Agent',
      title: `${windowTitle(window)} (${agent.runtime})`,
      detail: agent.state,
      words: `${agent.name} ${agent.state} ${agent.workDir}`,
      act: goTo('terminal', { key: addressOf(window) }),
    },
  ]
}

function actionItem(action: ListedAction, store: Store): PaletteItem {
  return {
    id: `action:${action.name}`,
    kind: 'Action',
    title: titleText(action, store),
    detail: '',
    words: action.name,
    ...(action.keys ? { keys: action.keys } : {}),
    act: { name: action.name },
  }
}

function viewItems(store: Store): PaletteItem[] {
  const window = currentWindow(store)
  const ofWindow = (view: ViewName, current: WindowRow): PaletteItem => ({
    id: `view:${view}`,
    kind: 'View',
    title: `${capitalized(view)} for this window`,
    detail: windowTitle(current),
    act: goTo(view, { key: addressOf(current) }),
  })
  const others = WINDOW_VIEWS.filter((view) => view !== store.place.view)
  return [
    ...(window ? others.map((view) => ofWindow(view, window)) : []),
    { id: 'view:all-board', kind: 'View', title: 'Board for all projects', detail: '', act: goTo('board') },
    {
      id: 'view:all-recordings',
      kind: 'View',
      title: 'All recordings',
      detail: '',
      act: goTo('recordings'),
    },
  ]
}

function projectItems({ project, session }: ProjectRow): PaletteItem[] {
  return PROJECT_VIEWS.map((view) => ({
    id: `project:${session}:${view}`,
    kind: 'Project',
    title: `${project}: ${view}`,
    detail: '',
    words: session,
    act: goTo(view, { project }),
  }))
}
