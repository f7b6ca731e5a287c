// <terminal-pane>: one tmux pane, watched while it is on the page. Connects a terminal to the socket: bytes
// in, keys and files out by the terminal area. Position and size are set by window-panes.ts.
import { sentence } from '../core/sentence'
import type { Services } from '../core/services'
import type { OutputState } from '../core/socket'
import { customElement, html, nothing, property, state, type TemplateResult, View } from '../core/view'
import { hasGpu } from './gpu'
import type { ClipboardOffer, TmuxAdapterWeb } from './tmux-adapter-web'
import './tmux-adapter-web'

/** Sends what the user types into a terminal or drops on it. Implemented by the terminal area. */
export interface PaneSender {
  sendInput(pane: string, data: Uint8Array): void
  sendFile(pane: string, payload: Uint8Array): void
}

interface HeldWrite {
  bytes: Uint8Array
  parsed(): void
}

// The size changes in steps while a border is dragged elsewhere.
const REDRAW_MS = 80
const RETRY_MS = 1_500
// Floods in unfocused panes are rendered a few times per second, so that typing stays fast.
const BATCH_MS = 150
// Bytes within that time.
const FLOOD_BYTES = 8 * 1024
// Characters.
const OFFER_SHOWN = 60
// More frequent offers of a program are ignored.
const OFFER_MS = 3_000
const STATE_TEXTS: Partial<Record<OutputState | 'loading', string>> = {
  away: 'tmux is busy. The screen updates automatically.',
  ended: 'This pane has closed',
  failed: 'Cannot show this pane',
}

@customElement('terminal-pane')
export class TerminalPane extends View {
  @property({ attribute: false }) name = ''
  @property({ attribute: false }) services!: Pick<Services, 'socket' | 'store' | 'toast'>
  @property({ attribute: false }) sender!: PaneSender
  @property({ attribute: false }) cols = 80
  @property({ attribute: false }) rows = 24
  @property({ attribute: false }) fontSize = 13
  @property({ attribute: false }) fontFamily = ''
  @property({ attribute: false }) background = ''
  @state() private state: OutputState | 'loading' = 'loading'
  @state() private reason = ''
  #stop: (() => void) | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #renderedSize = ''
  #offeredAt = -OFFER_MS
  // Rendered with the next batch.
  #heldWrites: HeldWrite[] = []
  // Bytes of this batch.
  #batchBytes = 0
  #batchTimer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    // A removed terminal loses the focus; that focus report must not reach the program.
    this.addEventListener('terminal-input', ({ detail }) => {
      if (this.isConnected) this.sender.sendInput(this.name, detail.data)
    })
    this.addEventListener('file-upload', ({ detail }) => {
      if (this.isConnected) this.sender.sendFile(this.name, detail.payload)
    })
    this.addEventListener('file-refused', ({ detail: { fileName, reason } }) =>
      this.services.toast({ tone: 'bad', text: `Could not send ${fileName}. ${sentence(reason)}` }),
    )
    this.addEventListener('clipboard-write', ({ detail }) => this.#offer(detail))
    this.addEventListener('terminal-ready', () => this.#ready())
  }

  get terminal(): TmuxAdapterWeb | null {
    return this.querySelector('tmux-adapter-web')
  }

  override connectedCallback(): void {
    super.connectedCallback()
    // Watches again if it was removed before.
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    // When it is moved within the page, it keeps its state.
    queueMicrotask(() => {
      if (!this.isConnected) this.#leave()
    })
  }

  override updated(): void {
    // An update may still be pending after the removal.
    if (!this.isConnected) return
    const size = `${this.cols}x${this.rows}`
    if (!this.#stop) this.#watch()
    // Output for another size is invalid: a new capture is exact.
    else if (size !== this.#renderedSize) this.#scheduleWatch(REDRAW_MS)
    this.#renderedSize = size
  }

  override render(): TemplateResult {
    return html`
      <tmux-adapter-web name=${this.name} size="${this.cols}x${this.rows}" font-size=${this.fontSize}
        font-family=${this.fontFamily} theme-background=${this.background}></tmux-adapter-web>
      ${this.#stateView()}`
  }

  #stateView(): TemplateResult | typeof nothing {
    const text = STATE_TEXTS[this.state]
    if (text === undefined) return nothing
    const reason = this.reason && this.reason !== 'the pane has ended' ? `: ${this.reason}` : ''
    return html`<p class="pane-state" role="status"><span class="chip bad">${text}${reason}</span></p>`
  }

  #watch(): void {
    clearTimeout(this.#timer)
    this.#stop = this.services.socket.watch(this.name, {
      write: (bytes, reset) => this.#write(bytes, reset),
      onState: (state, reason = '') => this.#setState(state, reason),
    })
  }

  #write(bytes: Uint8Array, reset: boolean): Promise<void> {
    if (this.state !== 'watching') this.#setState('watching', '')
    if (reset) this.#dropHeld()
    this.#batchBytes += bytes.length
    this.#batchTimer ??= setTimeout(() => this.#flush(), BATCH_MS)
    const calm = this.#batchBytes < FLOOD_BYTES || this.services.store.pane === this.name
    if (calm && this.#heldWrites.length === 0) return this.#parse(bytes)
    return new Promise((parsed) => {
      this.#heldWrites.push({ bytes, parsed })
    })
  }

  /** Resolves when the terminal has parsed the bytes. */
  async #parse(bytes: Uint8Array): Promise<void> {
    await this.terminal?.write(bytes)
  }

  /** A new capture replaces the held output. */
  #dropHeld(): void {
    for (const { parsed } of this.#heldWrites.splice(0)) parsed()
    void this.terminal?.reset()
  }

  #flush(): void {
    clearTimeout(this.#batchTimer)
    this.#batchTimer = undefined
    this.#batchBytes = 0
    for (const { bytes, parsed } of this.#heldWrites.splice(0)) void this.#parse(bytes).then(parsed)
  }

  /** This element exists while tmux lists the pane, so a watch that ended is retried. */
  #setState(state: OutputState, reason: string): void {
    if (!this.isConnected) return
    this.state = state
    this.reason = reason
    if (state === 'ended' || state === 'failed') this.#scheduleWatch(RETRY_MS)
  }

  #scheduleWatch(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.isConnected) this.#watch()
    }, delay)
  }

  #leave(): void {
    clearTimeout(this.#timer)
    this.#flush()
    this.#stop?.()
    this.#stop = null
  }

  /** A program cannot write to the clipboard itself: the user is asked. */
  #offer({ text, accept }: ClipboardOffer): void {
    if (performance.now() - this.#offeredAt < OFFER_MS) return
    this.#offeredAt = performance.now()
    const shown = text.length > OFFER_SHOWN ? `${text.slice(0, OFFER_SHOWN)}…` : text
    this.services.toast({
      text: `A program wants to copy to the clipboard: ${shown}`,
      undo: { title: 'Copy', run: accept },
    })
  }

  async #ready(): Promise<void> {
    if (!hasGpu()) return
    const { WebglAddon } = await import('@xterm/addon-webgl')
    const webgl = new WebglAddon()
    // Too many terminals: falls back to the DOM renderer.
    webgl.onContextLoss(() => webgl.dispose())
    this.terminal?.use(webgl)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'terminal-pane': TerminalPane
  }
}
