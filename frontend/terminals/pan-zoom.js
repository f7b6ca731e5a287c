// Fingers on the terminal area: two zoom the letters, one moves what is larger than the screen (and
// else scrolls the history, as touch-scroll.js has it), two taps go between fit and readable.
// tmux hears nothing of it. The area has `scale`, and `viewport`, the element that scrolls.
import { anchored, direction, distance, middle, movable, pinched, toggled } from './zooming.js'

const DOUBLE_TAP_MS = 300
const DOUBLE_TAP_PX = 30

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
  #from = null // {x, y} of one finger, {apart, scale} of two
  #way = ''
  #tap = { x: 0, y: 0, at: -Infinity }

  constructor(area) { this.#area = area }

  start(event) {
    const { touches } = event
    this.#way = ''
    if (touches.length === 2) {
      event.stopPropagation()
      this.#from = { apart: distance(touches), scale: this.#area.scale }
    } else this.#from = touches.length === 1 ? { x: touches[0].clientX, y: touches[0].clientY } : null
  }

  move(event) {
    if (!this.#from) return
    if (event.touches.length === 2) this.#pinch(event)
    else if (event.touches.length === 1 && this.#from.apart === undefined) this.#pan(event)
  }

  end(event) {
    const from = this.#from
    if (event.touches.length > 0) return
    this.#from = null
    if (!from || from.apart !== undefined || this.#way) return
    const now = performance.now()
    const twice = now - this.#tap.at < DOUBLE_TAP_MS
      && Math.hypot(from.x - this.#tap.x, from.y - this.#tap.y) < DOUBLE_TAP_PX
    this.#tap = { ...from, at: twice ? -Infinity : now }
    if (!twice) return
    event.preventDefault() // no click on what is there, no selection of a word
    this.#zoom(toggled(this.#area.scale, this.#area.readableScale), from)
  }

  #pinch(event) {
    event.preventDefault()
    event.stopPropagation()
    this.#zoom(pinched(this.#from.scale, this.#from.apart, distance(event.touches)), middle(event.touches))
  }

  #pan(event) {
    const [{ clientX: x, clientY: y }] = event.touches
    const { viewport } = this.#area
    this.#way ||= direction(this.#from.x - x, this.#from.y - y)
    if (!this.#way) return
    const across = movable({ scroll: viewport.scrollLeft, inner: viewport.scrollWidth, outer: viewport.clientWidth }, this.#from.x - x)
    const down = movable({ scroll: viewport.scrollTop, inner: viewport.scrollHeight, outer: viewport.clientHeight }, this.#from.y - y)
    this.#from = { x, y }
    viewport.scrollLeft += across
    viewport.scrollTop += down
    // At the edge, or where all is seen, up and down is the history's.
    if (this.#way === 'y' && down === 0) return
    event.preventDefault()
    event.stopPropagation()
  }

  #zoom(scale, { x, y }) {
    const { viewport } = this.#area
    const ratio = scale / this.#area.scale
    if (ratio === 1) return
    const place = viewport.getBoundingClientRect()
    const left = anchored(viewport.scrollLeft, x - place.left, ratio)
    const top = anchored(viewport.scrollTop, y - place.top, ratio)
    this.#area.scale = scale
    viewport.scrollTo({ left, top, behavior: 'instant' })
  }
}
