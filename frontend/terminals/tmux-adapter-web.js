// <tmux-adapter-web>: one terminal. Bytes in by write(), what the person does out by events.
// Never touches the network; what to send where is the page's business.
import { FitAddon } from '../lib/xterm/addon-fit.mjs'
import { Unicode11Addon } from '../lib/xterm/addon-unicode11.mjs'
import { WebLinksAddon } from '../lib/xterm/addon-web-links.mjs'
import { Terminal } from '../lib/xterm/xterm.mjs'
import { fit } from './fitting.js'
import { linkHandler } from './links.js'
import { pageNonce, withStyleNonce } from './style-nonce.js'
import { readAttributes, terminalOptions } from './terminal-options.js'
import { silenceQueries } from './terminal-queries.js'
import { scrollByTouch } from './touch-scroll.js'
import { listenForTransfers, plainPaste } from './transfers.js'
import { readUpload } from './uploads.js'

export { BinaryMsgType, creditPayload, decodeBinaryFrame, encodeBinaryFrame } from './frames.js'

// One event for a drag of the window's edge, not one for every pixel.
const RESIZE_MS = 90
// RIS, in the order of the bytes: terminal.reset() would overtake what waits to be parsed.
const RESET = Uint8Array.of(0x1b, 0x63)
// Ctrl+J: agents take it as a line break, Enter (CR) as the end of the prompt.
const LINE_BREAK = '\n'
const STYLESHEET = new URL('../lib/xterm/xterm.css', import.meta.url).href
const SHEET = new CSSStyleSheet()
SHEET.replaceSync(`
  :host { display: block; position: relative; height: 100%; min-height: 4em; overflow: hidden }
  :host([hidden]) { display: none }
  #place { position: absolute; inset: 0; overflow: auto hidden }
  :host([size]) #place { overflow: hidden }
  .xterm .xterm-scrollable-element > .scrollbar.vertical, .scrollbar.vertical > .slider { width: 8px !important }
  .scrollbar.vertical > .slider { border-radius: 4px }
  :host(:not(:hover)) .scrollbar.vertical { opacity: 0 !important }
`)
const encoder = new TextEncoder()

export class TmuxAdapterWeb extends HTMLElement {
  static observedAttributes = [
    'font-size', 'font-family', 'scrollback', 'cursor-blink', 'min-cols', 'size', 'theme-background',
  ]

  #place
  #styled
  #terminal = null
  #fitting = null
  #observer = null
  #resizeTimer = 0
  #told = ''

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [SHEET]
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: STYLESHEET })
    // A page whose policy refuses the sheet gets a plain terminal rather than none.
    this.#styled = new Promise((done) => { link.onload = link.onerror = done })
    this.#place = Object.assign(document.createElement('div'), { id: 'place' })
    listenForTransfers(this.#place, {
      onFiles: (files) => this.#upload(files),
      onText: (text) => this.#terminal?.paste(text),
    })
    root.append(link, this.#place)
  }

  get name() { return this.getAttribute('name') ?? '' }
  set name(value) { this.setAttribute('name', value) }
  get cols() { return this.#terminal?.cols ?? 0 }
  get rows() { return this.#terminal?.rows ?? 0 }

  /** Resolves when these bytes are parsed: the moment to give the server credit for them. */
  write(data) {
    const terminal = this.#terminal
    return terminal ? new Promise((parsed) => { terminal.write(data, parsed) }) : Promise.resolve()
  }

  /** What the terminal holds, history and screen, row by row. */
  text() {
    const buffer = this.#terminal?.buffer.active
    const rows = Array.from({ length: buffer?.length ?? 0 }, (_, at) => buffer.getLine(at).translateToString(true))
    return rows.join('\n')
  }

  /** What the person has marked. */
  get selection() { return this.#terminal?.getSelection() ?? '' }
  paste(text) { this.#terminal?.paste(plainPaste(text)) }
  /** An addon of xterm.js that the page brings, once the terminal is ready. */
  use(addon) { this.#terminal?.loadAddon(addon) }

  reset() { return this.write(RESET) }
  focus() { this.#terminal?.focus() }
  focusTextarea() { this.#terminal?.textarea?.focus({ preventScroll: true }) }
  blurTextarea() { this.#terminal?.textarea?.blur() }

  connectedCallback() {
    if (this.#terminal) return // moved within the page
    const terminal = this.#terminal = this.#makeTerminal()
    this.#styled.then(() => { if (this.#terminal === terminal) this.#open(terminal) })
  }

  disconnectedCallback() {
    // A move within the page takes it out and puts it in again: that must not cost the screen.
    queueMicrotask(() => { if (!this.isConnected) this.#close() })
  }

  attributeChangedCallback(name, before, now) {
    if (!this.#terminal || before === now) return
    this.#applyColours()
    Object.assign(this.#terminal.options, terminalOptions(this.#attributes))
    this.#fit()
  }

  get #attributes() { return readAttributes((name) => this.getAttribute(name)) }

  #makeTerminal() {
    const attributes = this.#attributes
    const links = linkHandler(this.#place)
    const options = { ...terminalOptions(attributes), ...attributes.size, fontSize: attributes.fontSize, linkHandler: links }
    // Proposed: the table of widths. tmux counts an emoji as two cells, xterm.js by default as one.
    const terminal = new Terminal({ ...options, allowProposedApi: true })
    terminal.loadAddon(new Unicode11Addon())
    terminal.unicode.activeVersion = '11'
    this.#fitting = new FitAddon()
    terminal.loadAddon(this.#fitting)
    terminal.loadAddon(new WebLinksAddon(links.activate, { hover: links.hover, leave: links.leave }))
    this.#listen(terminal)
    return terminal
  }

  #listen(terminal) {
    const isReport = silenceQueries(terminal, (text) => this.#offerClipboard(text))
    terminal.onData((data) => { if (!isReport(data)) this.#input(encoder.encode(data)) })
    // Old mouse reports: every character is one byte.
    terminal.onBinary((data) => this.#input(Uint8Array.from(data, (c) => c.charCodeAt(0))))
    terminal.onResize(() => this.#tellSize())
    terminal.attachCustomKeyEventHandler((event) => this.#handleKey(terminal, event))
  }

  #open(terminal) {
    this.#applyColours()
    withStyleNonce(document, pageNonce(document), () => terminal.open(this.#place))
    scrollByTouch(terminal.element, terminal)
    this.#fit()
    this.#observer = new ResizeObserver(() => this.#fit())
    this.#observer.observe(this.#place)
    this.#emit('terminal-ready')
    this.#tellSize()
  }

  #close() {
    clearTimeout(this.#resizeTimer)
    this.#observer?.disconnect()
    this.#terminal?.dispose()
    this.#terminal = this.#observer = null
    this.#told = ''
  }

  #applyColours() { this.#place.style.background = this.#attributes.background }

  #fit() {
    const { size, fontSize } = this.#attributes
    if (size) return this.#keepSize(size, fontSize)
    // A hidden terminal keeps its size: nothing fits into no space.
    const { clientWidth, clientHeight } = this.#place
    if (clientWidth && clientHeight && this.#terminal?.element) {
      fit(this.#terminal, this.#fitting, this.#attributes)
    }
  }

  /** A size that the page has set: the letters are as large as it says, whether that fits or not. */
  #keepSize({ cols, rows }, fontSize) {
    if (!this.#terminal) return
    this.#terminal.options.fontSize = fontSize
    this.#terminal.resize(cols, rows)
  }

  #tellSize() {
    clearTimeout(this.#resizeTimer)
    this.#resizeTimer = setTimeout(() => {
      const { cols, rows } = this
      if (this.#told === `${cols}:${rows}`) return
      this.#told = `${cols}:${rows}`
      this.#emit('terminal-resize', { cols, rows })
    }, RESIZE_MS)
  }

  /** False keeps a key from xterm.js. It sends Shift+Tab (ESC[Z) itself, and keeps the focus. */
  #handleKey(terminal, event) {
    const { type, key, shiftKey, ctrlKey, altKey, metaKey } = event
    // Left to the browser, which makes a paste of it; xterm.js would send 0x16.
    if (ctrlKey && !shiftKey && !altKey && !metaKey && key === 'v') return false
    if (key !== 'Enter' || !shiftKey || ctrlKey || altKey || metaKey || event.isComposing) return true
    event.preventDefault()
    if (type === 'keydown') terminal.input(LINE_BREAK)
    return false
  }

  /** One after the other, in the order in which they were given. */
  async #upload(files) {
    for (const file of files) {
      try {
        this.#emit('file-upload', { payload: await readUpload(file) })
      } catch (problem) {
        this.#emit('file-refused', { fileName: file.name, reason: problem.message })
      }
    }
  }

  /** A program offers text to the clipboard. Nothing happens unless the page calls accept(). */
  #offerClipboard(text) {
    this.#emit('clipboard-write', { text, accept: () => navigator.clipboard.writeText(text) })
  }

  #input(data) { this.#emit('terminal-input', { data }) }

  #emit(type, detail = {}) {
    const options = { bubbles: true, composed: true, detail: { name: this.name, ...detail } }
    this.dispatchEvent(new CustomEvent(type, options))
  }
}

// A page may import it by two addresses; the first one wins.
if (!customElements.get('tmux-adapter-web')) customElements.define('tmux-adapter-web', TmuxAdapterWeb)
