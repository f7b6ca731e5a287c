// <window-panes>: one window of tmux as it is laid out there, every pane a terminal. Chooses the
// letters' size, and asks tmux for a size where nobody else looks at the window.
import { View, html, repeat, states } from '../page/view.js'
import { cellOf, fittingFont, measure, sizeIn } from './cells.js'
import { hasGpu } from './gpu.js'
import { shapeOf } from './layouts.js'
import './pane-border.js'
import './terminal-pane.js'

// One size for a drag of the window's edge, and for a composer that grows line by line.
const ASK_MS = 250
const PHONE = matchMedia('(max-width: 700px), (pointer: coarse)')

export class WindowPanes extends View {
  #place = { width: 0, height: 0 }
  #observer = new ResizeObserver(([entry]) => this.#placed(entry.contentRect))
  #timer = 0
  #wish = '' // what the size to ask for depends on
  #sized = '' // the window that was asked for its size already
  #forced = '' // the window that was told to fit this screen
  #again = () => this.#askSoon()
  #opened = () => { if (this.services.socket.status === 'open') this.#askSoon() }

  connectedCallback() {
    super.connectedCallback()
    this.#observer.observe(this)
    addEventListener('focus', this.#again) // the screen that is used last decides, as in tmux
    this.services?.socket.addEventListener('status', this.#opened)
  }

  disconnectedCallback() {
    clearTimeout(this.#timer)
    this.#observer.disconnect()
    removeEventListener('focus', this.#again)
    this.services?.socket.removeEventListener('status', this.#opened)
  }

  /** The letters as they are shown now; less than wished where the window is larger than its place. */
  get shownFontSize() {
    const shape = shapeOf(this.window)
    return shape ? this.#font(shape) : this.lettering.size
  }

  terminal(pane) { return this.querySelector(`tmux-adapter-web[name="${CSS.escape(pane)}"]`) }

  /** The window is to have the size of this screen, also on a phone. False: a person's terminal has it. */
  fit() {
    if (this.window.attached > 0) return false
    this.#forced = this.window.windowId
    this.#ask()
    return true
  }

  paint() {
    super.paint()
    const { windowId, attached } = this.window
    const wish = [windowId, attached, this.#place.width, this.#place.height, this.lettering.size, this.lettering.family].join()
    if (wish === this.#wish) return
    this.#wish = wish
    if (this.#place.width === 0 || windowId === this.#sized) return this.#askSoon()
    this.#sized = windowId
    this.#ask()
  }

  view() {
    const shape = shapeOf(this.window)
    if (!shape) return html`<p class="empty quiet">tmux tells a layout that cannot be read.</p>`
    const font = this.#font(shape)
    const cell = this.#cellAt(font)
    const { family } = this.lettering
    const several = shape.panes.length > 1
    return html`<div class="sheet" style="inline-size:${shape.cols * cell.width}px;block-size:${shape.rows * cell.height}px">
      ${repeat(shape.panes, ({ id }) => id, (pane) => html`<terminal-pane style=${box(pane, cell)}
        ?data-active=${several && pane.id === this.pane}
        .name=${pane.id} .services=${this.services} .cols=${pane.width} .rows=${pane.height}
        .fontSize=${font} .fontFamily=${family} .background=${this.background}></terminal-pane>`)}
      ${shape.borders.map((border) => html`<pane-border style=${box(border, cell)} .border=${border} .cell=${cell}></pane-border>`)}
    </div>`
  }

  #placed({ width, height }) {
    this.#place = { width, height }
    this.update()
  }

  #font(shape) {
    const { size } = this.lettering
    return this.fontSize || fittingFont((font) => this.#cellAt(font), shape, this.#place, size)
  }

  #cellAt(font) {
    return cellOf(measure(this.lettering.family, font), devicePixelRatio, hasGpu())
  }

  #askSoon() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#ask(), ASK_MS)
  }

  #ask() {
    if (!this.isConnected || !this.#mayAsk()) return
    const size = sizeIn(this.#place, this.#cellAt(this.lettering.size))
    const now = shapeOf(this.window)
    if (!size || (now?.cols === size.cols && now?.rows === size.rows)) return
    this.services.socket.resize(this.window.windowId, size.cols, size.rows)
  }

  #mayAsk() {
    const { attached, windowId } = this.window
    return attached === 0 && (!PHONE.matches || this.#forced === windowId)
  }
}

function box({ left, top, width, height }, cell) {
  return `left:${left * cell.width}px;top:${top * cell.height}px;`
    + `width:${width * cell.width}px;height:${height * cell.height}px`
}

states(WindowPanes, { window: null, services: null, pane: '', lettering: null, fontSize: 0, background: '' })
customElements.define('window-panes', WindowPanes)
