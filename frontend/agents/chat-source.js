// Loads the chat of one window in pages, and follows it live. Tells `change`.
// How pages join is chat-pages.js; what is shown of them chat-screen.js.
import { part } from '../page/api.js'
import { NOTHING, opened, wholeTurns, withNewer, withOlder, withRecord, withTail } from './chat-pages.js'

const PAGE = 60
const TAIL = 16 // messages that are read again when something was said
const GATHER_MS = 250 // a program prints in bursts
const PATHS = { messages: 'messages', records: 'chat' }

export class ChatSource extends EventTarget {
  state = NOTHING
  phase = 'loading' // loading, ready, failed
  problem = ''
  busy = '' // older or newer: a page is under way
  window = null // as the server tells it
  heard = 0 // records that came since it was opened
  following = true // the end is looked at

  #services
  #key
  #kind
  #timer = 0
  #closed = false
  #end = () => {}

  /** `kind`: messages, or the records that they are made of. */
  constructor(services, key, kind) {
    super()
    this.#services = services
    this.#key = key
    this.#kind = kind
  }

  /** The newest, or what was said around a moment. */
  async open(moment = 0) {
    this.#listen()
    await this.jump(moment)
  }

  async jump(moment = 0) {
    this.phase = 'loading'
    this.#tell()
    try {
      const page = await this.#load(moment ? { around: moment } : {})
      this.state = opened(page)
      this.window = page.window
      this.phase = 'ready'
    } catch (problem) {
      this.phase = 'failed'
      this.problem = problem.message
    }
    this.#tell()
  }

  older() { return this.#page('older', () => ({ before: this.state.items[0].ts }), withOlder) }
  newer() { return this.#page('newer', () => ({ after: this.state.items.at(-1).ts }), withNewer) }

  close() {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#end()
    this.#services.socket.removeEventListener('event', this.#heard)
  }

  #listen() {
    this.#services.socket.addEventListener('event', this.#heard)
    // Each answer after the first is a return: something may have been missed meanwhile.
    this.#end = this.#services.socket.subscribe('subscribe-chat', { window: this.#key }, () => {
      if (this.phase === 'ready') this.#catchUp()
    })
  }

  #heard = ({ detail }) => {
    if (detail.type !== 'chat-added' || detail.key !== this.window?.key || this.phase !== 'ready') return
    this.heard++
    if (this.#kind === 'records') this.#become(withRecord(this.state, detail.record))
    else if (!this.#timer) this.#timer = setTimeout(() => this.#catchUp(), GATHER_MS)
  }

  async #catchUp() {
    this.#timer = 0
    if (this.state.newer) return this.#tell() // what is loaded does not reach the end
    try {
      let page = await this.#load({ limit: TAIL })
      if (!withTail(this.state, page)) page = await this.#load({ limit: 4 * PAGE })
      const joined = withTail(this.state, page)
      this.#become(joined ?? (this.following ? opened(page) : { ...this.state, newer: true }))
    } catch { /* the next record, or the return of the connection, tries again */ }
  }

  async #page(which, place, join) {
    if (this.busy || this.phase !== 'ready' || !this.state[which] || !this.state.items.length) return
    this.busy = which
    this.#tell()
    const before = this.state
    try {
      const page = await this.#load(place())
      if (before.items[0] === this.state.items[0] || which === 'newer') this.state = join(this.state, page)
    } catch (problem) {
      this.problem = problem.message
    }
    this.busy = ''
    this.#tell()
  }

  async #load(asked) {
    const query = new URLSearchParams({ limit: PAGE, ...asked })
    const page = await this.#services.api('GET', `/windows/${part(this.#key)}/${PATHS[this.#kind]}?${query}`)
    if (this.#kind === 'messages') page.messages = wholeTurns(page.messages, page.hasMore)
    return page
  }

  #become(state) {
    this.state = state
    this.#tell()
  }

  #tell() {
    if (!this.#closed) this.dispatchEvent(new Event('change'))
  }
}
