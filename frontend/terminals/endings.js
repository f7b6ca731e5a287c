// What ends when something is deleted, in words for the question before. Pure.

const SHELLS = new Set(['sh', 'bash', 'zsh', 'fish', 'dash', 'ksh', 'ash', 'tcsh', 'login'])
const MOST = 6 // names in one list; more are counted

/** Agents by name, and other programs that are no idle shell. */
export function running(windows) {
  const agents = windows.flatMap((window) => window.agents)
  const taken = new Set(agents.map(({ paneId }) => paneId))
  const programs = windows.flatMap(({ panes }) => panes)
    .filter(({ paneId, command, dead }) => !dead && !taken.has(paneId) && !SHELLS.has(command))
  return [...agents.map(({ name, runtime }) => `${name} (${runtime})`), ...programs.map(({ command }) => command)]
}

export function sessionEnding({ session, windows }) {
  const names = listed(windows.map(({ windowName }) => windowName))
  return {
    title: `End the session ${session}?`, verb: 'End session',
    text: `${counted(windows.length, 'window')} will end: ${names}.\n${stops(windows)}\nNotes and chat of the project are kept.`,
  }
}

export function windowEnding(window, isLast) {
  const last = isLast ? `\nIt is the last window: the session ${window.session} ends too.` : ''
  const panes = window.panes.length > 1 ? ` with its ${window.panes.length} panes` : ''
  return {
    title: `End the window ${window.windowName}?`, verb: 'End window',
    text: `${window.windowName} of ${window.project} will end${panes}.\n${stops([window])}${last}`,
  }
}

export function paneEnding(window, pane, isLast) {
  const only = { ...window, panes: [pane], agents: window.agents.filter(({ paneId }) => paneId === pane.paneId) }
  if (window.panes.length === 1) return windowEnding(window, isLast)
  return {
    title: `End pane ${pane.paneIndex} of ${window.windowName}?`, verb: 'End pane',
    text: `The other ${counted(window.panes.length - 1, 'pane')} of ${window.windowName} will stay.\n${stops([only])}`,
  }
}

function stops(windows) {
  const names = running(windows)
  return names.length ? `Stops: ${listed(names)}.` : 'Nothing but idle shells is running there.'
}

function listed(names) {
  const more = names.length - MOST
  return more > 0 ? `${names.slice(0, MOST).join(', ')} and ${more} more` : names.join(', ')
}

function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
