// Mobile layout: the visible area above a soft keyboard, the key row and the reader. Created once by
// shell/main; styles are in phone.css.
import { load, save } from '../core/memory'
import type { MobileLayout, Services } from '../core/services'
import { currentWindow } from '../core/workspace'
import { focusedPane } from '../terminals/panes'
import type { KeyRow } from './key-row'
import type { ReaderView } from './reader-view'

type PhoneServices = Pick<Services, 'store' | 'api' | 'toast'> & {
  elements: Pick<Services['elements'], 'terminals'>
}
type TouchInput = typeof import('./touch-input')

export const hasTouch = (): boolean => matchMedia('(pointer: coarse)').matches

export class Phone implements MobileLayout {
  #services: PhoneServices
  // Until touch-input.ts is loaded, it has no properties.
  #row: KeyRow
  #reader: ReaderView | null = null
  #touch: TouchInput | null = null

  constructor(services: PhoneServices, row: KeyRow) {
    const { store, elements } = services
    this.#services = services
    this.#row = row
    followViewport()
    elements.terminals.addEventListener('terminal-ready', () => {
      if (hasTouch()) this.#allowKeyboard(row.raw)
    })
    row.addEventListener('row-key', ({ detail: { key, modifiers } }) => {
      if (this.#touch) elements.terminals.sendKey(this.#touch.encode(key, modifiers))
    })
    row.addEventListener('raw-typing', ({ detail }) => this.typeRaw(detail.raw))
    store.addEventListener('change', ({ detail }) => {
      if (!detail.has('place')) return
      // Windows differ in width.
      if (hasTouch()) elements.terminals.fontSize = 0
      this.#arrange()
    })
    if (this.#showsKeys || hasTouch()) void this.#loadTouch()
    this.#arrange()
  }

  async #loadTouch(): Promise<void> {
    this.#touch ??= await import('./touch-input')
    const { terminals } = this.#services.elements
    terminals.modifier = this.#row
    if (!hasTouch()) return
    this.#touch.panAndZoom(terminals)
    this.#allowKeyboard(this.#row.raw)
  }

  /** Raw: the soft keyboard types into the terminal. Otherwise prompts are written in the composer. */
  typeRaw(raw: boolean): void {
    this.#row.raw = raw
    document.body.toggleAttribute('data-raw', raw)
    this.#allowKeyboard(raw)
    const pane = focusedPane(this.#services.store, currentWindow(this.#services.store))?.paneId
    const focused = this.#terminals.find(({ name }) => name === pane)
    if (focused) this.#touch?.useKeyboard(focused, raw)
  }

  get #terminals() {
    return [...this.#services.elements.terminals.querySelectorAll('tmux-adapter-web')]
  }

  #allowKeyboard(raw: boolean): void {
    for (const terminal of this.#terminals) this.#touch?.allowKeyboard(terminal, raw)
  }

  toggleKeys(): void {
    save('keys', !this.#showsKeys)
    if (this.#showsKeys && !this.#touch) void this.#loadTouch()
    this.#arrange()
  }

  /** Shows the pane as text instead of its terminal. Loaded on first use. */
  async toggleReader(): Promise<void> {
    if (this.#reader) return this.#closeReader()
    await import('./reader-view')
    if (this.#reader || this.#services.store.place.view !== 'terminal') return
    this.#reader = document.createElement('reader-view')
    this.#reader.services = this.#services
    this.#reader.store = this.#services.store
    this.#services.elements.terminals.after(this.#reader)
    this.#arrange()
  }

  #closeReader(): void {
    this.#reader?.remove()
    this.#reader = null
    this.#arrange()
  }

  #arrange(): void {
    const shown = this.#services.store.place.view === 'terminal'
    if (!shown && this.#reader) return this.#closeReader()
    if (!shown && this.#row.raw) this.typeRaw(false)
    document.body.toggleAttribute('data-reader', this.#reader !== null)
    this.#row.hidden = !shown || this.#reader !== null || !this.#showsKeys
  }

  get #showsKeys(): boolean {
    return load('keys', hasTouch())
  }
}

/**
 * `--viewport-height` is the height above a soft keyboard, `--viewport-top` how far iOS has moved the
 * page up for it. Ignored while the page is pinch-zoomed: there the same numbers mean something else.
 */
function followViewport(): void {
  const viewport = globalThis.visualViewport
  if (!viewport) return
  const update = () => {
    if (Math.abs(viewport.scale - 1) > 0.01) return
    document.documentElement.style.setProperty('--viewport-height', `${viewport.height}px`)
    document.documentElement.style.setProperty('--viewport-top', `${viewport.offsetTop}px`)
  }
  viewport.addEventListener('resize', update)
  viewport.addEventListener('scroll', update)
  update()
}
