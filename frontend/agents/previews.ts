// The last lines of visible panes, loaded by REST: a few at a time, again only after the window has
// printed, and not too often. Emits `change`.
import { typedTarget } from '../core/events'
import { lastLines } from './deck'

const CONCURRENT = 2
const LINES = 24
// tmux reports activity in whole seconds: once the next second has started, the output is complete.
const PAUSE_MS = 1_200
const PREVIEW_LIMIT = 200

/** Loads the last lines of the screen of a pane. */
export type LoadScreen = (pane: string, lines: number) => Promise<string>

interface Request {
  pane: string
  activity: number
}
interface Preview {
  /** When its window last printed; null if more may have been printed in the same second. */
  activity: number | null
  lines: string[]
}

export class Previews extends typedTarget<{ change: null }>() {
  #load: LoadScreen
  // By pane.
  #previews = new Map<string, Preview>()
  // pane → timer, or null while it is queued
  #scheduled = new Map<string, ReturnType<typeof setTimeout> | null>()
  #queue: Request[] = []
  #busy = 0

  constructor(load: LoadScreen) {
    super()
    this.#load = load
  }

  lines(pane: string): readonly string[] {
    return this.#previews.get(pane)?.lines ?? []
  }

  /** Requests a pane that is visible and whose window last printed at `activity`. */
  want(pane: string, activity: number): void {
    const current = this.#previews.get(pane)
    if (this.#scheduled.has(pane) || current?.activity === activity) return
    const request = () => {
      this.#scheduled.set(pane, null)
      this.#queue.push({ pane, activity })
      void this.#next()
    }
    this.#scheduled.set(pane, setTimeout(request, current ? PAUSE_MS : 0))
  }

  /** Cancels all requests: nothing is visible. */
  stop(): void {
    for (const timer of this.#scheduled.values()) if (timer !== null) clearTimeout(timer)
    this.#scheduled.clear()
    this.#queue = []
  }

  async #next(): Promise<void> {
    if (this.#busy >= CONCURRENT) return
    const request = this.#queue.shift()
    if (!request) return
    this.#busy += 1
    // The pane is gone: its card disappears too.
    const text = await this.#load(request.pane, LINES).catch(() => null)
    this.#busy -= 1
    this.#scheduled.delete(request.pane)
    this.#save(request, text)
    void this.#next()
  }

  #save({ pane, activity }: Request, text: string | null): void {
    // Otherwise more may be printed in the same second.
    const isComplete = Date.now() >= (activity + 1) * 1000
    this.#previews.delete(pane)
    this.#previews.set(pane, {
      activity: isComplete ? activity : null,
      lines: text === null ? [] : lastLines(text),
    })
    for (const oldest of this.#previews.keys()) {
      if (this.#previews.size <= PREVIEW_LIMIT) break
      this.#previews.delete(oldest)
    }
    this.dispatchEvent(new CustomEvent('change'))
  }
}
