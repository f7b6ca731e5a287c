// Loads the timeline of one project in pages, and its newest page again when something happened.
// Tells `change`. How pages join is timeline-items.js.
import { part } from '../page/api.js'
import { withNewest } from './timeline-items.js'

const PAGE = 50
const KEPT = 5000 // items
const GATHER_MS = 700 // calls of tools are written half a second after they ended
const EVERY_MS = 10_000 // what raises no event: a file, a call that changed nothing
const NEWS = new Set(['notes-updated', 'agent-updated', 'agent-added', 'agent-removed', 'chat-added'])

export class TimelineSource extends EventTarget {
  items = []
  hasMore = false
  phase = 'loading' // loading, ready, failed
  problem = ''
  recordings = []

  #services
  #project
  #kinds
  #busy = false
  #soon = 0
  #closed = false
  #endNotes = () => {}
  #every = setInterval(() => { if (!document.hidden) this.#again() }, EVERY_MS)

  /** `kinds`: those to be shown; none: all. */
  constructor(services, project, kinds) {
    super()
    this.#services = services
    this.#project = project
    this.#kinds = kinds
  }

  async open() {
    const { socket } = this.#services
    socket.addEventListener('event', this.#heard)
    this.#endNotes = socket.subscribe('subscribe-notes', {}, () => this.#soonAgain())
    this.#findRecordings()
    try {
      Object.assign(this, await this.#load(), { phase: 'ready' })
    } catch (problem) {
      Object.assign(this, { phase: 'failed', problem: problem.message })
    }
    this.#tell()
  }

  async older() {
    if (this.#busy || !this.hasMore || this.items.length >= KEPT) return
    this.#busy = true
    try {
      const page = await this.#load({ before: this.items.at(-1).key })
      this.items = [...this.items, ...page.items]
      this.hasMore = page.hasMore
    } catch { /* asked again with the next scroll */ }
    this.#busy = false
    this.#tell()
  }

  close() {
    this.#closed = true
    clearInterval(this.#every)
    clearTimeout(this.#soon)
    this.#endNotes()
    this.#services.socket.removeEventListener('event', this.#heard)
  }

  #heard = ({ detail }) => { if (NEWS.has(detail.type)) this.#soonAgain() }

  #soonAgain() {
    this.#soon ||= setTimeout(() => { this.#soon = 0; this.#again() }, GATHER_MS)
  }

  async #again() {
    if (this.#busy || this.#closed) return
    this.#busy = true
    try {
      const page = await this.#load()
      const { items, alone } = withNewest(this.items, page)
      this.items = items.slice(0, KEPT)
      if (alone || this.phase !== 'ready') this.hasMore = page.hasMore
      this.phase = 'ready'
    } catch { /* the connection's banner says it */ }
    this.#busy = false
    this.#tell()
  }

  async #load(asked = {}) {
    const query = new URLSearchParams({ limit: PAGE, kinds: this.#kinds.join(','), ...asked })
    return this.#services.api('GET', `/projects/${part(this.#project)}/timeline?${query}`)
  }

  async #findRecordings() {
    try {
      this.recordings = (await this.#services.api('GET', `/recordings?project=${part(this.#project)}`)).items
      this.#tell()
    } catch { /* no links */ }
  }

  #tell() {
    if (!this.#closed) this.dispatchEvent(new Event('change'))
  }
}
