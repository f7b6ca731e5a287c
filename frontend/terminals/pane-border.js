// <pane-border>: the line between two panes, moved by pointer or arrow keys. Tells `move-border`
// with the size that its pane is to have; it stands in its new place once tmux says so.
import { View, nothing, states } from '../page/view.js'
import { sizeAfter } from './layouts.js'

const KEYS = { x: { ArrowLeft: -1, ArrowRight: 1 }, y: { ArrowUp: -1, ArrowDown: 1 } }
const STRIDE = 5 // cells, with Shift

class PaneBorder extends View {
  #from = null // where the pointer took hold

  constructor() {
    super()
    this.addEventListener('pointerdown', (event) => this.#take(event))
    this.addEventListener('pointermove', (event) => this.#drag(event))
    this.addEventListener('pointerup', (event) => this.#drop(event))
    this.addEventListener('pointercancel', () => this.#let())
    this.addEventListener('keydown', (event) => this.#press(event))
  }

  paint() {
    const { axis, size, room } = this.border
    const attributes = {
      role: 'separator', tabindex: 0, 'data-axis': axis,
      'aria-orientation': axis === 'x' ? 'vertical' : 'horizontal',
      'aria-label': axis === 'x' ? 'Width of the pane on the left' : 'Height of the pane above',
      'aria-valuenow': size, 'aria-valuemin': 1, 'aria-valuemax': room - 1,
    }
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, value)
    super.paint()
  }

  view() { return nothing }

  #take(event) {
    if (event.button !== 0) return
    event.preventDefault() // no text is marked on the way
    this.setPointerCapture(event.pointerId)
    this.#from = this.#at(event)
    this.toggleAttribute('data-dragged', true)
  }

  #drag(event) {
    if (this.#from === null) return
    this.style.translate = this.border.axis === 'x' ? `${this.#moved(event)}px` : `0 ${this.#moved(event)}px`
  }

  #drop(event) {
    if (this.#from === null) return
    const cells = Math.round(this.#moved(event) / this.#cell)
    this.#let()
    this.#move(cells)
  }

  #let() {
    this.#from = null
    this.style.translate = ''
    this.toggleAttribute('data-dragged', false)
  }

  #press(event) {
    const step = KEYS[this.border.axis][event.key]
    if (!step) return
    event.preventDefault()
    this.#move(event.shiftKey ? step * STRIDE : step)
  }

  #move(cells) {
    const { axis, pane, size } = this.border
    const wanted = sizeAfter(this.border, cells)
    if (wanted !== size) this.act('move-border', { pane, [axis === 'x' ? 'width' : 'height']: wanted })
  }

  get #cell() { return this.border.axis === 'x' ? this.cell.width : this.cell.height }
  #at(event) { return this.border.axis === 'x' ? event.clientX : event.clientY }

  /** Pixels, no further than the panes on both sides allow. */
  #moved(event) {
    const { size, sign, room } = this.border
    const ends = [1 - size, room - 1 - size].map((cells) => cells * sign * this.#cell)
    return Math.min(Math.max(...ends), Math.max(Math.min(...ends), this.#at(event) - this.#from))
  }
}

states(PaneBorder, { border: null, cell: null })
customElements.define('pane-border', PaneBorder)
