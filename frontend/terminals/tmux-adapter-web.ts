// <tmux-adapter-web>: one terminal. Bytes in by write(), user input out by events. Never touches the
// network; the page decides what to send where. Not an element of Lit: other sites load it, attributes apply
// at once, and xterm.js renders everything in it.
import { FitAddon } from '@xterm/addon-fit'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { type ITerminalAddon, Terminal } from '@xterm/xterm'
import XTERM_STYLES from '@xterm/xterm/css/xterm.css?inline'
import { messageOf } from '../core/events'
import type { GridSize } from './cells'
import { fitTerminal } from './fitting'
import { linkHandler } from './links'
import { pageNonce, withStyleNonce } from './style-nonce'
import { type Attributes, readAttributes, terminalOptions } from './terminal-options'
import { silenceQueries } from './terminal-queries'
import { scrollByTouch } from './touch-scroll'
import { listenForTransfers, plainPaste } from './transfers'
import { readUpload } from './uploads'

export { BinaryMsgType, creditPayload, decodeBinaryFrame, encodeBinaryFrame } from '../core/frames'

/** The details of its events, each with the `name` of the element. */
export interface TerminalEvents {
  'terminal-ready': object
  'terminal-input': { data: Uint8Array }
  'terminal-resize': GridSize
  'file-upload': { payload: Uint8Array }
  'file-refused': { fileName: string; reason: string }
  'clipboard-write': ClipboardOffer
}
type NamedEvent<Type extends keyof TerminalEvents> = CustomEvent<TerminalEvents[Type] & { name: string }>

/** A program offers text to the clipboard. Nothing is written unless the page calls `accept`. */
export interface ClipboardOffer {
  text: string
  accept(): Promise<void>
}

// One event for a resize of the window, not one per pixel.
const RESIZE_MS = 90
// RIS, in the order of the bytes: terminal.reset() would overtake bytes that are not parsed yet.
const RESET = Uint8Array.of(0x1b, 0x63)
// Ctrl+J: agents treat it as a line break, and Enter (CR) as the end of the prompt.
const LINE_BREAK = '\n'
const SHEET = new CSSStyleSheet()
SHEET.replaceSync(`${XTERM_STYLES}
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
    'font-size',
    'font-family',
    'scrollback',
    'cursor-blink',
    'min-cols',
    'size',
    'theme-background',
  ]

  #container: HTMLElement
  #terminal: Terminal | null = null
  #fitting = new FitAddon()
  #observer: ResizeObserver | null = null
  #resizeTimer: ReturnType<typeof setTimeout> | undefined
  #reportedSize = ''

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [SHEET]
    this.#container = Object.assign(document.createElement('div'), { id: 'place' })
    listenForTransfers(this.#container, {
      onFiles: (files) => this.#upload(files),
      onText: (text) => this.#terminal?.paste(text),
    })
    root.append(this.#container)
  }

  get name(): string {
    return this.getAttribute('name') ?? ''
  }
  set name(value: string) {
    this.setAttribute('name', value)
  }
  get cols(): number {
    return this.#terminal?.cols ?? 0
  }
  get rows(): number {
    return this.#terminal?.rows ?? 0
  }

  /** Resolves when these bytes are parsed: then the server gets credit for them. */
  write(data: Uint8Array): Promise<void> {
    const terminal = this.#terminal
    if (!terminal) return Promise.resolve()
    return new Promise((parsed) => {
      terminal.write(data, parsed)
    })
  }

  /** The scrollback and the screen as text, row by row. */
  text(): string {
    const buffer = this.#terminal?.buffer.active
    const rows = Array.from(
      { length: buffer?.length ?? 0 },
      (_, index) => buffer?.getLine(index)?.translateToString(true) ?? '',
    )
    return rows.join('\n')
  }

  /** The selected text. */
  get selection(): string {
    return this.#terminal?.getSelection() ?? ''
  }
  paste(text: string): void {
    this.#terminal?.paste(plainPaste(text))
  }
  /** Loads an xterm.js addon of the page, once the terminal is ready. */
  use(addon: ITerminalAddon): void {
    this.#terminal?.loadAddon(addon)
  }

  reset(): Promise<void> {
    return this.write(RESET)
  }
  override focus(): void {
    this.#terminal?.focus()
  }
  focusTextarea(): void {
    this.#terminal?.textarea?.focus({ preventScroll: true })
  }
  blurTextarea(): void {
    this.#terminal?.textarea?.blur()
  }

  connectedCallback(): void {
    if (this.#terminal) return // moved within the page
    const terminal = this.#makeTerminal()
    this.#terminal = terminal
    // The page sets attributes and listeners after it has inserted the element.
    queueMicrotask(() => {
      if (this.#terminal === terminal) this.#open(terminal)
    })
  }

  disconnectedCallback(): void {
    // A move within the page removes and inserts the element; the screen must survive that.
    queueMicrotask(() => {
      if (!this.isConnected) this.#close()
    })
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (!this.#terminal || before === after) return
    this.#applyColours()
    Object.assign(this.#terminal.options, terminalOptions(this.#attributes))
    this.#fit()
  }

  get #attributes(): Attributes {
    return readAttributes((name) => this.getAttribute(name))
  }

  #makeTerminal(): Terminal {
    const attributes = this.#attributes
    const links = linkHandler(this.#container)
    const terminal = new Terminal({
      ...terminalOptions(attributes),
      ...attributes.size,
      fontSize: attributes.fontSize,
      linkHandler: links,
      // Proposed API: the Unicode width table. tmux counts an emoji as two cells, xterm.js by default as one.
      allowProposedApi: true,
    })
    terminal.loadAddon(new Unicode11Addon())
    terminal.unicode.activeVersion = '11'
    this.#fitting = new FitAddon()
    terminal.loadAddon(this.#fitting)
    terminal.loadAddon(new WebLinksAddon(links.activate, { hover: links.hover, leave: links.leave }))
    this.#listen(terminal)
    return terminal
  }

  #listen(terminal: Terminal): void {
    const isReport = silenceQueries(terminal, (text) => this.#offerClipboard(text))
    terminal.onData((data) => {
      if (!isReport(data)) this.#input(encoder.encode(data))
    })
    // Legacy mouse reports: every character is one byte.
    terminal.onBinary((data) => this.#input(Uint8Array.from(data, (c) => c.charCodeAt(0))))
    terminal.onResize(() => this.#reportSize())
    terminal.attachCustomKeyEventHandler((event) => this.#handleKey(terminal, event))
  }

  #open(terminal: Terminal): void {
    this.#applyColours()
    withStyleNonce(document, pageNonce(document), () => terminal.open(this.#container))
    if (terminal.element) scrollByTouch(terminal.element, terminal)
    this.#fit()
    this.#observer = new ResizeObserver(() => this.#fit())
    this.#observer.observe(this.#container)
    this.#emit('terminal-ready', {})
    this.#reportSize()
  }

  #close(): void {
    clearTimeout(this.#resizeTimer)
    this.#observer?.disconnect()
    this.#terminal?.dispose()
    this.#terminal = null
    this.#observer = null
    this.#reportedSize = ''
  }

  #applyColours(): void {
    this.#container.style.background = this.#attributes.background
  }

  #fit(): void {
    const { size, fontSize } = this.#attributes
    if (size) return this.#keepSize(size, fontSize)
    // A hidden terminal has no space and keeps its size.
    const { clientWidth, clientHeight } = this.#container
    if (clientWidth && clientHeight && this.#terminal?.element) {
      fitTerminal(this.#terminal, this.#fitting, this.#attributes)
    }
  }

  /** With a fixed size, the font size is as set, whether it fits or not. */
  #keepSize({ cols, rows }: GridSize, fontSize: number): void {
    if (!this.#terminal) return
    this.#terminal.options.fontSize = fontSize
    this.#terminal.resize(cols, rows)
  }

  #reportSize(): void {
    clearTimeout(this.#resizeTimer)
    this.#resizeTimer = setTimeout(() => {
      const { cols, rows } = this
      if (this.#reportedSize === `${cols}:${rows}`) return
      this.#reportedSize = `${cols}:${rows}`
      this.#emit('terminal-resize', { cols, rows })
    }, RESIZE_MS)
  }

  /** False keeps a key from xterm.js. xterm.js sends Shift+Tab (ESC[Z) itself, and keeps the focus. */
  #handleKey(terminal: Terminal, event: KeyboardEvent): boolean {
    const { type, key, shiftKey, ctrlKey, altKey, metaKey } = event
    // Left to the browser, which pastes; xterm.js would send 0x16.
    if (ctrlKey && !shiftKey && !altKey && !metaKey && key === 'v') return false
    if (key !== 'Enter' || !shiftKey || ctrlKey || altKey || metaKey || event.isComposing) return true
    event.preventDefault()
    if (type === 'keydown') terminal.input(LINE_BREAK)
    return false
  }

  /** Uploads one after the other, in the given order. */
  async #upload(files: readonly File[]): Promise<void> {
    for (const file of files) {
      try {
        this.#emit('file-upload', { payload: await readUpload(file) })
      } catch (error) {
        this.#emit('file-refused', { fileName: file.name, reason: messageOf(error) })
      }
    }
  }

  #offerClipboard(text: string): void {
    this.#emit('clipboard-write', { text, accept: () => navigator.clipboard.writeText(text) })
  }

  #input(data: Uint8Array): void {
    this.#emit('terminal-input', { data })
  }

  #emit<Type extends keyof TerminalEvents>(type: Type, detail: TerminalEvents[Type]): void {
    const options = { bubbles: true, composed: true, detail: { name: this.name, ...detail } }
    this.dispatchEvent(new CustomEvent(type, options))
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'tmux-adapter-web': TmuxAdapterWeb
  }
  interface HTMLElementEventMap {
    'terminal-ready': NamedEvent<'terminal-ready'>
    'terminal-input': NamedEvent<'terminal-input'>
    'terminal-resize': NamedEvent<'terminal-resize'>
    'file-upload': NamedEvent<'file-upload'>
    'file-refused': NamedEvent<'file-refused'>
    'clipboard-write': NamedEvent<'clipboard-write'>
  }
}

// A page may import this module under two addresses; the first one wins.
if (!customElements.get('tmux-adapter-web')) customElements.define('tmux-adapter-web', TmuxAdapterWeb)
