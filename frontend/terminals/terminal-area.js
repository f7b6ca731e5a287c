// <terminal-area>: the window that is looked at, and up to three beside it. Says which pane has the
// keyboard (`store.pane`). What a window looks like is window-panes.js.
import { load, save } from '../page/memory.js'
import { isDark } from '../page/theme.js'
import { Live, html, nothing, repeat } from '../page/view.js'
import { activePane, addressOf, allWindows, currentWindow, windowTitle } from '../page/workspace.js'
import { arrange, fill, put } from './grid.js'
import './find-bar.js'
import { lettering } from './lettering.js'
import { shapeOf } from './layouts.js'
import './window-panes.js'

const KEYS = { F: 'find', C: 'copy' } // with Ctrl and Shift; ⌘C is the browser's own
const TYPED_INTO = 'input, textarea, select, [contenteditable], dialog[open] *'
const NARROW = matchMedia('(max-width: 700px)')

class TerminalArea extends Live {
  static parts = ['windows', 'facts', 'agents', 'place', 'pane', 'status', 'latency', 'ready', 'problem']

  services = null
  #fontSize = 0
  #grid = load('grid', { count: 1, slots: [] })
  #before = '' // address of the window that was looked at last
  #active = '' // window and pane that tmux had in front at the last look
  #wantsFocus = false
  #toldUnsent = false
  #redraw = () => this.update()

  constructor() {
    super()
    this.addEventListener('focusin', ({ target }) => this.#focused(target))
    this.addEventListener('keydown', (event) => this.#key(event), { capture: true })
    this.addEventListener('terminal-ready', ({ detail }) => { if (this.#wantsFocus && detail.name === this.store.pane) this.focusTerminal() })
    this.addEventListener('terminal-unsent', () => this.#unsent())
  }

  connectedCallback() {
    super.connectedCallback()
    for (const type of ['theme-changed', 'lettering-changed']) document.addEventListener(type, this.#redraw)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    for (const type of ['theme-changed', 'lettering-changed']) document.removeEventListener(type, this.#redraw)
  }

  // --- for actions, and for a phone that pans and zooms ---

  /** Size of the letters in pixels, whether the window fits or not; 0: as large as fits. */
  get fontSize() { return this.#fontSize }
  set fontSize(size) {
    this.#fontSize = size
    this.update()
  }
  get shownFontSize() { return this.current?.shownFontSize ?? 0 }

  /** The terminal that has the keyboard. */
  get terminal() { return this.querySelector(`tmux-adapter-web[name="${CSS.escape(this.store.pane)}"]`) }
  get current() { return this.querySelector('.slot[data-current] window-panes') }

  focusTerminal() {
    this.#wantsFocus = false
    this.terminal?.focus()
  }

  find() { if (this.terminal) this.querySelector('find-bar').open(this.terminal) }

  show(count) {
    const known = allWindows(this.store).map(addressOf)
    const current = this.#address()
    const places = arrange({ ...this.#grid, count, current, before: current, known })
    this.#keep({ count, slots: fill(places, current, known) })
  }

  // --- what is shown ---

  paint() {
    if (this.hidden) this.#before = this.#active = ''
    else this.#follow(currentWindow(this.store))
    super.paint()
  }

  view() {
    if (this.hidden) return nothing // what nobody sees is not watched; it comes back exactly
    const windows = allWindows(this.store)
    const slots = this.#places(windows)
    if (!slots.some(Boolean)) return this.#nothing()
    return html`
      <div class="slots" data-count=${slots.length}>
        ${repeat(slots, (window, at) => (window ? window.windowId : at), (window, at) => this.#slot(window, at, slots, windows))}
      </div>
      <find-bar .dark=${isDark()}></find-bar>
      ${this.#status()}`
  }

  #slot(window, at, slots, windows) {
    const isCurrent = Boolean(window) && window.windowId === currentWindow(this.store)?.windowId
    return html`<section class="slot" ?data-current=${isCurrent} aria-label=${window ? windowTitle(window) : 'No window'}>
      ${slots.length > 1 ? this.#picker(window, at, windows) : nothing}
      ${window
        ? html`<window-panes .window=${window} .services=${this.services} .lettering=${lettering()} .background=${this.#ground()}
            .fontSize=${this.#fontSize} .pane=${isCurrent ? this.store.pane : activePane(window)?.paneId}></window-panes>`
        : html`<p class="empty quiet">Choose a window above to put it here.</p>`}
    </section>`
  }

  #picker(window, at, windows) {
    return html`<header>
      <select class="field" aria-label="Window in place ${at + 1}" @change=${({ target }) => this.#choose(at, target.value)}>
        <option value="" ?selected=${!window} disabled>Choose a window</option>
        ${windows.map((other) => html`<option value=${addressOf(other)}
          ?selected=${other.windowId === window?.windowId}>${windowTitle(other)}</option>`)}
      </select>
    </header>`
  }

  #status() {
    const window = currentWindow(this.store)
    const shape = window && shapeOf(window)
    const latency = this.store.status === 'open' && this.store.latency !== null
    return html`<p class="terminal-status mono quiet">
      ${window?.zoomed ? html`<span>zoomed</span>` : nothing}
      ${shape ? html`<span title="Columns and rows of the window">${shape.cols}×${shape.rows}</span>` : nothing}
      ${latency ? html`<span title="Time to the server and back">${Math.round(this.store.latency)} ms</span>` : nothing}
    </p>`
  }

  #nothing() {
    if (!this.store.ready) return html`<p class="empty quiet" role="status">Asking tmux…</p>`
    if (this.store.problem) return html`<p class="empty quiet" role="status">tmux is away. Its windows come back here by themselves.</p>`
    return html`<div class="empty"><h2>This window has ended</h2>
      <p class="quiet">What was said in it stays in its chat; its project may have other windows.</p>
      <button class="button" @click=${() => this.act('home')}>All agents</button></div>`
  }

  // --- who has the keyboard ---

  /** Keeps to what tmux has in front: when that changes, the keyboard goes along. */
  #follow(window) {
    const pane = activePane(window)?.paneId ?? ''
    const address = window ? addressOf(window) : ''
    const came = address !== this.#before && address !== ''
    const front = `${window?.windowId} ${pane}`
    const held = this.contains(document.activeElement)
    if (front !== this.#active) {
      this.store.set('pane', pane)
      if (came || held) this.#wantsFocus = !NARROW.matches && (held || !document.activeElement?.matches(TYPED_INTO))
      if (this.#wantsFocus) queueMicrotask(() => this.focusIfShown())
    }
    this.#active = front
    this.#before = address
  }

  focusIfShown() { if (this.#wantsFocus && this.terminal?.shadowRoot.querySelector('textarea')) this.focusTerminal() }

  #focused(target) {
    const pane = target.closest('terminal-pane')?.name
    const window = target.closest('window-panes')?.window
    if (!pane || !window || pane === this.store.pane) return
    this.store.set('pane', pane)
    this.#active = `${window.windowId} ${pane}`
    if (activePane(window)?.paneId !== pane) this.act('focus-pane', { pane })
    if (addressOf(window) !== this.#address()) this.act('go', { place: { view: 'terminal', key: addressOf(window), project: '' } })
  }

  #key(event) {
    const name = event.ctrlKey && event.shiftKey && !event.altKey && !event.metaKey && KEYS[event.key.toUpperCase()]
    if (!name) return
    event.preventDefault()
    event.stopPropagation()
    this.act(name)
  }

  /** Once for a loss of the connection, not once for a key. */
  #unsent() {
    if (this.#toldUnsent) return
    this.#toldUnsent = true
    this.services.socket.addEventListener('status', () => { this.#toldUnsent = false }, { once: true })
    this.services.toast({ tone: 'bad', text: 'Not connected: what you type is not sent' })
  }

  // --- places ---

  #address() {
    const window = currentWindow(this.store)
    return window ? addressOf(window) : ''
  }

  #places(windows) {
    const byAddress = new Map(windows.map((window) => [addressOf(window), window]))
    const count = NARROW.matches ? 1 : this.#grid.count
    const slots = NARROW.matches ? [] : this.#grid.slots
    const current = this.#address()
    const places = arrange({ count, slots, current, before: this.#before, known: [...byAddress.keys()] })
    return places.map((address) => byAddress.get(address) ?? null)
  }

  #choose(at, address) {
    const places = this.#places(allWindows(this.store)).map((window) => (window ? addressOf(window) : ''))
    const wasCurrent = places[at] === this.#address()
    this.#keep({ count: places.length, slots: put(places, at, address) })
    if (wasCurrent) this.act('go', { place: { view: 'terminal', key: address, project: '' } })
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
