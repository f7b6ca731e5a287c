// Positions of the rows of a long list: measured heights where known, estimates elsewhere. Pure: no DOM.
// A scroll position is kept as a row and an offset, not in pixels, so that rows added or measured above
// it do not move the visible content.

/** A row, and how far it is scrolled out of the view. */
export interface Anchor {
  key: string
  offset: number
}

export class Geometry {
  #keys: readonly string[] = []
  #indexes = new Map<string, number>() // key → index
  #heights = new Map<string, number>() // key → measured height
  #sizes: number[] = [] // by index: measured or estimated
  #tops = [0] // the top of each row, and the end of the last
  #stale = 0 // tops after this index must be computed again

  /** `estimates[i]` is used for row i until it is measured. */
  setRows(keys: readonly string[], estimates: readonly number[]): void {
    this.#keys = keys
    this.#indexes = new Map(keys.map((key, index) => [key, index]))
    for (const key of this.#heights.keys()) if (!this.#indexes.has(key)) this.#heights.delete(key)
    this.#sizes = keys.map((key, index) => this.#heights.get(key) ?? estimates[index] ?? 0)
    this.#tops.length = keys.length + 1
    this.#stale = 0
  }

  get count(): number {
    return this.#keys.length
  }

  get total(): number {
    return this.top(this.count)
  }

  indexOf(key: string): number {
    return this.#indexes.get(key) ?? -1
  }

  /** Returns whether the height changed. */
  measure(key: string, height: number): boolean {
    const index = this.indexOf(key)
    if (index < 0 || this.#heights.get(key) === height) return false
    this.#heights.set(key, height)
    this.#sizes[index] = height
    this.#stale = Math.min(this.#stale, index)
    return true
  }

  top(index: number): number {
    for (; this.#stale < this.count; this.#stale++) {
      this.#tops[this.#stale + 1] = (this.#tops[this.#stale] ?? 0) + (this.#sizes[this.#stale] ?? 0)
    }
    return this.#tops[Math.max(0, Math.min(index, this.count))] ?? 0
  }

  /** The row at this height, limited to the first and last row. */
  indexAt(y: number): number {
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.top(middle) <= y) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The rows visible in a view of this height, from `first` up to but excluding `end`. */
  range(scrollTop: number, viewHeight: number, beyond: number): { first: number; end: number } {
    if (!this.count) return { first: 0, end: 0 }
    return {
      first: this.indexAt(scrollTop - beyond),
      end: this.indexAt(scrollTop + viewHeight + beyond) + 1,
    }
  }

  /** The row at the top of the view, and how far it is scrolled. */
  anchorAt(scrollTop: number): Anchor | null {
    const index = this.indexAt(scrollTop)
    const key = this.#keys[index]
    return key === undefined ? null : { key, offset: scrollTop - this.top(index) }
  }

  /** The scroll position that restores the anchor; null if its row is gone. */
  scrollTo(anchor: Anchor | null): number | null {
    if (!anchor) return null
    const index = this.indexOf(anchor.key)
    return index < 0 ? null : this.top(index) + anchor.offset
  }
}
