// What follows from the store: the tree of the rail, who waits, what a window is called. Pure.

/** Projects in the order of their names, each with its windows, each with its agents. */
export function tree(store) {
  const agents = agentsByWindow(store)
  const keys = keysById(store)
  const projects = new Map()
  for (const window of [...store.windows.values()].sort(byPlace)) {
    const key = keys.get(window.windowId) ?? ''
    const row = { ...window, key, agents: agents.get(window.windowId) ?? [], project: projectName(store, window, key) }
    row.unseen = isUnseen(store, row)
    row.state = stateOf(row)
    if (!projects.has(window.session)) projects.set(window.session, { session: window.session, sessionId: window.sessionId, project: row.project, windows: [] })
    projects.get(window.session).windows.push(row)
  }
  return [...projects.values()].sort((one, other) => one.project.localeCompare(other.project))
}

/** Every window of the tree in one list. */
export function allWindows(store) {
  return tree(store).flatMap((project) => project.windows)
}

/** Agents that wait for an answer, by name. */
export function waiting(store) {
  return [...store.agents.values()].filter((agent) => agent.state === 'waiting')
    .sort((one, other) => one.name.localeCompare(other.name))
}

/** `waiting`, `working`, `idle`, or nothing where no agent is. The most urgent of its agents. */
export function stateOf(window) {
  const states = new Set(window.agents.map((agent) => agent.state))
  return ['waiting', 'working', 'idle'].find((state) => states.has(state)) ?? ''
}

export function windowTitle(window) {
  return `${window.project || window.session} · ${window.windowName || window.windowIndex}`
}

/** The pane of a window that has the focus in tmux. */
export function activePane(window) {
  return window?.panes.find((pane) => pane.active) ?? window?.panes[0] ?? null
}

/** The window that the page shows, with everything the tree says of it; null where there is none. */
export function currentWindow(store) {
  return allWindows(store).find((window) => isCurrent(store, window)) ?? null
}

/** What an address calls a window: its key, or tmux's id until the server has told the key. */
export function addressOf(window) {
  return window.key || window.windowId
}

function isCurrent(store, window) {
  return store.place.key !== '' && [window.key, window.windowId].includes(store.place.key)
}

function isUnseen(store, window) {
  if (isCurrent(store, window)) return false
  return window.activity > (store.seen.get(addressOf(window)) ?? Infinity)
}

function agentsByWindow(store) {
  const found = new Map()
  for (const agent of store.agents.values()) {
    if (!found.has(agent.windowId)) found.set(agent.windowId, [])
    found.get(agent.windowId).push(agent)
  }
  return found
}

function keysById(store) {
  const live = [...store.facts.values()].filter((fact) => fact.alive)
  return new Map(live.map((fact) => [fact.windowId, fact.key]))
}

function projectName(store, window, key) {
  return store.facts.get(key)?.project ?? store.projects.get(window.session)?.project ?? window.session
}

function byPlace(one, other) {
  return one.session.localeCompare(other.session) || one.windowIndex - other.windowIndex
}
