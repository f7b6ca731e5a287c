// Where the rows of a long list are: measured heights where a row was seen, estimates elsewhere.
// Pure: no DOM. A place in the list is named by a row and not by a number of pixels, so that what is
// learned or added above it moves nothing that is looked at.

export class Geometry {
  #keys = []
  #indexes = new Map() // key → index
  #heights = new Map() // key → measured height
  #sizes = [] // by index: measured or estimated
  #tops = [0] // the top of each row, and the end of the last
  #stale = 0 // tops behind this index are to be counted again

  /** `estimates[i]` stands for row i until it is measured. */
  setRows(keys, estimates) {
    this.#keys = keys
    this.#indexes = new Map(keys.map((key, index) => [key, index]))
    for (const key of this.#heights.keys()) if (!this.#indexes.has(key)) this.#heights.delete(key)
    this.#sizes = keys.map((key, index) => this.#heights.get(key) ?? estimates[index])
    this.#tops.length = keys.length + 1
    this.#stale = 0
  }

  get count() { return this.#keys.length }
  get total() { return this.top(this.count) }
  indexOf(key) { return this.#indexes.get(key) ?? -1 }

  /** Whether that is news. */
  measure(key, height) {
    const index = this.indexOf(key)
    if (index < 0 || this.#heights.get(key) === height) return false
    this.#heights.set(key, height)
    this.#sizes[index] = height
    this.#stale = Math.min(this.#stale, index)
    return true
  }

  top(index) {
    for (; this.#stale < this.count; this.#stale++) this.#tops[this.#stale + 1] = this.#tops[this.#stale] + this.#sizes[this.#stale]
    return this.#tops[Math.max(0, Math.min(index, this.count))]
  }

  /** The row at this height; the first or last where there is none. */
  indexAt(y) {
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.top(middle) <= y) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The rows that a view of this height shows, from `first` up to but without `end`. */
  range(scrollTop, viewHeight, beyond) {
    if (!this.count) return { first: 0, end: 0 }
    return {
      first: this.indexAt(scrollTop - beyond),
      end: this.indexAt(scrollTop + viewHeight + beyond) + 1,
    }
  }

  /** What stands at the top of the view: a row, and how far into it. */
  anchorAt(scrollTop) {
    if (!this.count) return null
    const index = this.indexAt(scrollTop)
    return { key: this.#keys[index], offset: scrollTop - this.top(index) }
  }

  /** Where to scroll so that the anchor stands at the top again; null where its row is gone. */
  scrollTo(anchor) {
    const index = anchor ? this.indexOf(anchor.key) : -1
    return index < 0 ? null : this.top(index) + anchor.offset
  }
}
