// Touch gestures on the terminal area: two fingers zoom, one pans a window that is larger than its container
// (otherwise it scrolls: touch-scroll.ts), a double tap toggles between full width and readable. The size
// of the tmux window does not change.
import type { PageElements } from '../core/services'
import { measure } from '../terminals/cells'
import { fontSettings } from '../terminals/font-settings'
import { shapeOf } from '../terminals/layouts'
import {
  anchoredScroll,
  direction,
  distance,
  fullWidthFont,
  middle,
  type Point,
  pinchedFont,
  scrollable,
  toggledFont,
} from './zooming'

type TerminalArea = PageElements['terminals']
type WindowView = NonNullable<TerminalArea['current']>
type Pan = { kind: 'pan' } & Point
interface Pinch {
  kind: 'pinch'
  apart: number
  font: number
}

const DOUBLE_TAP_MS = 300
const DOUBLE_TAP_PX = 30
const MEASURED_PX = 20

export function panAndZoom(area: TerminalArea): void {
  const gestures = new TouchGestures(area)
  // In the capture phase: before the terminals, which scroll by touch.
  const options = { capture: true, passive: false }
  area.addEventListener('touchstart', (event) => gestures.start(event), options)
  area.addEventListener('touchmove', (event) => gestures.move(event), options)
  area.addEventListener('touchend', (event) => gestures.end(event), options)
}

class TouchGestures {
  #area: TerminalArea
  #from: Pan | Pinch | null = null
  #axis: 'x' | 'y' | '' = ''
  #tap = { x: 0, y: 0, at: Number.NEGATIVE_INFINITY }

  constructor(area: TerminalArea) {
    this.#area = area
  }

  start(event: TouchEvent): void {
    const [first, second, ...others] = event.touches
    this.#axis = ''
    this.#from = null
    if (!first || others.length > 0) return
    if (second) {
      event.stopPropagation()
      this.#from = { kind: 'pinch', apart: distance(first, second), font: this.#area.shownFontSize }
    } else this.#from = { kind: 'pan', x: first.clientX, y: first.clientY }
  }

  move(event: TouchEvent): void {
    const view = this.#area.current
    const [first, second, ...others] = event.touches
    if (!view || !first || others.length > 0) return
    if (second && this.#from?.kind === 'pinch') this.#pinch(event, view, this.#from, first, second)
    else if (!second && this.#from?.kind === 'pan') this.#pan(event, view, this.#from, first)
  }

  end(event: TouchEvent): void {
    const from = this.#from
    const view = this.#area.current
    if (event.touches.length > 0) return
    this.#from = null
    if (from?.kind !== 'pan' || this.#axis || !view) return
    const now = performance.now()
    const near = Math.hypot(from.x - this.#tap.x, from.y - this.#tap.y) < DOUBLE_TAP_PX
    const twice = near && now - this.#tap.at < DOUBLE_TAP_MS
    this.#tap = { x: from.x, y: from.y, at: twice ? Number.NEGATIVE_INFINITY : now }
    if (!twice) return
    event.preventDefault() // neither a click nor a text selection
    this.#zoom(view, toggledFont(this.#area.shownFontSize, fullWidth(view)), from)
  }

  #pinch(event: TouchEvent, view: WindowView, { font, apart }: Pinch, first: Touch, second: Touch): void {
    consume(event)
    this.#zoom(view, pinchedFont(font, apart, distance(first, second)), middle(first, second))
  }

  #pan(event: TouchEvent, view: WindowView, from: Pan, { clientX: x, clientY: y }: Touch): void {
    this.#axis ||= direction(from.x - x, from.y - y)
    if (!this.#axis) return
    const { scrollLeft, scrollWidth, clientWidth, scrollTop, scrollHeight, clientHeight } = view
    const across = scrollable({ scroll: scrollLeft, inner: scrollWidth, outer: clientWidth }, from.x - x)
    const down = scrollable({ scroll: scrollTop, inner: scrollHeight, outer: clientHeight }, from.y - y)
    this.#from = { kind: 'pan', x, y }
    view.scrollLeft += across
    view.scrollTop += down
    // At the edge, or if everything is visible, vertical movement scrolls the terminal.
    if (this.#axis === 'x' || down !== 0) consume(event)
  }

  #zoom(view: WindowView, font: number, { x, y }: Point): void {
    const ratio = font / this.#area.shownFontSize
    if (ratio === 1) return
    const { left, top } = view.getBoundingClientRect()
    const to = {
      left: anchoredScroll(view.scrollLeft, x - left, ratio),
      top: anchoredScroll(view.scrollTop, y - top, ratio),
    }
    this.#area.fontSize = font
    // After it is rendered in this size.
    requestAnimationFrame(() => view.scrollTo({ ...to, behavior: 'instant' }))
  }
}

/** The font size that shows every column. */
function fullWidth(view: WindowView): number {
  const { paddingLeft, paddingRight } = getComputedStyle(view)
  const width = view.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
  const ratio = measure(fontSettings().family, MEASURED_PX).width / MEASURED_PX
  return fullWidthFont(shapeOf(view.window)?.cols ?? 1, width, ratio)
}

/** Keeps the gesture from the terminal and the browser. */
function consume(event: TouchEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
