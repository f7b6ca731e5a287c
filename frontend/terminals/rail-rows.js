// What the rail says of windows and panes, and which of them a filter leaves. Pure.
import { activePane } from '../page/workspace.js'

const HOMES = /^(\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/
const LONGEST_PATH = 32

/** `~/code/shop`; of a long path the end, which is what tells directories apart. */
export function shortPath(path) {
  const short = path.replace(HOMES, '~')
  if (short.length <= LONGEST_PATH) return short
  const parts = short.split('/')
  while (parts.length > 1 && parts.join('/').length > LONGEST_PATH - 2) parts.shift()
  return `…/${parts.join('/')}`
}

/** How long ago, in the fewest words; `seconds` since 1970, `now` in milliseconds. */
export function ago(seconds, now) {
  const minutes = Math.floor((now / 1000 - seconds) / 60)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / (24 * 60))} d`
}

/** The tree with only those windows that have every word of the filter somewhere. */
export function filtered(projects, filter) {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return projects
  const fits = (window) => words.every((word) => wordsOf(window).includes(word))
  return projects.map((project) => ({ ...project, windows: project.windows.filter(fits) })).filter(({ windows }) => windows.length)
}

/** `3 agents`, or `1 of 3 agents` where the filter hides some. */
export function agentCount(projects, total, filter) {
  const shown = projects.flatMap(({ windows }) => windows).reduce((sum, { agents }) => sum + agents.length, 0)
  const noun = total === 1 ? 'agent' : 'agents'
  return filter.trim() ? `${shown} of ${total} ${noun}` : `${total} ${noun}`
}

/** What a screen reader says of a row, beyond its name. */
export function stateWords({ state, unseen, bell }) {
  return [state, unseen && 'new output', bell && 'bell'].filter(Boolean).join(', ')
}

/** What runs in a window: its agents, or the program in front. */
export function runs(window) {
  const runtimes = [...new Set(window.agents.map(({ runtime }) => runtime))]
  return runtimes.join(', ') || (activePane(window)?.command ?? '')
}

function wordsOf(window) {
  const panes = window.panes.flatMap(({ path, command, title }) => [path, command, title])
  const agents = window.agents.flatMap(({ name, runtime, state }) => [name, runtime, state])
  return [window.project, window.session, window.windowName, ...panes, ...agents].join('\n').toLowerCase()
}
