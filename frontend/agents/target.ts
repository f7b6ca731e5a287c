// The target of a prompt: the agent of the focused pane, else an agent of its window, else the pane
// itself. Also the next waiting agent. Pure.
import type { AgentOut, ShownPaneOut } from '../core/generated/socket'
import type { Store } from '../core/store'
import { activePane, addressOf, allWindows, currentWindow, type WindowRow } from '../core/workspace'

export interface Target {
  address: string
  key: string
  window: WindowRow
  pane: string
  agent: AgentOut | null
}

/** The target in the current window; null if no window is shown. */
export function targetOf(store: Store): Target | null {
  const window = currentWindow(store)
  const pane = window?.panes.find(({ paneId }) => paneId === store.pane) ?? activePane(window)
  if (!window || !pane) return null
  const agent = agentOf(window, pane, store.pane)
  return { address: addressOf(window), key: window.key, window, pane: agent?.paneId ?? pane.paneId, agent }
}

/** A focused pane without an agent is the target itself, for example a shell next to the agent. */
function agentOf(window: WindowRow, pane: ShownPaneOut, focused: string): AgentOut | null {
  const own = window.agents.find(({ paneId }) => paneId === pane.paneId)
  if (own || pane.paneId === focused) return own ?? null
  return window.agents[0] ?? null
}

/** The next window with a waiting agent, in the order of the sidebar; null if there is no other. */
export function nextWaiting(store: Store): WindowRow | null {
  const windows = allWindows(store)
  const index = windows.findIndex((window) => window.windowId === currentWindow(store)?.windowId)
  const others = [...windows.slice(index + 1), ...windows.slice(0, Math.max(index, 0))]
  return others.find((window) => window.state === 'waiting') ?? null
}
