// A list of any length of which only the visible rows are in the page. It keeps what is looked at in
// its place while rows are added, removed or measured, and stays at its end if it is there.
// Tells `near-start` and `near-end` when it is time to load more, and `moved` with {atEnd}.
import { html, render, repeat } from '../page/view.js'
import { Geometry } from './list-geometry.js'

const BEYOND_PX = 900 // rows drawn above and below the view, so that not every frame draws
const LEAST_PX = 300 // of them, until others are drawn
const NEAR_PX = 1800 // from an edge: time to load the page behind it
const ROUNDS = 4 // a row that is measured may let another one in
const SLACK_PX = 2 // browsers round where they scroll to

class VirtualList extends HTMLElement {
  row = () => '' // (item, index) → template; its one element is the row
  keyOf = (item) => item.key
  estimate = () => 60 // (item) → px
  sticky = true // stays at the end while it is there

  drawn = { first: 0, end: 0 } // the rows that are in the page
  #items = []
  #geometry = new Geometry()
  #anchor = null
  #stuck = true
  #aim = -1 // where we scrolled to ourselves
  #sizes = new ResizeObserver(() => this.refresh())

  connectedCallback() {
    this.#stuck = this.sticky
    this.addEventListener('scroll', this.#scrolled, { passive: true })
    this.#sizes.observe(this)
  }

  disconnectedCallback() {
    this.removeEventListener('scroll', this.#scrolled)
    this.#sizes.disconnect()
  }

  get items() { return this.#items }
  set items(items) {
    this.#items = items
    this.#geometry.setRows(items.map(this.keyOf), items.map(this.estimate))
    this.refresh()
  }

  get atEnd() { return this.#stuck }

  toEnd() {
    this.#stuck = this.sticky
    this.#anchor = null
    if (!this.sticky) this.#scroll(this.#geometry.total)
    this.refresh()
  }

  toStart() {
    this.#stuck = false
    this.#anchor = null
    this.#scroll(0)
  }

  /** Puts a row into view, a little below the top. */
  show(key) {
    if (this.#geometry.indexOf(key) < 0) return false
    this.#stuck = false
    this.#anchor = { key, offset: -this.clientHeight / 5 }
    this.refresh()
    return true
  }

  /** Draws what is visible now, and measures it. */
  refresh() {
    if (!this.isConnected || !this.clientHeight) return
    for (let round = 0; round < ROUNDS; round++) {
      this.#place()
      this.#draw()
      if (!this.#measure()) break
    }
    this.#place()
    this.#tellEdges()
  }

  #scrolled = () => {
    if (Math.abs(this.scrollTop - this.#aim) < SLACK_PX) return
    this.#aim = -1
    this.#stuck = this.sticky && this.scrollTop + this.clientHeight >= this.scrollHeight - SLACK_PX
    this.#anchor = !this.sticky && this.scrollTop <= SLACK_PX ? null : this.#geometry.anchorAt(this.scrollTop)
    if (this.#covers()) this.#tellEdges()
    else this.refresh()
    this.dispatchEvent(new CustomEvent('moved', { detail: { atEnd: this.#stuck } }))
  }

  /** Whether what is drawn is enough for where the view is now. */
  #covers() {
    const { first, end } = this.#geometry.range(this.scrollTop, this.clientHeight, LEAST_PX)
    return first >= this.drawn.first && end <= this.drawn.end
  }

  #place() {
    this.#space().style.blockSize = `${Math.ceil(this.#geometry.total)}px`
    if (this.#stuck) return this.#scroll(this.#geometry.total - this.clientHeight)
    const wanted = this.#geometry.scrollTo(this.#anchor)
    if (wanted !== null) this.#scroll(wanted)
  }

  #scroll(to) {
    const top = Math.max(0, Math.min(to, this.#geometry.total - this.clientHeight))
    if (Math.abs(this.scrollTop - top) < 0.5) return
    this.scrollTop = top
    this.#aim = this.scrollTop
  }

  #draw() {
    const { first, end } = this.#geometry.range(this.scrollTop, this.clientHeight, BEYOND_PX)
    const rows = this.#items.slice(first, end)
    const window = this.#space().firstElementChild
    window.style.transform = `translateY(${this.#geometry.top(first)}px)`
    render(html`${repeat(rows, this.keyOf, (item, at) => this.row(item, first + at))}`, window)
    this.drawn = { first, end }
  }

  #measure() {
    let news = false
    const rows = this.#space().firstElementChild.children
    for (let at = 0; at < rows.length; at++) {
      const key = this.keyOf(this.#items[this.drawn.first + at])
      news = this.#geometry.measure(key, rows[at].getBoundingClientRect().height) || news
    }
    return news
  }

  #space() {
    if (!this.firstElementChild) {
      const space = document.createElement('div')
      space.className = 'virtual-space'
      space.append(document.createElement('div'))
      space.firstElementChild.className = 'virtual-rows'
      this.append(space)
    }
    return this.firstElementChild
  }

  #tellEdges() {
    if (this.scrollTop < NEAR_PX) this.dispatchEvent(new CustomEvent('near-start'))
    if (this.#geometry.total - this.scrollTop - this.clientHeight < NEAR_PX) this.dispatchEvent(new CustomEvent('near-end'))
  }
}

customElements.define('virtual-list', VirtualList)
