// Fingers on the terminal area: two zoom the letters, one moves a window that is larger than its
// place (and else scrolls the history: touch-scroll.js), two taps go between whole and readable.
// tmux hears nothing of it: the columns and rows stay.
import { measure } from './cells.js'
import { shapeOf } from './layouts.js'
import { lettering } from './lettering.js'
import { anchored, direction, distance, middle, movable, pinched, toggled, wholeWidth } from './zooming.js'

const DOUBLE_TAP_MS = 300
const DOUBLE_TAP_PX = 30
const MEASURED_PX = 20

export function panAndZoom(area) {
  const fingers = new Fingers(area)
  // In front of the terminals, each of which scrolls by one finger.
  const options = { capture: true, passive: false }
  area.addEventListener('touchstart', (event) => fingers.start(event), options)
  area.addEventListener('touchmove', (event) => fingers.move(event), options)
  area.addEventListener('touchend', (event) => fingers.end(event), options)
}

class Fingers {
  #area
  #from = null // {x, y} of one finger, {apart, font} of two
  #way = ''
  #tap = { x: 0, y: 0, at: -Infinity }

  constructor(area) { this.#area = area }

  start(event) {
    const { touches } = event
    this.#way = ''
    if (touches.length === 2) {
      event.stopPropagation()
      this.#from = { apart: distance(touches), font: this.#area.shownFontSize }
    } else this.#from = touches.length === 1 ? { x: touches[0].clientX, y: touches[0].clientY } : null
  }

  move(event) {
    if (!this.#from || !this.#area.current) return
    const pinches = this.#from.apart !== undefined
    if (event.touches.length === 2 && pinches) this.#pinch(event)
    else if (event.touches.length === 1 && !pinches) this.#pan(event)
  }

  end(event) {
    const from = this.#from
    if (event.touches.length > 0) return
    this.#from = null
    if (!from || from.apart !== undefined || this.#way || !this.#area.current) return
    const now = performance.now()
    const near = Math.hypot(from.x - this.#tap.x, from.y - this.#tap.y) < DOUBLE_TAP_PX
    const twice = near && now - this.#tap.at < DOUBLE_TAP_MS
    this.#tap = { ...from, at: twice ? -Infinity : now }
    if (!twice) return
    event.preventDefault() // no click on what is there, no word marked
    this.#zoom(toggled(this.#area.shownFontSize, this.#whole()), from)
  }

  #pinch(event) {
    hold(event)
    this.#zoom(pinched(this.#from.font, this.#from.apart, distance(event.touches)), middle(event.touches))
  }

  #pan(event) {
    const [{ clientX: x, clientY: y }] = event.touches
    this.#way ||= direction(this.#from.x - x, this.#from.y - y)
    if (!this.#way) return
    const place = this.#area.current
    const across = movable({ scroll: place.scrollLeft, inner: place.scrollWidth, outer: place.clientWidth }, this.#from.x - x)
    const down = movable({ scroll: place.scrollTop, inner: place.scrollHeight, outer: place.clientHeight }, this.#from.y - y)
    this.#from = { x, y }
    place.scrollLeft += across
    place.scrollTop += down
    // At the edge, and where all is seen, up and down is the history's.
    if (this.#way === 'x' || down !== 0) hold(event)
  }

  #zoom(font, { x, y }) {
    const place = this.#area.current
    const ratio = font / this.#area.shownFontSize
    if (ratio === 1) return
    const { left, top } = place.getBoundingClientRect()
    const to = { left: anchored(place.scrollLeft, x - left, ratio), top: anchored(place.scrollTop, y - top, ratio) }
    this.#area.fontSize = font
    requestAnimationFrame(() => place.scrollTo({ ...to, behavior: 'instant' })) // once it is painted so large
  }

  /** The font that shows every column. */
  #whole() {
    const { current } = this.#area
    const { paddingLeft, paddingRight } = getComputedStyle(current)
    const width = current.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    const share = measure(lettering().family, MEASURED_PX).width / MEASURED_PX
    return wholeWidth(shapeOf(current.window).cols, width, share)
  }
}

/** The gesture is ours: neither the terminal nor the browser has a part in it. */
function hold(event) {
  event.preventDefault()
  event.stopPropagation()
}
