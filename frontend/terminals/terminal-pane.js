// <terminal-pane>: one pane of tmux, watched as long as it is on the page. Joins a terminal and the
// socket: bytes in, keys and files out. Where it stands and how large it is: window-panes.js.
import { View, html, nothing, states } from '../page/view.js'
import { hasGpu } from './gpu.js'
import './tmux-adapter-web.js'

// A pane changes its size in steps while a border is dragged elsewhere.
const REDRAW_MS = 80
const RETRY_MS = 1_500
// A flood in a pane that has not the keyboard is drawn a few times a second: keys come first.
const CALM_MS = 150
const FLOOD = 8 * 1024 // bytes within that time
const OFFER_SHOWN = 60 // characters
const OFFER_MS = 3_000 // a program that offers more often is not listened to
const WORDS = {
  away: 'tmux is busy: the picture comes back by itself',
  ended: 'This pane has ended',
  failed: 'This pane cannot be shown',
}

export class TerminalPane extends View {
  #stop = null
  #timer = 0
  #drawnSize = ''
  #offeredAt = -OFFER_MS
  #held = [] // {bytes, parsed}: what is drawn with the next turn
  #taken = 0 // bytes of this turn
  #turn = 0

  constructor() {
    super()
    const hear = {
      'terminal-input': ({ detail }) => this.#send('input', detail.data),
      'file-upload': ({ detail }) => this.#send('upload', detail.payload),
      'file-refused': ({ detail }) => this.#toast({ tone: 'bad', text: `${detail.fileName} was not sent: ${detail.reason}` }),
      'clipboard-write': ({ detail }) => this.#offer(detail),
      'terminal-ready': () => this.#ready(),
    }
    for (const [type, listener] of Object.entries(hear)) this.addEventListener(type, listener)
  }

  get terminal() { return this.querySelector('tmux-adapter-web') }

  disconnectedCallback() {
    // Moved within the page it stays what it is.
    queueMicrotask(() => { if (!this.isConnected) this.#leave() })
  }

  paint() {
    super.paint()
    const size = `${this.cols}x${this.rows}`
    if (!this.#stop) this.#watch()
    // What was printed for one size means nothing at another: a new picture is exact.
    else if (size !== this.#drawnSize) this.#later(REDRAW_MS)
    this.#drawnSize = size
  }

  view() {
    return html`
      <tmux-adapter-web name=${this.name} size="${this.cols}x${this.rows}" font-size=${this.fontSize}
        font-family=${this.fontFamily} theme-background=${this.background}></tmux-adapter-web>
      ${this.state in WORDS ? this.#told() : nothing}`
  }

  #told() {
    const reason = this.reason && this.reason !== 'the pane has ended' ? `: ${this.reason}` : ''
    return html`<p class="pane-state" role="status"><span class="chip bad">${WORDS[this.state]}${reason}</span></p>`
  }

  #watch() {
    clearTimeout(this.#timer)
    this.#stop = this.services.socket.watch(this.name, {
      write: (bytes, reset) => this.#write(bytes, reset),
      onState: (state, reason = '') => this.#be(state, reason),
    })
  }

  #write(bytes, reset) {
    if (this.state !== 'watching') this.#be('watching', '')
    if (reset) this.#overtake()
    this.#taken += bytes.length
    this.#turn ||= setTimeout(() => this.#draw(), CALM_MS)
    const calm = this.#taken < FLOOD || this.services.store.pane === this.name
    if (calm && this.#held.length === 0) return this.terminal?.write(bytes)
    return new Promise((parsed) => { this.#held.push({ bytes, parsed }) })
  }

  /** A new picture makes what was held worthless. */
  #overtake() {
    for (const { parsed } of this.#held.splice(0)) parsed()
    this.terminal?.reset()
  }

  #draw() {
    this.#taken = this.#turn = 0
    for (const { bytes, parsed } of this.#held.splice(0)) Promise.resolve(this.terminal?.write(bytes)).then(parsed)
  }

  /** While tmux lists the pane this element is here, so that a watch that ended is worth a try. */
  #be(state, reason) {
    if (!this.isConnected) return
    this.state = state
    this.reason = reason
    if (state === 'ended' || state === 'failed') this.#later(RETRY_MS)
  }

  #later(pause) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => { if (this.isConnected) this.#watch() }, pause)
  }

  #leave() {
    clearTimeout(this.#timer)
    clearTimeout(this.#turn)
    this.#draw()
    this.#stop?.()
    this.#stop = null
  }

  /** A terminal that is taken from the page loses the focus: no program is to be told of that. */
  #send(verb, data) {
    if (!this.isConnected) return
    const sent = this.services.socket[verb](this.name, data)
    if (!sent) this.tell('terminal-unsent', {})
  }

  /** A program never reaches the clipboard by itself: the person is asked. */
  #offer({ text, accept }) {
    if (performance.now() - this.#offeredAt < OFFER_MS) return
    this.#offeredAt = performance.now()
    const shown = text.length > OFFER_SHOWN ? `${text.slice(0, OFFER_SHOWN)}…` : text
    this.#toast({ text: `A program offers text for the clipboard: ${shown}`, undo: { title: 'Copy', run: accept } })
  }

  async #ready() {
    if (!hasGpu()) return
    const { WebglAddon } = await import('../lib/xterm/addon-webgl.mjs')
    const webgl = new WebglAddon()
    webgl.onContextLoss(() => webgl.dispose()) // too many terminals: the DOM draws it then
    this.terminal?.use(webgl)
  }

  #toast(toast) { this.services.toast(toast) }
}

states(TerminalPane, {
  name: '', services: null, cols: 80, rows: 24, fontSize: 13, fontFamily: '', background: '', state: 'loading', reason: '',
})
customElements.define('terminal-pane', TerminalPane)
