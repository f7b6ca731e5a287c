// <pane-border>: the line between two panes, moved by pointer or arrow keys. Runs `move-border` with the new
// size of its pane; it is rendered at its new place when tmux reports the layout.
import { customElement, nothing, property, View } from '../core/view'
import type { Area } from './cells'
import { type Axis, type Border, sizeAfter } from './layouts'

const KEYS: Record<Axis, Record<string, number>> = {
  x: { ArrowLeft: -1, ArrowRight: 1 },
  y: { ArrowUp: -1, ArrowDown: 1 },
}
// Cells, with Shift.
const LARGE_STEP = 5

@customElement('pane-border')
export class PaneBorder extends View {
  @property({ attribute: false }) border!: Border
  @property({ attribute: false }) cell!: Area
  // Pointer position at the start of the drag.
  #from: number | null = null

  constructor() {
    super()
    this.addEventListener('pointerdown', (event) => this.#startDrag(event))
    this.addEventListener('pointermove', (event) => this.#drag(event))
    this.addEventListener('pointerup', (event) => this.#drop(event))
    this.addEventListener('pointercancel', () => this.#endDrag())
    this.addEventListener('keydown', (event) => this.#onKeydown(event))
  }

  override render(): typeof nothing {
    return nothing
  }

  override updated(): void {
    const { axis, size, room } = this.border
    const attributes = {
      role: 'separator',
      tabindex: 0,
      'data-axis': axis,
      'aria-orientation': axis === 'x' ? 'vertical' : 'horizontal',
      'aria-label': axis === 'x' ? 'Width of the pane on the left' : 'Height of the pane above',
      'aria-valuenow': size,
      'aria-valuemin': 1,
      'aria-valuemax': room - 1,
    }
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, String(value))
  }

  #startDrag(event: PointerEvent): void {
    if (event.button !== 0) return
    // No text selection while dragging.
    event.preventDefault()
    this.setPointerCapture(event.pointerId)
    this.#from = this.#positionOf(event)
    this.toggleAttribute('data-dragged', true)
  }

  #drag(event: PointerEvent): void {
    if (this.#from === null) return
    const distance = this.#distance(event, this.#from)
    this.style.translate = this.border.axis === 'x' ? `${distance}px` : `0 ${distance}px`
  }

  #drop(event: PointerEvent): void {
    if (this.#from === null) return
    const cells = Math.round(this.#distance(event, this.#from) / this.#cellLength)
    this.#endDrag()
    this.#move(cells)
  }

  #endDrag(): void {
    this.#from = null
    this.style.translate = ''
    this.toggleAttribute('data-dragged', false)
  }

  #onKeydown(event: KeyboardEvent): void {
    const step = KEYS[this.border.axis][event.key]
    if (!step) return
    event.preventDefault()
    this.#move(event.shiftKey ? step * LARGE_STEP : step)
  }

  #move(cells: number): void {
    const { axis, pane, size } = this.border
    const newSize = sizeAfter(this.border, cells)
    if (newSize !== size) this.act('move-border', { pane, [axis === 'x' ? 'width' : 'height']: newSize })
  }

  get #cellLength(): number {
    return this.border.axis === 'x' ? this.cell.width : this.cell.height
  }

  #positionOf(event: PointerEvent): number {
    return this.border.axis === 'x' ? event.clientX : event.clientY
  }

  /** The drag distance in pixels, limited by the panes on both sides. */
  #distance(event: PointerEvent, from: number): number {
    const { size, sign, room } = this.border
    const ends = [1 - size, room - 1 - size].map((cells) => cells * sign * this.#cellLength)
    return Math.min(Math.max(...ends), Math.max(Math.min(...ends), this.#positionOf(event) - from))
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pane-border': PaneBorder
  }
}
