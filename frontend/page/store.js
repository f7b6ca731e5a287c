// What the page knows: the newest state of everything the server told. Tells `change` with the parts
// that are different, once for all changes of a moment. What follows from it is in workspace.js.

export class Store extends EventTarget {
  status = 'connecting' // of the socket
  latency = null
  retryAt = 0 // when the next try to connect is, by Date.now()
  ready = false // the first state has come
  problem = '' // why tmux cannot be used
  windows = new Map() // @1 → ShownWindow (subscribe-workspace)
  facts = new Map() // key → Window of the database (subscribe-windows)
  projects = new Map() // session → Project
  agents = new Map() // name → Agent
  totalAgents = 0
  recordings = new Map() // %3 → the recording that runs there (subscribe-recordings)
  place = { view: 'home', key: '', project: '' } // what is looked at: router.js
  pane = '' // the pane that the keyboard goes to (%3)
  seen = new Map() // key of a window → its activity when it was last looked at
  rail = true // shown

  #parts = new Set()
  #told = new Set() // what has come of the first state: windows without their keys are not all of it
  #recorded = new Map() // key of a recording → the version told last: a late one changes nothing

  /** Say that parts have changed; listeners hear it once, soon. */
  touch(...parts) {
    if (this.#parts.size === 0) queueMicrotask(() => this.#tell())
    for (const part of parts) this.#parts.add(part)
  }

  set(part, value) {
    if (this[part] === value) return
    this[part] = value
    this.touch(part)
  }

  takeWorkspace({ windows, problem }) {
    this.windows = new Map(windows.map((window) => [window.windowId, window]))
    this.set('problem', problem)
    this.#begin('windows')
  }

  takeFacts({ windows }) {
    for (const window of windows) this.#newer(this.facts, window.key, window)
    this.#begin('facts')
  }

  takeAgents({ agents, totalAgents }) {
    this.agents = new Map(agents.map((agent) => [agent.name, agent]))
    this.totalAgents = totalAgents
    this.touch('agents')
  }

  takeRecordings({ recordings }) {
    this.recordings = new Map(recordings.map((recording) => [recording.paneId, recording]))
    this.touch('recordings')
  }

  /** An event of the server; those that are nobody's here are left to others. */
  take(event) { this.#events[event.type]?.(event) }

  #events = {
    'workspace-updated': ({ windows, gone, problem }) => {
      for (const window of windows) this.windows.set(window.windowId, window)
      for (const id of gone) this.windows.delete(id)
      this.set('problem', problem)
      this.touch('windows')
    },
    'windows-updated': ({ windows, projects }) => {
      for (const window of windows) this.#newer(this.facts, window.key, window)
      for (const project of projects) this.#newer(this.projects, project.session, project)
      this.touch('facts', 'projects')
    },
    'recordings-updated': ({ recordings, gone }) => {
      for (const recording of recordings) this.#recording(recording)
      for (const [pane, { key }] of this.recordings) if (gone.includes(key)) this.recordings.delete(pane)
      this.touch('recordings')
    },
    'agent-added': ({ agent }) => this.#agent(agent),
    'agent-updated': ({ agent }) => this.#agent(agent),
    'agent-removed': ({ name }) => { this.agents.delete(name); this.touch('agents') },
    'agents-count': ({ totalAgents }) => this.set('totalAgents', totalAgents),
  }

  #begin(part) {
    this.ready = this.#told.add(part).size === 2
    this.touch(part)
  }

  #agent(agent) {
    this.agents.set(agent.name, agent)
    this.touch('agents')
  }

  #recording(recording) {
    const { paneId, key, state, version } = recording
    if ((this.#recorded.get(key) ?? 0) > version) return
    this.#recorded.set(key, version)
    if (state === 'recording') this.recordings.set(paneId, recording)
    else if (this.recordings.get(paneId)?.key === key) this.recordings.delete(paneId)
  }

  /** Of one key the higher version is the newer state. */
  #newer(map, key, state) {
    if ((map.get(key)?.version ?? -1) <= state.version) map.set(key, state)
  }

  #tell() {
    const parts = this.#parts
    this.#parts = new Set()
    this.dispatchEvent(new CustomEvent('change', { detail: parts }))
  }
}
