// The deck of home: who is there and in which order, since when, and the last words of a screen. Pure.
import { allWindows } from '../page/workspace.js'

const STATES = ['waiting', 'working', 'idle']
const BORDER = /^[\s─━│┃╭╮╰╯┌┐└┘├┤═║╔╗╚╝▀▄█|+_=-]+$/
// The lines around an agent's input box, which say the same all day.
const HINT = /\? for shortcuts|context left|no sandbox|esc to (?:interrupt|cancel)|^\s*[>›❯$%#]\s*$|Type your message|Ask Codex to do/i
const LINE_LIMIT = 200

/** `{groups: [{title, cards: [{agent, window}]}], plain: [window], counts}`; the most urgent first. */
export function deckOf(store) {
  const windows = allWindows(store)
  const cards = windows.flatMap((window) => window.agents.map((agent) => ({ agent, window })))
  const of = (state) => cards.filter(({ agent }) => agent.state === state)
  const groups = [
    { title: 'Waiting for you', cards: of('waiting') },
    { title: 'Working and idle', cards: ['working', 'idle', 'unknown'].flatMap(of) },
  ]
  return {
    groups: groups.filter((group) => group.cards.length),
    plain: windows.filter((window) => window.agents.length === 0),
    counts: Object.fromEntries(STATES.map((state) => [state, of(state).length])),
  }
}

/**
 * Since when each agent has been in its state, as far as this page has seen it. One that rested when
 * the page came has rested since its window last printed; of one that worked it is not known.
 */
export class Since {
  #known = new Map() // name → {state, at}

  note(cards, now) {
    const before = this.#known
    this.#known = new Map(cards.map(({ agent, window }) => {
      const old = before.get(agent.name)
      if (old?.state === agent.state) return [agent.name, old]
      const first = agent.state === 'working' ? null : Math.min(window.activity * 1000, now)
      return [agent.name, { state: agent.state, at: old ? now : first }]
    }))
  }

  /** Milliseconds since 1970, or null. */
  of(name) { return this.#known.get(name)?.at ?? null }
}

/** The last lines with something to say: no borders, no input box, no hints. */
export function lastWords(screen, count = 2) {
  const lines = withoutInputBox(screen.split('\n').map((line) => line.trimEnd()))
  const said = lines.filter((line) => line.trim() && !BORDER.test(line) && !HINT.test(line))
  return said.slice(-count).map((line) => line.replace(/^[│┃|]\s?|\s*[│┃|]$/g, '').trim().slice(0, LINE_LIMIT))
}

/** A box whose lower border is near the end of the screen is where prompts are written. */
function withoutInputBox(lines) {
  const end = lines.findLastIndex((line) => line.trim())
  const bottom = lines.findLastIndex((line) => /^\s*[╰└]/.test(line))
  const top = lines.findLastIndex((line) => /^\s*[╭┌]/.test(line))
  return bottom > top && top >= 0 && end - bottom <= 3 ? lines.slice(0, top) : lines
}
