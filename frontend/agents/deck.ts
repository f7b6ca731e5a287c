// The deck of the home view: agents and their order, how long each has its state, and last lines. Pure.
import type { AgentOut, AgentState } from '../core/generated/socket'
import type { Store } from '../core/store'
import { allWindows, type UrgentState, type WindowRow } from '../core/workspace'

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
  const [waiting, working, idle] = [inState('waiting'), inState('working'), inState('idle')]
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

interface StateTime {
  state: AgentState
  at: number | null
}

/**
 * Since when each agent has been in its state, as far as this page knows. An agent that was not working
 * when the page opened has its state since its window last printed; for a working one it is unknown.
 */
export class StateTimes {
  #entries = new Map<string, StateTime>() // by the name of the agent

  record(cards: readonly Card[], now: number): void {
    const before = this.#entries
    this.#entries = new Map(
      cards.map(({ agent, window }) => {
        const previous = before.get(agent.name)
        if (previous?.state === agent.state) return [agent.name, previous]
        const first = agent.state === 'working' ? null : Math.min(window.activity * 1000, now)
        return [agent.name, { state: agent.state, at: previous ? now : first }]
      }),
    )
  }

  /** Milliseconds since 1970, or null. */
  since(name: string): number | null {
    return this.#entries.get(name)?.at ?? null
  }
}

/** For the deck and the sidebar, which show the same. */
export const stateTimes = new StateTimes()

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
