// A list of any length that renders only the visible rows. Keeps the visible content in place while rows
// are added, removed or measured, and stays at its end if it is there. Emits `near-start` and `near-end`
// when more should be loaded, and `moved` with {atEnd}.
import { customElement, html, property, query, repeat, type TemplateResult, View } from '../core/view'
import { type Anchor, Geometry } from './list-geometry'

const OVERSCAN_PX = 900 // rendered above and below the view, so that not every scroll event renders
const MIN_OVERSCAN_PX = 300 // minimum of that before it renders again
const NEAR_PX = 1800 // distance from an edge at which the next page is loaded
const MEASURE_ROUNDS = 4 // a measured row may make another one visible
const SLACK_PX = 2 // browsers round scroll positions

export interface ListItem {
  key: string
}

/**
 * `row` and `estimate` are used by the next `refresh()`, which renders at once: rows are measured in the
 * same task, so that the content does not jump.
 */
@customElement('virtual-list')
export class VirtualList<Item extends ListItem = ListItem> extends View {
  /** The template of an item: one element. */
  row: (item: Item) => TemplateResult = () => html``
  /** The height of a row that was not rendered yet, in pixels. */
  estimate: (item: Item) => number = () => 60
  /** Stays at the end when scrolled there. */
  @property({ attribute: false }) sticky = true
  @query('.virtual-space') private space!: HTMLElement | null
  @query('.virtual-rows') private rows!: HTMLElement | null

  #drawn = { first: 0, end: 0 } // the rendered rows
  #items: readonly Item[] = []
  #geometry = new Geometry()
  #anchor: Anchor | null = null
  #atEnd = true
  #ownPosition = -1 // the last position set by the list itself
  #sizes = new ResizeObserver(() => this.refresh())

  override connectedCallback(): void {
    super.connectedCallback()
    this.#atEnd = this.sticky
    this.addEventListener('scroll', this.#onScroll, { passive: true })
    this.#sizes.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.removeEventListener('scroll', this.#onScroll)
    this.#sizes.disconnect()
  }

  override render(): TemplateResult {
    const { first, end } = this.#drawn
    const rows = repeat(
      this.#items.slice(first, end),
      ({ key }) => key,
      (item) => this.row(item),
    )
    return html`<div class="virtual-space"><div class="virtual-rows">${rows}</div></div>`
  }

  get items(): readonly Item[] {
    return this.#items
  }

  set items(items: readonly Item[]) {
    this.#items = items
    this.#geometry.setRows(
      items.map(({ key }) => key),
      items.map(this.estimate),
    )
    this.refresh()
  }

  get atEnd(): boolean {
    return this.#atEnd
  }

  toEnd(): void {
    this.#atEnd = this.sticky
    this.#anchor = null
    if (!this.sticky) this.#scroll(this.#geometry.total)
    this.refresh()
  }

  toStart(): void {
    this.#atEnd = false
    this.#anchor = null
    this.#scroll(0)
  }

  /** Scrolls a row into view, a little below the top. Returns whether the row exists. */
  show(key: string): boolean {
    if (this.#geometry.indexOf(key) < 0) return false
    this.#atEnd = false
    this.#anchor = { key, offset: -this.clientHeight / 5 }
    this.refresh()
    return true
  }

  /** Renders and measures the visible rows. */
  refresh(): void {
    if (!this.isConnected || !this.clientHeight) return
    if (!this.hasUpdated) this.performUpdate()
    for (let round = 0; round < MEASURE_ROUNDS; round++) {
      this.#place()
      this.#draw()
      if (!this.#measure()) break
    }
    this.#place()
    this.#emitEdges()
  }

  #onScroll = () => {
    if (Math.abs(this.scrollTop - this.#ownPosition) < SLACK_PX) return
    this.#ownPosition = -1
    this.#atEnd = this.sticky && this.scrollTop + this.clientHeight >= this.scrollHeight - SLACK_PX
    const isAtStart = !this.sticky && this.scrollTop <= SLACK_PX
    this.#anchor = isAtStart ? null : this.#geometry.anchorAt(this.scrollTop)
    if (this.#covers()) this.#emitEdges()
    else this.refresh()
    this.dispatchEvent(new CustomEvent('moved', { detail: { atEnd: this.#atEnd } }))
  }

  /** Whether the rendered rows are enough for the current position. */
  #covers(): boolean {
    const { first, end } = this.#geometry.range(this.scrollTop, this.clientHeight, MIN_OVERSCAN_PX)
    return first >= this.#drawn.first && end <= this.#drawn.end
  }

  #place(): void {
    if (this.space) this.space.style.blockSize = `${Math.ceil(this.#geometry.total)}px`
    if (this.#atEnd) return this.#scroll(this.#geometry.total - this.clientHeight)
    const position = this.#geometry.scrollTo(this.#anchor)
    if (position !== null) this.#scroll(position)
  }

  #scroll(to: number): void {
    const top = Math.max(0, Math.min(to, this.#geometry.total - this.clientHeight))
    if (Math.abs(this.scrollTop - top) < 0.5) return
    this.scrollTop = top
    this.#ownPosition = this.scrollTop
  }

  #draw(): void {
    this.#drawn = this.#geometry.range(this.scrollTop, this.clientHeight, OVERSCAN_PX)
    if (this.rows) this.rows.style.transform = `translateY(${this.#geometry.top(this.#drawn.first)}px)`
    this.requestUpdate()
    this.performUpdate()
  }

  /** Returns whether a height has changed. */
  #measure(): boolean {
    const drawn = this.#items.slice(this.#drawn.first, this.#drawn.end)
    let changed = false
    for (const [index, element] of [...(this.rows?.children ?? [])].entries()) {
      const item = drawn[index]
      if (item && this.#geometry.measure(item.key, element.getBoundingClientRect().height)) changed = true
    }
    return changed
  }

  #emitEdges(): void {
    const below = this.#geometry.total - this.scrollTop - this.clientHeight
    if (this.scrollTop < NEAR_PX) this.dispatchEvent(new CustomEvent('near-start'))
    if (below < NEAR_PX) this.dispatchEvent(new CustomEvent('near-end'))
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'virtual-list': VirtualList
  }
}
