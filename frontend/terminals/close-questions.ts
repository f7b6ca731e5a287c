// The questions before a session, window or pane is closed: what is closed and what is stopped. Pure.
import type { AgentOut, ShownPaneOut } from '../core/generated/socket'
import type { Confirmation } from '../core/services'
import { type ProjectRow, type WindowRow, windowTitle } from '../core/workspace'

type ClosedPane = Pick<ShownPaneOut, 'paneId' | 'paneIndex' | 'command' | 'dead'>

interface Running {
  panes: readonly ClosedPane[]
  agents: readonly Pick<AgentOut, 'name' | 'runtime' | 'paneId'>[]
}
type ClosedWindow = Pick<WindowRow, 'windowName' | 'session' | 'project'> & Running
type ListedWindow = ClosedWindow & Pick<WindowRow, 'windowId' | 'windowIndex'>
type ClosedSession = Pick<ProjectRow, 'session'> & { windows: readonly ClosedWindow[] }

type CloseQuestion = Confirmation & { text: string }

const SHELLS = new Set(['sh', 'bash', 'zsh', 'fish', 'dash', 'ksh', 'ash', 'tcsh', 'login'])
// Names in a list; the rest is counted.
const NAME_LIMIT = 6

/** Agents by name, and other programs except idle shells. */
export function running(windows: readonly Running[]): string[] {
  const agents = windows.flatMap((window) => window.agents)
  const agentPanes = new Set(agents.map(({ paneId }) => paneId))
  const programs = windows
    .flatMap(({ panes }) => panes)
    .filter(({ paneId, command, dead }) => !dead && !agentPanes.has(paneId) && !SHELLS.has(command))
  return [
    ...agents.map(({ name, runtime }) => `${name} (${runtime})`),
    ...programs.map(({ command }) => command),
  ]
}

export function closeSessionQuestion({ session, windows }: ClosedSession): CloseQuestion {
  const names = listNames(windows.map(({ windowName }) => windowName))
  return {
    title: `Close session ${session}?`,
    verb: 'Close session',
    text: `This closes ${countText(windows.length, 'window')}: ${names}.\n${stopText(windows)}\nThe notes and chats of the project are kept.`,
  }
}

export function closeWindowQuestion(window: ClosedWindow, isLast: boolean): CloseQuestion {
  const last = isLast ? `\nIt is the last window, so session ${window.session} closes too.` : ''
  const panes = window.panes.length > 1 ? ` with its ${window.panes.length} panes` : ''
  return {
    title: `Close window ${windowTitle(window)}?`,
    verb: 'Close window',
    text: `This closes ${windowTitle(window)}${panes}.\n${stopText([window])}${last}`,
  }
}

/** `all`: every window, to tell which sessions close too. */
export function closeWindowsQuestion(
  windows: readonly ListedWindow[],
  all: readonly ListedWindow[],
): CloseQuestion {
  const [only] = windows
  const isClosing = new Set(windows.map(({ windowId }) => windowId))
  const sessions = [...new Set(windows.map(({ session }) => session))].filter((session) =>
    all.every((window) => window.session !== session || isClosing.has(window.windowId)),
  )
  if (windows.length === 1 && only) return closeWindowQuestion(only, sessions.length > 0)
  const lines = windows.map((window) => {
    const names = running([window])
    return `• ${windowTitle(window)}${names.length ? `: stops ${listNames(names)}` : ''}`
  })
  const last = sessions.length
    ? `\nAll their windows close, so these sessions close too: ${sessions.join(', ')}.`
    : ''
  return {
    title: `Close ${windows.length} windows?`,
    verb: `Close ${windows.length} windows`,
    text: `${lines.join('\n')}${last}`,
  }
}

export function closePaneQuestion(window: ClosedWindow, pane: ClosedPane, isLast: boolean): CloseQuestion {
  const agents = window.agents.filter(({ paneId }) => paneId === pane.paneId)
  if (window.panes.length === 1) return closeWindowQuestion(window, isLast)
  return {
    title: `Close pane ${pane.paneIndex} of ${windowTitle(window)}?`,
    verb: 'Close pane',
    text: `The other ${countText(window.panes.length - 1, 'pane')} of ${windowTitle(window)} will stay open.\n${stopText([{ panes: [pane], agents }])}`,
  }
}

function stopText(windows: readonly Running[]): string {
  const names = running(windows)
  return names.length ? `Stops: ${listNames(names)}.` : 'Only idle shells are running.'
}

function listNames(names: readonly string[]): string {
  const more = names.length - NAME_LIMIT
  return more > 0 ? `${names.slice(0, NAME_LIMIT).join(', ')} and ${more} more` : names.join(', ')
}

function countText(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
