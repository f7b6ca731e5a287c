// The state of the page: the newest data from the server, for all elements and screens. Emits `change` with
// the changed parts, once per microtask. Derived values are in workspace.ts. What only one part of the page
// needs is loaded by that part (board/sheets, chat/chat-source, …) and kept here.
import { typedTarget } from './events'
import type { ChatRecordOut, MessageOut, RecordOut, TaskOut, TimelineItemOut } from './generated/api'
import type {
  AgentOut,
  ProjectOut,
  RecordingOut,
  Responses,
  ShownWindowOut,
  SocketEvent,
  WindowOut,
} from './generated/socket'
import type { Place } from './router'
import { NO_SELECTION, type Selection } from './selection'
import type { SocketStatus } from './socket'

/** A note sheet. Its id is its address: projects/work, windows/4rfdg3ymzj. */
export interface Sheet extends RecordOut {
  tasks: readonly Pick<TaskOut, 'key' | 'text' | 'status' | 'description'>[]
}

/** A message, or a record that messages are derived from. */
export type ChatItem = Pick<ChatRecordOut, 'role' | 'ts' | 'text'> &
  Partial<Pick<MessageOut, 'confirmed' | 'kind' | 'source' | 'tool'>>

/** The loaded part of a chat. `older` and `newer`: the server has more at that end. */
export interface ChatState {
  readonly items: readonly ChatItem[]
  readonly older: boolean
  readonly newer: boolean
}

/** The loaded part of a timeline, newest first. */
export interface TimelineState {
  readonly items: readonly TimelineItemOut[]
  readonly hasMore: boolean
}

/** What the store shows. The names of the fields are the parts that listeners can wait for. */
export interface StoreState {
  // Status of the socket.
  status: SocketStatus
  latency: number | null
  // Time of the next connection attempt, by Date.now()
  retryAt: number
  // Why tmux is unavailable.
  problem: string
  // How a shell runs the tmux of this server, for example `tmux -L work`.
  tmuxCommand: string
  // Why a subscription failed: a part of the page is not up to date.
  trouble: string
  // @1 → window (subscribe-workspace)
  windows: Map<string, ShownWindowOut>
  // key → window of the database, also of ended windows (subscribe-windows)
  savedWindows: Map<string, WindowOut>
  // session → project
  projects: Map<string, ProjectOut>
  // name → agent
  agents: Map<string, AgentOut>
  totalAgents: number
  // %3 → its running recording (subscribe-recordings)
  recordings: Map<string, RecordingOut>
  // key → recording, also of ended ones: those that a screen has loaded, and their changes
  savedRecordings: Map<string, RecordingOut>
  // id → note sheet, without the unconfirmed changes of this page
  sheets: Map<string, Sheet>
  // name → chat or timeline that is shown
  chats: Map<string, ChatState>
  timelines: Map<string, TimelineState>
  // The current place: router.ts.
  place: Place
  // The pane with the keyboard focus (%3)
  pane: string
  // key of a window → its activity when it was last viewed
  seen: Map<string, number>
  // Whether the sidebar is shown.
  rail: boolean
  // The windows that an action on several windows applies to.
  selection: Selection
  // Whether the reader is shown instead of the terminal.
  reader: boolean
}
export type Part = keyof StoreState
type Handlers = { [Type in SocketEvent['type']]?: (event: Extract<SocketEvent, { type: Type }>) => void }
type Answered<Type extends keyof Responses, Fields extends keyof Responses[Type]> = Pick<
  Responses[Type],
  Fields
>

export class Store extends typedTarget<{ change: ReadonlySet<Part> }>() implements StoreState {
  status: SocketStatus = 'connecting'
  latency: number | null = null
  retryAt = 0
  // The initial state is complete.
  ready = false
  problem = ''
  tmuxCommand = 'tmux'
  trouble = ''
  windows: Map<string, ShownWindowOut> = new Map()
  savedWindows: Map<string, WindowOut> = new Map()
  projects: Map<string, ProjectOut> = new Map()
  agents: Map<string, AgentOut> = new Map()
  totalAgents = 0
  recordings: Map<string, RecordingOut> = new Map()
  savedRecordings: Map<string, RecordingOut> = new Map()
  sheets: Map<string, Sheet> = new Map()
  chats: Map<string, ChatState> = new Map()
  timelines: Map<string, TimelineState> = new Map()
  place: Place = { view: 'home', key: '', project: '' }
  pane = ''
  seen: Map<string, number> = new Map()
  rail = true
  selection: Selection = NO_SELECTION
  reader = false
  // The agents were received: before, no window seems to have one.
  agentsKnown = false

  #parts = new Set<Part>()
  // Received parts of the initial state: windows and their keys arrive separately.
  #received = new Set<Part>()
  // key of a recording → its newest version: older ones are ignored
  #recordingVersions = new Map<string, number>()

  /** Reports changed parts; listeners are called once per microtask. */
  markChanged(...parts: Part[]): void {
    if (this.#parts.size === 0) queueMicrotask(() => this.#emit())
    for (const part of parts) this.#parts.add(part)
  }

  set<Name extends Part>(part: Name, value: StoreState[Name]): void {
    if (this[part] === value) return
    Object.assign(this, { [part]: value })
    this.markChanged(part)
  }

  takeWorkspace({
    windows,
    problem,
    tmuxCommand = 'tmux',
  }: Answered<'subscribe-workspace', 'windows' | 'problem'> & { tmuxCommand?: string }): void {
    this.windows = new Map(windows.map((window) => [window.windowId, window]))
    this.set('problem', problem)
    this.set('tmuxCommand', tmuxCommand)
    this.#receiveFirst('windows')
  }

  takeSavedWindows({ windows }: Answered<'subscribe-windows', 'windows'>): void {
    for (const window of windows) setIfNewer(this.savedWindows, window.key, window)
    this.#receiveFirst('savedWindows')
  }

  takeAgents({ agents, totalAgents }: Answered<'subscribe-agents', 'agents' | 'totalAgents'>): void {
    this.agents = new Map(agents.map((agent) => [agent.name, agent]))
    this.totalAgents = totalAgents
    this.agentsKnown = true
    this.markChanged('agents')
  }

  takeRecordings({ recordings }: Answered<'subscribe-recordings', 'recordings'>): void {
    // Those that ended meanwhile: how, the next list says.
    for (const [key, { state }] of this.savedRecordings) {
      if (state === 'recording') this.savedRecordings.delete(key)
    }
    this.recordings = new Map(recordings.map((recording) => [recording.paneId, recording]))
    this.keepRecordings(recordings)
  }

  /** Keeps recordings of a list. */
  keepRecordings(recordings: readonly RecordingOut[]): void {
    for (const recording of recordings) setIfNewer(this.savedRecordings, recording.key, recording)
    this.markChanged('recordings', 'savedRecordings')
  }

  /** Keeps a sheet unless it is older than the known one. Returns whether it was kept. */
  takeSheet(id: string, sheet: Sheet): boolean {
    const before = this.sheets.get(id)
    if (before && before.version >= sheet.version) return false
    this.setEntry('sheets', id, sheet)
    return true
  }

  /** Sets or, with null, removes one entry of a part. */
  setEntry<Name extends 'sheets' | 'chats' | 'timelines'>(
    part: Name,
    name: string,
    value: (StoreState[Name] extends Map<string, infer Value> ? Value : never) | null,
  ): void {
    const entries = this[part] as Map<string, typeof value>
    if (value === null) entries.delete(name)
    else entries.set(name, value)
    this.markChanged(part)
  }

  /** Applies an event of the server; unknown types are ignored. */
  take(event: SocketEvent): void {
    const handle = this.#events[event.type] as ((event: SocketEvent) => void) | undefined
    handle?.(event)
  }

  #events: Handlers = {
    'workspace-updated': ({ windows, gone, problem }) => {
      for (const window of windows) this.windows.set(window.windowId, window)
      for (const id of gone) this.windows.delete(id)
      this.set('problem', problem)
      this.markChanged('windows')
    },
    'windows-updated': ({ windows, projects }) => {
      for (const window of windows) setIfNewer(this.savedWindows, window.key, window)
      for (const project of projects) setIfNewer(this.projects, project.session, project)
      this.markChanged('savedWindows', 'projects')
    },
    'recordings-updated': ({ recordings, gone }) => {
      for (const recording of recordings) this.#setRecording(recording)
      for (const [pane, { key }] of this.recordings) if (gone.includes(key)) this.recordings.delete(pane)
      for (const key of gone) this.savedRecordings.delete(key)
      this.markChanged('recordings', 'savedRecordings')
    },
    'agent-added': ({ agent }) => this.#setAgent(agent),
    'agent-updated': ({ agent }) => this.#setAgent(agent),
    'agent-removed': ({ name }) => {
      this.agents.delete(name)
      this.markChanged('agents')
    },
    'agents-count': ({ totalAgents }) => this.set('totalAgents', totalAgents),
  }

  #receiveFirst(part: Part): void {
    this.ready = this.#received.add(part).size === 2
    this.markChanged(part)
  }

  #setAgent(agent: AgentOut): void {
    this.agents.set(agent.name, agent)
    this.markChanged('agents')
  }

  #setRecording(recording: RecordingOut): void {
    const { paneId, key, state, version } = recording
    if ((this.#recordingVersions.get(key) ?? 0) > version) return
    this.#recordingVersions.set(key, version)
    setIfNewer(this.savedRecordings, key, recording)
    if (state === 'recording') this.recordings.set(paneId, recording)
    else if (this.recordings.get(paneId)?.key === key) this.recordings.delete(paneId)
  }

  #emit(): void {
    const parts = this.#parts
    this.#parts = new Set()
    this.dispatchEvent(new CustomEvent('change', { detail: parts }))
  }
}

/** Keeps the entry with the higher version. */
function setIfNewer<State extends { version: number }>(
  map: Map<string, State>,
  key: string,
  state: State,
): void {
  if ((map.get(key)?.version ?? -1) <= state.version) map.set(key, state)
}
