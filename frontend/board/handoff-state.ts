// The progress of a task that was handed off, and when to ask whether it is done. Pure.
import type { HandedOut } from '../core/generated/api'
import type { AgentOut } from '../core/generated/socket'
import type { StoreState } from '../core/store'

// The screen of an agent is captured every second and its state needs two equal captures: a short turn
// may be over before the agent was ever seen working.
export const UNSEEN_TURN_MS = 4000

/** `asks`: is it done? `gone`: no agent is left. */
export type Progress = 'working' | 'waiting' | 'asks' | 'resting' | 'gone'

interface Run {
  link: Pick<HandedOut, 'at' | 'declined'>
  agents: readonly Pick<AgentOut, 'state'>[]
  // An agent was seen working.
  worked: boolean
  now: number
}

export function progress({ link, agents, worked, now }: Run): Progress {
  if (agents.length === 0) return 'gone'
  const states = new Set(agents.map((agent) => agent.state))
  if (states.has('waiting')) return 'waiting'
  if (states.has('working')) return 'working'
  if (worked) return 'asks'
  return !link.declined && now - Date.parse(link.at) >= UNSEEN_TURN_MS ? 'asks' : 'resting'
}

/** Names one run of work on a task: after “Not yet” the next one starts. */
export const runName = (key: string, link: HandedOut): string => `${key} ${link.at} ${link.declined}`

/** The agents in the window that works on the task. */
export function agentsOf(link: HandedOut, store: Pick<StoreState, 'agents' | 'savedWindows'>): AgentOut[] {
  const window = store.savedWindows.get(link.window)
  if (!window?.alive) return []
  return [...store.agents.values()].filter((agent) => agent.windowId === window.windowId)
}

/** The agents that can take a task: those of its session first, idle ones before busy ones. */
export function candidates<Agent extends Pick<AgentOut, 'name' | 'session' | 'state'>>(
  agents: Iterable<Agent>,
  session: string,
): Agent[] {
  const rank = (agent: Agent) => (agent.session === session ? 0 : 2) + (agent.state === 'idle' ? 0 : 1)
  return [...agents].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}
