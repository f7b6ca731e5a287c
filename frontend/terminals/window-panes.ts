// <window-panes>: one tmux window with its layout, every pane a terminal. Chooses the font size, and requests
// a size from tmux if no other client shows the window.
import type { Services } from '../core/services'
import { customElement, html, property, repeat, state, type TemplateResult, View } from '../core/view'
import type { WindowRow } from '../core/workspace'
import { type Area, cellOf, fittingFont, type GridSize, measure, READABLE_FONT, sizeIn } from './cells'
import type { FontSettings } from './font-settings'
import { hasGpu } from './gpu'
import { type Box, shapeOf } from './layouts'
import { areFontsSettled } from './shipped-fonts'
import { mayResize, sizePolicy } from './size-policy'
import type { PaneSender } from './terminal-pane'
import './pane-border'
import './terminal-pane'

// One request for a resize of the browser window, or for a composer that grows line by line.
const REQUEST_MS = 250
const PHONE = matchMedia('(max-width: 700px), (pointer: coarse)')
// On a phone, text is larger than the least on a desktop: the window is panned instead.
const PHONE_FONT = 12

@customElement('window-panes')
export class WindowPanes extends View {
  @property({ attribute: false }) window!: WindowRow
  @property({ attribute: false }) services!: Pick<Services, 'socket' | 'store' | 'toast'>
  @property({ attribute: false }) sender!: PaneSender
  @property({ attribute: false }) pane = ''
  @property({ attribute: false }) font!: FontSettings
  // 0: as large as fits.
  @property({ attribute: false }) fontSize = 0
  @property({ attribute: false }) background = ''
  @state() private area: Area = { width: 0, height: 0 }
  #observer = new ResizeObserver(([entry]) => {
    if (entry) this.area = { width: entry.contentRect.width, height: entry.contentRect.height }
  })
  #timer: ReturnType<typeof setTimeout> | undefined
  // Everything that the requested size depends on.
  #sizeInputs = ''
  // The window whose size was already requested.
  #requested = ''
  // The window that the user fitted to this screen.
  #forced = ''
  #onFocus = () => this.#scheduleRequest()
  #onStatus = () => {
    if (this.services.socket.status === 'open') this.#scheduleRequest()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#observer.observe(this)
    // The most recently used screen decides, as in tmux.
    addEventListener('focus', this.#onFocus)
    this.services.socket.addEventListener('status', this.#onStatus)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
    this.#observer.disconnect()
    removeEventListener('focus', this.#onFocus)
    this.services.socket.removeEventListener('status', this.#onStatus)
  }

  /** The current font size; smaller than preferred if the window is larger than its container. */
  get shownFontSize(): number {
    const shape = shapeOf(this.window)
    return shape ? this.#fontFor(shape) : this.font.size
  }

  /** Resizes the window to this screen, also on a phone. Returns false if another terminal shows it. */
  fit(): boolean {
    if (this.window.attached > 0 || sizePolicy() === 'never') return false
    this.#forced = this.window.windowId
    this.#requestSize()
    return true
  }

  override updated(): void {
    // Another font has other cells: tmux is asked for one size only.
    if (!this.isConnected || !areFontsSettled()) return
    const { windowId, attached } = this.window
    const { width, height } = this.area
    const inputs = [windowId, attached, width, height, this.font.size, this.font.family].join()
    if (inputs === this.#sizeInputs) return
    this.#sizeInputs = inputs
    if (width === 0 || windowId === this.#requested) return this.#scheduleRequest()
    this.#requested = windowId
    this.#requestSize()
  }

  override render(): TemplateResult {
    const shape = shapeOf(this.window)
    if (!shape) return html`<p class="empty quiet">Cannot read the layout of this window.</p>`
    const font = this.#fontFor(shape)
    const cell = this.#cellAt(font)
    const { family } = this.font
    const hasSeveral = shape.panes.length > 1
    return html`<div class="sheet" style="inline-size:${shape.cols * cell.width}px;block-size:${shape.rows * cell.height}px">
      ${repeat(
        shape.panes,
        ({ id }) => id,
        (pane) => html`<terminal-pane style=${box(pane, cell)}
        ?data-active=${hasSeveral && pane.id === this.pane}
        .name=${pane.id} .services=${this.services} .sender=${this.sender} .cols=${pane.width} .rows=${pane.height}
        .fontSize=${font} .fontFamily=${family} .background=${this.background}></terminal-pane>`,
      )}
      ${shape.borders.map((border) => html`<pane-border style=${box(border, cell)} .border=${border} .cell=${cell}></pane-border>`)}
    </div>`
  }

  #fontFor(size: GridSize): number {
    const least = PHONE.matches ? PHONE_FONT : READABLE_FONT
    return this.fontSize || fittingFont((font) => this.#cellAt(font), size, this.area, this.font.size, least)
  }

  #cellAt(font: number): Area {
    return cellOf(measure(this.font.family, font), devicePixelRatio, hasGpu())
  }

  #scheduleRequest(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#requestSize(), REQUEST_MS)
  }

  #requestSize(): void {
    if (!this.isConnected || !this.#mayResize()) return
    const size = sizeIn(this.area, this.#cellAt(this.font.size))
    const current = shapeOf(this.window)
    if (!size || (current?.cols === size.cols && current?.rows === size.rows)) return
    this.services.socket.resize(this.window.windowId, size.cols, size.rows)
  }

  #mayResize(): boolean {
    const { attached, windowId } = this.window
    return mayResize(sizePolicy(), { attached, fitted: this.#forced === windowId, phone: PHONE.matches })
  }
}

function box({ left, top, width, height }: Box, cell: Area): string {
  return (
    `left:${left * cell.width}px;top:${top * cell.height}px;` +
    `width:${width * cell.width}px;height:${height * cell.height}px`
  )
}

declare global {
  interface HTMLElementTagNameMap {
    'window-panes': WindowPanes
  }
}
