// The last words of screens that are looked at, read by REST: a few at a time, again only when a window
// has printed, and never more often than it is worth. Tells `change`.
import { lastWords } from './deck.js'

const AT_ONCE = 2
const LINES = 24
// tmux tells when a window printed in whole seconds: after the next one begins, all of it is there.
const PAUSE_MS = 1_200
const KEPT = 200

export class Previews extends EventTarget {
  #ask // (pane) → promise of the screen's text
  #known = new Map() // pane → {activity, lines}
  #waiting = new Map() // pane → timer, or null while it stands in the queue
  #queue = []
  #busy = 0

  constructor(ask) {
    super()
    this.#ask = ask
  }

  lines(pane) { return this.#known.get(pane)?.lines ?? [] }

  /** Somebody looks at this pane, whose window last printed at `activity`. */
  want(pane, activity) {
    const known = this.#known.get(pane)
    if (this.#waiting.has(pane) || known?.activity === activity) return
    const timer = setTimeout(() => {
      this.#waiting.set(pane, null)
      this.#queue.push({ pane, activity })
      this.#work()
    }, known ? PAUSE_MS : 0)
    this.#waiting.set(pane, timer)
  }

  /** Nobody looks any more. */
  stop() {
    for (const timer of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
    this.#queue = []
  }

  async #work() {
    if (this.#busy >= AT_ONCE) return
    const next = this.#queue.shift()
    if (!next) return
    this.#busy += 1
    const text = await this.#ask(next.pane, LINES).catch(() => null) // gone: the card goes too
    this.#busy -= 1
    this.#waiting.delete(next.pane)
    this.#keep(next, text)
    this.#work()
  }

  #keep({ pane, activity }, text) {
    const isOver = Date.now() >= (activity + 1) * 1000 // else more may come in the same second
    this.#known.delete(pane)
    this.#known.set(pane, { activity: isOver ? activity : null, lines: text === null ? [] : lastWords(text) })
    if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value)
    this.dispatchEvent(new CustomEvent('change'))
  }
}
