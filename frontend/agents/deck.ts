// The deck of the home view: agents and their order, and last lines. Pure.
import type { AgentOut, AgentState } from '../core/generated/socket'
import type { Store } from '../core/store'
import { allWindows, longestFirst, type UrgentState, type WindowRow } from '../core/workspace'

export interface Card {
  agent: AgentOut
  window: WindowRow
}
export interface Deck {
  groups: { title: string; cards: Card[] }[]
  /** Windows without an agent. */
  plain: WindowRow[]
  counts: Record<UrgentState, number>
}

const BORDER = /^[\s─━│┃╭╮╰╯┌┐└┘├┤═║╔╗╚╝▀▄█|+_=-]+$/
// Lines around the input box of an agent that always say the same.
const HINT =
  /\? for shortcuts|context left|no sandbox|esc to (?:interrupt|cancel)|^\s*[>›❯$%#]\s*$|Type your message|Ask Codex to do/i
const LINE_LIMIT = 200

/** The cards and windows, most urgent first. */
export function deckOf(store: Store): Deck {
  const windows = allWindows(store)
  const cards = windows.flatMap((window) => window.agents.map((agent) => ({ agent, window })))
  const inState = (state: AgentState) => cards.filter(({ agent }) => agent.state === state)
  const [waiting, working, idle] = [
    inState('waiting').sort((a, b) => longestFirst(a.agent, b.agent)),
    inState('working'),
    inState('idle'),
  ]
  const others = [...working, ...idle, ...inState('unknown')]
  const groups = [
    { title: 'Waiting for you', cards: waiting },
    { title: 'Pinned', cards: others.filter(({ window }) => window.pinned) },
    { title: 'Working and idle', cards: others.filter(({ window }) => !window.pinned) },
  ]
  return {
    groups: groups.filter((group) => group.cards.length),
    plain: windows.filter((window) => window.agents.length === 0),
    counts: { waiting: waiting.length, working: working.length, idle: idle.length },
  }
}

/** The last lines with content: no borders, input box or hints. */
export function lastLines(screen: string, count = 2): string[] {
  const lines = withoutInputBox(screen.split('\n').map((line) => line.trimEnd()))
  const content = lines.filter((line) => line.trim() && !BORDER.test(line) && !HINT.test(line))
  return content.slice(-count).map((line) =>
    line
      .replace(/^[│┃|]\s?|\s*[│┃|]$/g, '')
      .trim()
      .slice(0, LINE_LIMIT),
  )
}

/** A box whose lower border is near the end of the screen is the input box. */
function withoutInputBox(lines: string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim())
  const bottom = lines.findLastIndex((line) => /^\s*[╰└]/.test(line))
  const top = lines.findLastIndex((line) => /^\s*[╭┌]/.test(line))
  return bottom > top && top >= 0 && end - bottom <= 3 ? lines.slice(0, top) : lines
}
