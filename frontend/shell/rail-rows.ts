// The texts of windows and panes in the sidebar, and its filter. Pure.
import { activePane, type ProjectRow, type WindowRow } from '../core/workspace'

const HOMES = /^(\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/
const PATH_LIMIT = 32

/** `~/code/shop`; a long path is shortened to its end, which distinguishes directories. */
export function shortPath(path: string): string {
  const short = path.replace(HOMES, '~')
  if (short.length <= PATH_LIMIT) return short
  const parts = short.split('/')
  while (parts.length > 1 && parts.join('/').length > PATH_LIMIT - 2) parts.shift()
  return `…/${parts.join('/')}`
}

/** How long ago, in short form; `seconds` since 1970, `now` in milliseconds. */
export function ago(seconds: number, now: number): string {
  const minutes = Math.floor((now / 1000 - seconds) / 60)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / (24 * 60))} d`
}

/** The tree with only the windows that contain every word of the filter. */
export function filtered(projects: ProjectRow[], filter: string): ProjectRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return projects
  const matches = (window: WindowRow) => words.every((word) => searchText(window).includes(word))
  return projects
    .map((project) => ({ ...project, windows: project.windows.filter(matches) }))
    .filter(({ windows }) => windows.length)
}

/** `3 agents`, or `1 of 3 agents` with a filter. */
export function agentCount(projects: readonly ProjectRow[], total: number, filter: string): string {
  const shown = projects.flatMap(({ windows }) => windows).reduce((sum, { agents }) => sum + agents.length, 0)
  const noun = total === 1 ? 'agent' : 'agents'
  return filter.trim() ? `${shown} of ${total} ${noun}` : `${total} ${noun}`
}

/** What a screen reader announces for a row after its name. */
export function stateText({ state, unseen, bell }: Pick<WindowRow, 'state' | 'unseen' | 'bell'>): string {
  return [state, unseen && 'new output', bell && 'bell'].filter(Boolean).join(', ')
}

/** What runs in a window: its agents, or the program in the foreground. */
export function runs(window: WindowRow): string {
  const runtimes = [...new Set(window.agents.map(({ runtime }) => runtime))]
  return runtimes.join(', ') || (activePane(window)?.command ?? '')
}

function searchText(window: WindowRow): string {
  const panes = window.panes.flatMap(({ path, command, title }) => [path, command, title])
  const agents = window.agents.flatMap(({ name, runtime, state }) => [name, runtime, state])
  return [window.project, window.session, window.windowName, ...panes, ...agents].join('\n').toLowerCase()
}
