// <terminal-area>: the current window and up to three others. Sets the focused pane (`store.pane`), and sends
// what is typed. Each window is rendered by window-panes.ts.
import { load, save } from '../core/memory'
import { isPhone } from '../core/phone-media'
import type { KeyModifier, Services } from '../core/services'
import type { Socket } from '../core/socket'
import type { SocketEvent } from '../core/generated/socket'
import type { Part } from '../core/store'
import { isDark } from '../core/theme'
import {
  customElement,
  html,
  Live,
  nothing,
  property,
  repeat,
  state,
  type TemplateResult,
} from '../core/view'
import {
  activePane,
  addressOf,
  allWindows,
  currentWindow,
  type WindowRow,
  windowTitle,
} from '../core/workspace'
import { arrange, fill, put, withKeys } from './grid'
import { shapeOf } from './layouts'
import { focusedPane } from './panes'
import { PendingPane } from './pending-pane'
import { loadFonts, shownFont } from './shipped-fonts'
import type { PaneSender } from './terminal-pane'
import type { TmuxAdapterWeb } from './tmux-adapter-web'
import type { WindowPanes } from './window-panes'
import './window-panes'

interface Grid {
  count: number
  slots: readonly string[]
}

// With Ctrl and Shift; the browser handles ⌘C.
const KEYS: Record<string, string> = { F: 'find', C: 'copy' }
const TEXT_FIELDS = 'input, textarea, select, [contenteditable], dialog[open] *'
const REDRAW_EVENTS = ['theme-changed', 'font-changed']
const REFUSED_MS = 5_000
// How long the terminal of a new pane may take to appear.
const NEW_PANE_MS = 10_000

@customElement('terminal-area')
export class TerminalArea extends Live implements PaneSender {
  static override parts: readonly Part[] = [
    'windows',
    'savedWindows',
    'agents',
    'place',
    'reader',
    'pane',
    'status',
    'latency',
    'problem',
  ]

  @property({ attribute: false }) services!: Pick<Services, 'socket' | 'store' | 'toast'>
  /** Font size in pixels, even if the window does not fit; 0: as large as fits. */
  @property({ attribute: false }) fontSize = 0
  /** Changes keys that are typed into a terminal: the key row, once it is loaded. */
  modifier: KeyModifier | null = null
  @state() private grid: Grid = load('grid', { count: 1, slots: [] })
  // Whether the find bar is loaded.
  @state() private hasFindBar = false
  // The current window, and the address of the one before this update.
  #current: WindowRow | null = null
  #before = ''
  // The active window and pane in tmux at the last update.
  #front = ''
  #wantsFocus = false
  // A pane that is being created.
  #pending: PendingPane | null = null
  #reportedUnsent = false
  #refusal = { reason: '', at: -REFUSED_MS }
  #socket: Socket | null = null
  #onEvent = ({ detail }: CustomEvent<SocketEvent>) => {
    if (detail.type === 'error') this.#refused(detail.error)
  }
  #redraw = () => this.requestUpdate()
  // While a notice is shown instead (shell/stage-notice), a terminal cannot take the focus.
  #visibility = new ResizeObserver(() => this.#applyFocus())

  constructor() {
    super()
    this.addEventListener('focusin', ({ target }) => this.#onFocusin(target))
    this.addEventListener('keydown', (event) => this.#key(event), { capture: true })
    this.addEventListener('pointerdown', () => this.#pending?.stop(), { capture: true })
    this.addEventListener('terminal-ready', () => this.#applyFocus())
  }

  override connectedCallback(): void {
    super.connectedCallback()
    for (const type of REDRAW_EVENTS) document.addEventListener(type, this.#redraw)
    this.#visibility.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    for (const type of REDRAW_EVENTS) document.removeEventListener(type, this.#redraw)
    this.#visibility.disconnect()
    this.#listen(null)
  }

  // --- for actions and touch gestures ---

  get shownFontSize(): number {
    return this.current?.shownFontSize ?? 0
  }

  /** The focused terminal, and the window around it. */
  get terminal(): TmuxAdapterWeb | null {
    return this.querySelector<TmuxAdapterWeb>(`tmux-adapter-web[name="${CSS.escape(this.store.pane)}"]`)
  }
  get current(): WindowPanes | null {
    return this.querySelector<WindowPanes>('.slot[data-current] window-panes')
  }

  focusTerminal(): void {
    this.#wantsFocus = false
    this.terminal?.focus()
  }

  /**
   * Creates a pane in the current window and focuses it. From now on, keys are for this pane: they are held
   * until it exists. `create` resolves to its id.
   */
  async addPane(create: () => Promise<string>): Promise<void> {
    const pending = new PendingPane((pane, data) => this.#sendTo(pane, data))
    this.#pending = pending
    // The button that was clicked has the focus: keys would be shortcuts of the page, or press it again. On
    // a phone, the focus would open the keyboard.
    if (!isPhone()) this.focusTerminal()
    try {
      pending.open(await create())
    } catch (error) {
      this.#endPending(pending)
      throw error
    }
    setTimeout(() => this.#endPending(pending), NEW_PANE_MS)
    if (this.#pending !== pending) return
    this.store.set('pane', pending.pane)
    this.#wantsFocus = Boolean(document.activeElement?.closest('terminal-pane'))
    this.#applyFocus()
    if (document.activeElement?.closest('terminal-pane')?.name === pending.pane) this.#endPending(pending)
  }

  #endPending(pending: PendingPane): void {
    if (this.#pending === pending) this.#pending = null
  }

  async find(): Promise<void> {
    const { terminal } = this
    if (!terminal) return
    await import('./find-bar')
    this.hasFindBar = true
    await this.updateComplete
    await this.querySelector('find-bar')?.open(terminal)
  }

  show(count: number): void {
    const known = allWindows(this.store).map(addressOf)
    const current = this.#address
    const places = arrange({ count, slots: this.grid.slots, current, before: current, known })
    this.#setGrid({ count, slots: fill(places, current, known) })
  }

  // --- the path of a key: terminal, pane, here, socket; or key row, here, socket ---

  /** Sends what was typed into the terminal of a pane, changed by the modifier. */
  sendInput(pane: string, data: Uint8Array): void {
    const typed = this.modifier?.modify(data) ?? data
    if (!this.#pending?.take(typed)) this.#sendTo(pane, typed)
  }

  #sendTo(pane: string, data: Uint8Array): void {
    if (!this.services.socket.input(pane, data)) this.#unsent()
  }

  sendFile(pane: string, payload: Uint8Array): void {
    if (!this.services.socket.upload(pane, payload)) this.#unsent()
  }

  /** Sends a key of the key row, as the bytes of a terminal, to the focused pane. */
  sendKey(text: string): void {
    if (this.#pending?.take(text)) return
    const pane = focusedPane(this.store, currentWindow(this.store))
    if (!pane || this.services.socket.input(pane.paneId, text)) return
    this.services.toast({ tone: 'bad', text: 'Not connected. The key was not sent.' })
  }

  /** Reported once, not for every key. */
  #unsent(): void {
    if (this.#reportedUnsent) return
    this.#reportedUnsent = true
    const reset = () => {
      this.#reportedUnsent = false
    }
    this.services.socket.addEventListener('status', reset, { once: true })
    this.services.toast({ tone: 'bad', text: 'Not connected. Keystrokes are not sent.' })
  }

  /** The server refused input. Reported once, not for every key. */
  #refused(reason: string): void {
    const now = performance.now()
    if (this.#refusal.reason === reason && now - this.#refusal.at < REFUSED_MS) return
    this.#refusal = { reason, at: now }
    this.services.toast({ tone: 'bad', text: reason })
  }

  #listen(socket: Socket | null): void {
    if (socket === this.#socket) return
    this.#socket?.removeEventListener('event', this.#onEvent)
    socket?.addEventListener('event', this.#onEvent)
    this.#socket = socket
  }

  // --- rendering ---

  override willUpdate(): void {
    if (this.isConnected) this.#listen(this.services?.socket ?? null)
    if (this.hidden) {
      this.#current = null
      this.#front = ''
      return
    }
    this.#before = this.#address
    this.#current = currentWindow(this.store)
    this.#ensureSlot(this.#before)
  }

  override updated(): void {
    if (this.hidden) return
    void loadFonts()
    this.#followTmux(this.#before)
  }

  override render(): TemplateResult | typeof nothing {
    // Hidden panes are not watched; they are restored exactly.
    if (this.hidden) return nothing
    const windows = allWindows(this.store)
    const byAddress = new Map(windows.map((window) => [addressOf(window), window]))
    const slots = this.#visibleSlots().map((address) => byAddress.get(address) ?? null)
    // shell/stage-notice says why.
    if (!slots.some(Boolean)) return nothing
    const choice = slots.length > 1 ? windows : null
    return html`
      <div class="slots" data-count=${slots.length}>
        ${repeat(
          slots,
          (window, index) => (window ? window.windowId : index),
          (window, index) => this.#slot(window, index, choice),
        )}
      </div>
      ${this.hasFindBar ? html`<find-bar .dark=${isDark()}></find-bar>` : nothing}
      ${this.#status()}`
  }

  #slot(window: WindowRow | null, index: number, choice: readonly WindowRow[] | null): TemplateResult {
    const isCurrent = window !== null && window.windowId === this.#current?.windowId
    const pane = isCurrent ? this.store.pane : (activePane(window)?.paneId ?? '')
    return html`<section class="slot" ?data-current=${isCurrent} aria-label=${window ? windowTitle(window) : 'No window'}>
      ${choice ? this.#picker(window, index, choice) : nothing}
      ${
        window
          ? html`<window-panes .window=${window} .services=${this.services} .sender=${this} .font=${shownFont()}
            .background=${this.#backgroundColour()} .fontSize=${this.fontSize} .pane=${pane}></window-panes>`
          : html`<p class="empty quiet">Choose a window above to show it here.</p>`
      }
    </section>`
  }

  #picker(window: WindowRow | null, index: number, choice: readonly WindowRow[]): TemplateResult {
    const choose = ({ currentTarget }: Event & { currentTarget: HTMLSelectElement }) =>
      this.#choose(index, currentTarget.value)
    return html`<header>
      <select class="field" aria-label="Window in slot ${index + 1}" @change=${choose}>
        <option value="" disabled .selected=${!window}>Choose a window</option>
        ${choice.map(
          (other) => html`<option value=${addressOf(other)}
          .selected=${other.windowId === window?.windowId}>${windowTitle(other)}</option>`,
        )}
      </select>
    </header>`
  }

  #status(): TemplateResult {
    const shape = this.#current && shapeOf(this.#current)
    const latency = this.store.status === 'open' ? this.store.latency : null
    return html`<p class="terminal-status mono quiet">
      ${this.#current?.zoomed ? html`<span>zoomed</span>` : nothing}
      ${shape ? html`<span title="Window size in columns and rows">${shape.cols}×${shape.rows}</span>` : nothing}
      ${latency === null ? nothing : html`<span title="Round-trip time to the server">${Math.round(latency)} ms</span>`}
    </p>`
  }

  // --- focus ---

  /** Follows the active pane of tmux: when it changes, the focus moves along. */
  #followTmux(before: string): void {
    const pane = activePane(this.#current)?.paneId ?? ''
    const front = `${this.#current?.windowId} ${pane}`
    if (front === this.#front) return
    this.#front = front
    this.store.set('pane', pane)
    const hadFocus = Boolean(document.activeElement?.closest('terminal-pane'))
    const isNew = pane !== '' && this.#address !== before
    this.#wantsFocus = !isPhone() && (hadFocus || (isNew && !document.activeElement?.matches(TEXT_FIELDS)))
    this.#applyFocus()
  }

  /** Focuses the terminal now, or when it is ready and visible. */
  #applyFocus(): void {
    // The user is typing elsewhere.
    if (document.activeElement?.matches(TEXT_FIELDS)) this.#wantsFocus = false
    if (!this.#wantsFocus || !this.checkVisibility()) return
    if (this.terminal?.shadowRoot?.querySelector('textarea')) this.focusTerminal()
  }

  #onFocusin(target: EventTarget | null): void {
    if (!(target instanceof Element)) return
    const pane = target.closest('terminal-pane')?.name
    if (pane && pane === this.#pending?.pane) this.#pending = null
    const window = target.closest('window-panes')?.window
    if (!pane || !window || pane === this.store.pane) return
    this.store.set('pane', pane)
    this.#front = `${window.windowId} ${pane}`
    if (activePane(window)?.paneId !== pane) this.act('focus-pane', { pane })
    if (window.windowId !== this.#current?.windowId) this.#go(addressOf(window))
  }

  #go(key: string): void {
    this.act('go', { place: { view: 'terminal', key, project: '' } })
  }

  #key(event: KeyboardEvent): void {
    const { ctrlKey, shiftKey, altKey, metaKey, key } = event
    const name = ctrlKey && shiftKey && !altKey && !metaKey ? KEYS[key.toUpperCase()] : undefined
    if (!name) return
    event.preventDefault()
    event.stopPropagation()
    this.act(name)
  }

  // --- slots ---

  /** The address of the current window, or an empty string. */
  get #address(): string {
    return this.#current ? addressOf(this.#current) : ''
  }

  #visibleSlots(): readonly string[] {
    return this.grid.count > 1 && !isPhone() ? this.grid.slots : [this.#address]
  }

  /** Makes sure that the current window has a slot. */
  #ensureSlot(before: string): void {
    if (this.grid.count === 1 || !this.store.ready) return
    const windows = allWindows(this.store)
    const known = windows.map(addressOf)
    const kept = withKeys(this.grid.slots, windows)
    const slots = arrange({ ...this.grid, slots: kept, current: this.#address, before, known })
    if (slots.join() !== this.grid.slots.join()) this.#setGrid({ ...this.grid, slots })
  }

  #choose(index: number, address: string): void {
    const { slots } = this.grid
    const isCurrent = this.#current !== null && slots[index] === this.#address
    // It then takes this slot: see arrange.
    if (isCurrent && !slots.includes(address)) this.#go(address)
    else this.#setGrid({ ...this.grid, slots: put(slots, index, address) })
  }

  #setGrid(grid: Grid): void {
    this.grid = grid
    save('grid', grid)
  }

  #backgroundColour(): string {
    return hex(getComputedStyle(this).backgroundColor)
  }
}

/** Converts `rgb(11, 17, 18)` of a computed style to hex, as xterm.js and isLight() expect. */
function hex(colour: string): string {
  const parts = colour.match(/\d+/g)?.slice(0, 3) ?? ['0', '0', '0']
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}

declare global {
  interface HTMLElementTagNameMap {
    'terminal-area': TerminalArea
  }
}
