// <terminal-area>: the window that is looked at, and up to three beside it. Says which pane has the
// keyboard (`store.pane`). What a window looks like is window-panes.js.
import { load, save } from '../page/memory.js'
import { isDark } from '../page/theme.js'
import { Live, html, nothing, render, repeat } from '../page/view.js'
import { activePane, addressOf, allWindows, currentWindow, windowTitle } from '../page/workspace.js'
import { arrange, fill, put, renamed } from './grid.js'
import { lettering } from './lettering.js'
import { shapeOf } from './layouts.js'
import './window-panes.js'

const KEYS = { F: 'find', C: 'copy' } // with Ctrl and Shift; ⌘C is the browser's own
const TYPED_INTO = 'input, textarea, select, [contenteditable], dialog[open] *'
const NARROW = matchMedia('(max-width: 700px)')
const REDRAWN = ['theme-changed', 'lettering-changed']
const REFUSED_MS = 5_000

class TerminalArea extends Live {
  static parts = ['windows', 'facts', 'agents', 'place', 'pane', 'status', 'latency', 'problem']

  #services = null
  #fontSize = 0
  #grid = load('grid', { count: 1, slots: [] })
  #current = null // the window that is looked at
  #front = '' // window and pane that tmux had in front at the last look
  #wantsFocus = false
  #finds = false // the bar is loaded when somebody first looks for something
  #toldUnsent = false
  #redraw = () => this.update()

  constructor() {
    super()
    this.addEventListener('focusin', ({ target }) => this.#focused(target))
    this.addEventListener('keydown', (event) => this.#key(event), { capture: true })
    this.addEventListener('terminal-ready', () => this.#focusWanted())
    this.addEventListener('terminal-unsent', () => this.#unsent())
  }

  connectedCallback() {
    super.connectedCallback()
    for (const type of REDRAWN) document.addEventListener(type, this.#redraw)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    for (const type of REDRAWN) document.removeEventListener(type, this.#redraw)
  }

  get services() { return this.#services }
  set services(services) {
    this.#services = services
    services.socket.addEventListener('event', ({ detail }) => { if (detail.type === 'error') this.#refused(detail.error) })
  }

  // --- for actions, and for a phone that pans and zooms ---

  /** Size of the letters in pixels, whether the window fits or not; 0: as large as fits. */
  get fontSize() { return this.#fontSize }
  set fontSize(size) {
    this.#fontSize = size
    this.update()
  }
  get shownFontSize() { return this.current?.shownFontSize ?? 0 }

  /** The terminal that has the keyboard, and the window around it. */
  get terminal() { return this.querySelector(`tmux-adapter-web[name="${CSS.escape(this.store.pane)}"]`) }
  get current() { return this.querySelector('.slot[data-current] window-panes') }

  focusTerminal() {
    this.#wantsFocus = false
    this.terminal?.focus()
  }

  async find() {
    const { terminal } = this
    if (!terminal) return
    await import('./find-bar.js')
    this.#finds = true
    this.paint()
    this.querySelector('find-bar')?.open(terminal)
  }

  show(count) {
    const known = allWindows(this.store).map(addressOf)
    const current = this.#current ? addressOf(this.#current) : ''
    const places = arrange({ count, slots: this.#grid.slots, current, before: current, known })
    this.#keep({ count, slots: fill(places, current, known) })
  }

  // --- what is shown ---

  paint() {
    if (this.hidden) {
      this.#current = null
      this.#front = ''
      render(nothing, this) // what nobody sees is not watched; it comes back exactly
      return
    }
    const before = this.#current ? addressOf(this.#current) : ''
    this.#current = currentWindow(this.store)
    this.#settle(before)
    super.paint()
    this.#follow(before)
  }

  view() {
    const windows = allWindows(this.store)
    const byAddress = new Map(windows.map((window) => [addressOf(window), window]))
    const slots = this.#shownPlaces().map((address) => byAddress.get(address) ?? null)
    if (!slots.some(Boolean)) return nothing // page/stage-notice.js says why
    return html`
      <div class="slots" data-count=${slots.length}>
        ${repeat(slots, (window, at) => (window ? window.windowId : at), (window, at) => this.#slot(window, at, slots.length > 1 ? windows : null))}
      </div>
      ${this.#finds ? html`<find-bar .dark=${isDark()}></find-bar>` : nothing}
      ${this.#status()}`
  }

  #slot(window, at, choice) {
    const isCurrent = Boolean(window) && window.windowId === this.#current?.windowId
    const pane = isCurrent ? this.store.pane : activePane(window)?.paneId
    return html`<section class="slot" ?data-current=${isCurrent} aria-label=${window ? windowTitle(window) : 'No window'}>
      ${choice ? this.#picker(window, at, choice) : nothing}
      ${window
        ? html`<window-panes .window=${window} .services=${this.#services} .lettering=${lettering()} .background=${this.#ground()}
            .fontSize=${this.#fontSize} .pane=${pane}></window-panes>`
        : html`<p class="empty quiet">Choose a window above to put it here.</p>`}
    </section>`
  }

  #picker(window, at, choice) {
    return html`<header>
      <select class="field" aria-label="Window in place ${at + 1}" @change=${({ target }) => this.#choose(at, target.value)}>
        <option value="" disabled .selected=${!window}>Choose a window</option>
        ${choice.map((other) => html`<option value=${addressOf(other)}
          .selected=${other.windowId === window?.windowId}>${windowTitle(other)}</option>`)}
      </select>
    </header>`
  }

  #status() {
    const shape = this.#current && shapeOf(this.#current)
    const latency = this.store.status === 'open' && this.store.latency !== null
    return html`<p class="terminal-status mono quiet">
      ${this.#current?.zoomed ? html`<span>zoomed</span>` : nothing}
      ${shape ? html`<span title="Columns and rows of the window">${shape.cols}×${shape.rows}</span>` : nothing}
      ${latency ? html`<span title="Time to the server and back">${Math.round(this.store.latency)} ms</span>` : nothing}
    </p>`
  }

  // --- who has the keyboard ---

  /** Keeps to what tmux has in front: when that changes, the keyboard goes along. */
  #follow(before) {
    const pane = activePane(this.#current)?.paneId ?? ''
    const front = `${this.#current?.windowId} ${pane}`
    if (front === this.#front) return
    this.#front = front
    this.store.set('pane', pane)
    const held = Boolean(document.activeElement?.closest('terminal-pane'))
    const came = pane !== '' && addressOf(this.#current) !== before
    this.#wantsFocus = !NARROW.matches && (held || (came && !document.activeElement?.matches(TYPED_INTO)))
    this.#focusWanted()
  }

  /** At once, or when the terminal is ready. */
  #focusWanted() {
    if (document.activeElement?.matches(TYPED_INTO)) this.#wantsFocus = false // somebody writes by now
    if (this.#wantsFocus && this.terminal?.shadowRoot.querySelector('textarea')) this.focusTerminal()
  }

  #focused(target) {
    const pane = target.closest('terminal-pane')?.name
    const window = target.closest('window-panes')?.window
    if (!pane || !window || pane === this.store.pane) return
    this.store.set('pane', pane)
    this.#front = `${window.windowId} ${pane}`
    if (activePane(window)?.paneId !== pane) this.act('focus-pane', { pane })
    if (window.windowId !== this.#current?.windowId) this.#go(addressOf(window))
  }

  #go(key) { this.act('go', { place: { view: 'terminal', key, project: '' } }) }

  #key(event) {
    const name = event.ctrlKey && event.shiftKey && !event.altKey && !event.metaKey && KEYS[event.key.toUpperCase()]
    if (!name) return
    event.preventDefault()
    event.stopPropagation()
    this.act(name)
  }

  // --- what could not be sent: said once, not once for a key ---

  #unsent() {
    if (this.#toldUnsent) return
    this.#toldUnsent = true
    this.#services.socket.addEventListener('status', () => { this.#toldUnsent = false }, { once: true })
    this.#services.toast({ tone: 'bad', text: 'Not connected: what you type is not sent' })
  }

  #refused(reason) {
    if (this.#toldRefused === reason) return
    this.#toldRefused = reason
    setTimeout(() => { this.#toldRefused = '' }, REFUSED_MS)
    this.#services.toast({ tone: 'bad', text: reason })
  }
  #toldRefused = ''

  // --- places ---

  #shownPlaces() { return this.#grid.count > 1 && !NARROW.matches ? this.#grid.slots : [this.#current ? addressOf(this.#current) : ''] }

  /** The window that is looked at has a place. */
  #settle(before) {
    if (this.#grid.count === 1 || !this.store.ready) return
    const windows = allWindows(this.store)
    const known = windows.map(addressOf)
    const current = this.#current ? addressOf(this.#current) : ''
    const slots = arrange({ ...this.#grid, slots: renamed(this.#grid.slots, windows), current, before, known })
    if (slots.join() !== this.#grid.slots.join()) this.#keep({ ...this.#grid, slots })
  }

  #choose(at, address) {
    const { slots } = this.#grid
    const isCurrent = this.#current && slots[at] === addressOf(this.#current)
    if (isCurrent && !slots.includes(address)) this.#go(address) // and takes this place: see arrange
    else this.#keep({ ...this.#grid, slots: put(slots, at, address) })
  }

  #keep(grid) {
    this.#grid = grid
    save('grid', grid)
    this.update()
  }

  #ground() { return hex(getComputedStyle(this).backgroundColor) }
}

/** `rgb(11, 17, 18)`, as a computed style has it, as xterm.js and isLight() take it. */
function hex(colour) {
  const parts = colour.match(/\d+/g)?.slice(0, 3) ?? ['0', '0', '0']
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}

customElements.define('terminal-area', TerminalArea)
