// The page in the hand: what is seen of it above a soft keyboard, the key row, the reader.
// Joined once by main.js; what the parts look like is phone.css.
import { load, save } from './memory.js'
import { activePane, currentWindow } from './workspace.js'

const decoder = new TextDecoder()
const encoder = new TextEncoder()
export const hasFingers = () => matchMedia('(pointer: coarse)').matches

export class Phone {
  #services
  #row
  #reader = null
  #hand = null // the modules of hand.js, once they are wanted

  constructor(services, row) {
    this.#services = services
    this.#row = row
    followViewport()
    document.addEventListener('terminal-ready', ({ target }) => {
      if (hasFingers()) this.#hand?.allowKeyboard(target, row.raw)
    })
    // In front of the terminal area, which sends what it hears.
    document.addEventListener('terminal-input', ({ detail }) => this.#modify(detail), { capture: true })
    row.addEventListener('row-key', ({ detail }) => this.#send(this.#hand.encode(detail.key, detail.modifiers)))
    row.addEventListener('raw-typing', ({ detail }) => this.typeRaw(detail.raw))
    services.store.addEventListener('change', ({ detail }) => {
      if (!detail.has('place')) return
      if (hasFingers()) services.elements.terminals.fontSize = 0 // another window, another width
      this.#arrange()
    })
    if (this.#showsKeys || hasFingers()) this.#join()
    this.#arrange()
  }

  async #join() {
    this.#hand ??= await import('../terminals/hand.js')
    if (!hasFingers()) return
    this.#hand.panAndZoom(this.#services.elements.terminals)
    this.#allowKeyboard(this.#row.raw)
  }

  /** The soft keyboard types into the terminal; else prompts are written in the composer. */
  typeRaw(raw) {
    this.#row.raw = raw
    document.body.toggleAttribute('data-raw', raw)
    this.#allowKeyboard(raw)
    const focused = document.querySelector(`tmux-adapter-web[name="${this.#pane}"]`)
    if (focused) this.#hand.useKeyboard(focused, raw)
  }

  #allowKeyboard(raw) {
    for (const terminal of document.querySelectorAll('tmux-adapter-web')) this.#hand.allowKeyboard(terminal, raw)
  }

  toggleKeys() {
    save('keys', !this.#showsKeys)
    if (this.#showsKeys && !this.#hand) this.#join()
    this.#arrange()
  }

  /** The pane as text to read, instead of its terminal. Loaded when it is first wanted. */
  async toggleReader() {
    if (this.#reader) return this.#closeReader()
    await import('../terminals/reader-view.js')
    if (this.#reader || this.#services.store.place.view !== 'terminal') return
    this.#reader = Object.assign(document.createElement('reader-view'), { services: this.#services })
    this.#reader.store = this.#services.store
    this.#services.elements.terminals.after(this.#reader)
    this.#arrange()
  }

  #closeReader() {
    this.#reader.remove()
    this.#reader = null
    this.#arrange()
  }

  #arrange() {
    const shown = this.#services.store.place.view === 'terminal'
    if (!shown && this.#reader) return this.#closeReader()
    if (!shown && this.#row.raw) this.typeRaw(false)
    document.body.toggleAttribute('data-reader', Boolean(this.#reader))
    this.#row.hidden = !shown || Boolean(this.#reader) || !this.#showsKeys
  }

  get #showsKeys() { return load('keys', hasFingers()) }

  get #pane() {
    const { store } = this.#services
    const window = currentWindow(store)
    const chosen = window?.panes.find(({ paneId }) => paneId === store.pane) ?? activePane(window)
    return chosen?.paneId ?? ''
  }

  #send(text) {
    const pane = this.#pane
    if (!pane || this.#services.socket.input(pane, encoder.encode(text))) return
    this.#services.toast({ tone: 'bad', text: 'Not connected: the key was not sent' })
  }

  /** A modifier of the row holds for the keyboard's next key too. */
  #modify(detail) {
    const row = this.#row
    if (!row.ctrl && !row.alt) return
    const text = decoder.decode(detail.data)
    if ([...text].length === 1) detail.data = encoder.encode(this.#hand.modified(text, row.useModifiers()))
  }
}

/**
 * `--seen` is the height that a soft keyboard leaves, `--seen-top` how far iOS has moved the page up
 * for it. A page that is pinched larger is left alone: there the same numbers mean something else.
 */
function followViewport() {
  const seen = globalThis.visualViewport
  if (!seen) return
  const read = () => {
    if (Math.abs(seen.scale - 1) > 0.01) return
    document.documentElement.style.setProperty('--seen', `${seen.height}px`)
    document.documentElement.style.setProperty('--seen-top', `${seen.offsetTop}px`)
  }
  seen.addEventListener('resize', read)
  seen.addEventListener('scroll', read)
  read()
}
