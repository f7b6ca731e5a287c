// Values derived from the store: the tree of the sidebar, waiting agents, titles of windows. Pure.
import type { AgentOut, AgentState, ShownPaneOut, ShownWindowOut } from './generated/socket'
import type { Store } from './store'

/** A window with its agents. `key` is empty until the database knows the window. */
export interface WindowRow extends ShownWindowOut {
  key: string
  project: string
  agents: AgentOut[]
  pinned: boolean
  unseen: boolean
  state: UrgentState | ''
}

export interface ProjectRow {
  session: string
  sessionId: string
  project: string
  windows: WindowRow[]
}

const URGENT = ['waiting', 'working', 'idle'] as const satisfies readonly AgentState[]
export type UrgentState = (typeof URGENT)[number]

/** Projects by name, with their windows and agents. */
export function tree(store: Store): ProjectRow[] {
  const agents = agentsByWindow(store)
  const keys = keysById(store)
  const projects = new Map<string, ProjectRow>()
  for (const window of [...store.windows.values()].sort(byIndex)) {
    const { session, sessionId } = window
    const key = keys.get(window.windowId) ?? ''
    const own = agents.get(window.windowId) ?? []
    const project = projectName(store, window, key)
    const row: WindowRow = {
      ...window,
      key,
      project,
      agents: own,
      pinned: store.savedWindows.get(key)?.pinned ?? false,
      unseen: isUnseen(store, { ...window, key }),
      state: stateOf({ agents: own }),
    }
    const known = projects.get(session)
    if (known) known.windows.push(row)
    else projects.set(session, { session, sessionId, project, windows: [row] })
  }
  return [...projects.values()].sort((a, b) => a.project.localeCompare(b.project))
}

/** Every window in the order of the sidebar: pinned windows, then the tree. */
export function allWindows(store: Store): WindowRow[] {
  const windows = tree(store).flatMap((project) => project.windows)
  return [...windows.filter(({ pinned }) => pinned), ...windows.filter(({ pinned }) => !pinned)]
}

/** Agents that wait for an answer, the longest wait first. */
export function waiting(store: Store): AgentOut[] {
  return [...store.agents.values()].filter((agent) => agent.state === 'waiting').sort(longestFirst)
}

/** Sorts agents by the time since when they have their state. */
export function longestFirst(
  a: Pick<AgentOut, 'stateSince' | 'name'>,
  b: Pick<AgentOut, 'stateSince' | 'name'>,
): number {
  return a.stateSince - b.stateSince || a.name.localeCompare(b.name)
}

/** The most urgent state of a window's agents: `waiting`, `working`, `idle`, or an empty string. */
export function stateOf(window: { agents: readonly Pick<AgentOut, 'state'>[] }): UrgentState | '' {
  const states = new Set<AgentState>(window.agents.map((agent) => agent.state))
  return URGENT.find((state) => states.has(state)) ?? ''
}

/** What a title needs of a window. A window that has ended may have no session; its project has one name. */
export interface Titled {
  session: string
  project: string
  windowName: string
  windowIndex?: number
}

/** The name of a window everywhere in the page: `session · window`. */
export function windowTitle({ session, project, windowName, windowIndex }: Titled): string {
  return `${session || project} · ${windowName || (windowIndex ?? 'window')}`
}

/** The name of the window that an agent runs in. */
export function agentTitle(store: Store, agent: Pick<AgentOut, 'windowId' | 'session'>): string {
  const window = store.windows.get(agent.windowId)
  return window ? windowTitle({ ...window, project: '' }) : agent.session
}

/** The name of a window by its key, also after it has ended; null if it is unknown. */
export function titleByKey(store: Store, key: string): string | null {
  const saved = store.savedWindows.get(key)
  return saved ? windowTitle({ ...saved, ...store.windows.get(saved.alive ? saved.windowId : '') }) : null
}

/** The pane of a window that has the focus in tmux. */
export function activePane(window: ShownWindowOut | null | undefined): ShownPaneOut | null {
  return window?.panes.find((pane) => pane.active) ?? window?.panes[0] ?? null
}

/** The row of the tree for the window that the page shows, or null. */
export function currentWindow(store: Store): WindowRow | null {
  return allWindows(store).find((window) => isCurrent(store, window)) ?? null
}

type Addressed = Pick<WindowRow, 'key' | 'windowId'>

/** The name of a window in addresses: its key, or its tmux id until the key is known. */
export function addressOf(window: Addressed): string {
  return window.key || window.windowId
}

function isCurrent(store: Store, window: Addressed): boolean {
  return store.place.key !== '' && [window.key, window.windowId].includes(store.place.key)
}

function isUnseen(store: Store, window: Addressed & { activity: number }): boolean {
  if (isCurrent(store, window)) return false
  return window.activity > (store.seen.get(addressOf(window)) ?? Number.POSITIVE_INFINITY)
}

// Not Map.groupBy: Node 20, which runs the tests, does not have it.
function agentsByWindow(store: Store): Map<string, AgentOut[]> {
  const byWindow = new Map<string, AgentOut[]>()
  for (const agent of store.agents.values()) {
    const agents = byWindow.get(agent.windowId)
    if (agents) agents.push(agent)
    else byWindow.set(agent.windowId, [agent])
  }
  return byWindow
}

function keysById(store: Store): Map<string, string> {
  const live = [...store.savedWindows.values()].filter((saved) => saved.alive)
  return new Map(live.map((saved) => [saved.windowId, saved.key]))
}

function projectName(store: Store, window: ShownWindowOut, key: string): string {
  return store.savedWindows.get(key)?.project ?? store.projects.get(window.session)?.project ?? window.session
}

function byIndex(a: ShownWindowOut, b: ShownWindowOut): number {
  return a.session.localeCompare(b.session) || a.windowIndex - b.windowIndex
}
