// What became of things that were sent, by the name of whom they went to: one place for all that show
// it. Tells `change`. Holds a bounded number; the oldest go first.

export class Ledger extends EventTarget {
  #entries = new Map()
  #limit

  constructor(limit = 50) {
    super()
    this.#limit = limit
  }

  get(name) { return this.#entries.get(name) ?? null }

  put(name, entry) {
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    while (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value)
    this.dispatchEvent(new CustomEvent('change'))
  }

  drop(name) {
    if (this.#entries.delete(name)) this.dispatchEvent(new CustomEvent('change'))
  }

  /** [name, entry] of those that are meant. */
  filter(isMeant) { return [...this.#entries].filter(([, entry]) => isMeant(entry)) }
}
