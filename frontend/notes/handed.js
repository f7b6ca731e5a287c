// A task that an agent works on: how far that is, and when to ask whether it is done. Pure.

// The screen of an agent is looked at every second, and believed after two looks: a short turn may
// be over before anybody saw it work.
export const UNSEEN_TURN_MS = 4000

/** `working`, `waiting`, `asks` (is it done?), `resting` or `gone` (no agent is there any more). */
export function progress({ link, agents, worked, now }) {
  if (agents.length === 0) return 'gone'
  const states = new Set(agents.map((agent) => agent.state))
  if (states.has('waiting')) return 'waiting'
  if (states.has('working')) return 'working'
  if (worked) return 'asks'
  return !link.declined && now - Date.parse(link.at) >= UNSEEN_TURN_MS ? 'asks' : 'resting'
}

/** Names one stretch of work on a task: after “not yet” another begins. */
export const stretch = (key, link) => `${key} ${link.at} ${link.declined}`

/** The agents in the window that has the task. */
export function agentsOf(link, store) {
  const window = store.facts.get(link.window)
  if (!window?.alive) return []
  return [...store.agents.values()].filter((agent) => agent.windowId === window.windowId)
}

/** Whom a task can be handed to: those of its own session first, then those at rest. */
export function candidates(agents, session) {
  const rank = (agent) => (agent.session === session ? 0 : 2) + (agent.state === 'idle' ? 0 : 1)
  return [...agents].sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name))
}
