// Whom a prompt goes to: the agent of the pane that has the keyboard, else one of its window, else the
// pane itself. Also who waits next. Pure.
import { activePane, addressOf, allWindows, currentWindow } from '../page/workspace.js'

/** `{address, key, window, pane, agent}` of what the page shows; null where it shows no window. */
export function targetOf(store) {
  const window = currentWindow(store)
  const pane = window?.panes.find(({ paneId }) => paneId === store.pane) ?? activePane(window)
  if (!pane) return null
  const agent = agentOf(window, pane, store.pane)
  return { address: addressOf(window), key: window.key, window, pane: agent?.paneId ?? pane.paneId, agent }
}

/** A pane that was chosen on purpose and has no agent is meant itself: beside the agent, a shell. */
function agentOf(window, pane, chosen) {
  const here = window.agents.find(({ paneId }) => paneId === pane.paneId)
  if (here || pane.paneId === chosen) return here ?? null
  return window.agents[0] ?? null
}

/** The next window, in the order of the rail, whose agent waits; null: nobody waits elsewhere. */
export function nextWaiting(store) {
  const windows = allWindows(store)
  const at = windows.findIndex((window) => window.windowId === currentWindow(store)?.windowId)
  const others = [...windows.slice(at + 1), ...windows.slice(0, Math.max(at, 0))]
  return others.find((window) => window.state === 'waiting') ?? null
}
