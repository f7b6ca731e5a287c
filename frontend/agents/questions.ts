// Which question of the current window is shown, and what tells two questions apart. Pure.
import type { AgentOut } from '../core/generated/socket'
import type { Store } from '../core/store'
import { currentWindow } from '../core/workspace'

export interface ShownQuestion {
  agent: AgentOut
  // Identifies the question: a new one is a new decision.
  id: string
  // How many other agents of the window wait, too.
  others: number
}

/** The question of the focused pane, else the first of the window; null if no agent waits. */
export function shownQuestion(store: Store): ShownQuestion | null {
  const waiting = currentWindow(store)?.agents.filter(({ state }) => state === 'waiting') ?? []
  const agent = waiting.find(({ paneId }) => paneId === store.pane) ?? waiting[0]
  if (!agent) return null
  return { agent, id: `${agent.name} ${agent.question?.id ?? ''}`, others: waiting.length - 1 }
}
