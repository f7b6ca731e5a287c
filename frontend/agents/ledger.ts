// The state of things that were sent, by the name of the receiver: one place for all elements that show it.
// Emits `change`. Limited in size; the oldest entries are removed first.
import { typedTarget } from '../core/events'

export class Ledger<Entry> extends typedTarget<{ change: null }>() {
  #entries = new Map<string, Entry>()
  #limit: number

  constructor(limit = 50) {
    super()
    this.#limit = limit
  }

  get(name: string): Entry | null {
    return this.#entries.get(name) ?? null
  }

  put(name: string, entry: Entry): void {
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break
      this.#entries.delete(oldest)
    }
    this.dispatchEvent(new CustomEvent('change'))
  }

  drop(name: string): void {
    if (this.#entries.delete(name)) this.dispatchEvent(new CustomEvent('change'))
  }

  /** [name, entry] of the matching entries. */
  filter(matches: (entry: Entry) => boolean): [string, Entry][] {
    return [...this.#entries].filter(([, entry]) => matches(entry))
  }
}
