// What is asked about a window's chat beside its messages: a search, a summary, its recordings.
// Tells `change`. An answer that comes after another question was asked is dropped.
import { part } from '../page/api.js'
import { asTyped } from './highlights.js'

const PAGE = 40
const NOTHING_FOUND = { phase: 'idle', items: [], hasMore: false, problem: '' }

export class ChatLookup extends EventTarget {
  query = ''
  found = NOTHING_FOUND
  summary = { phase: 'loading', bullets: [], by: '', model: '', at: 0, problem: '' }
  recordings = []

  #api
  #key
  #closed = false

  constructor({ api }, key) {
    super()
    this.#api = api
    this.#key = key
  }

  begin() {
    this.summarize()
    this.#findRecordings()
  }

  close() { this.#closed = true }

  search(query) {
    this.query = query.trim()
    this.found = this.query ? { ...NOTHING_FOUND, phase: 'loading' } : NOTHING_FOUND
    this.#tell()
    if (this.query) return this.more()
  }

  async more() {
    const { query, found: { items } } = this
    this.found = { ...this.found, phase: 'loading' }
    this.#tell()
    const asked = new URLSearchParams({ q: asTyped(query), window: this.#key, limit: PAGE, offset: items.length })
    const found = await this.#api('GET', `/chat?${asked}`).then(
      (page) => ({ phase: 'ready', items: [...items, ...page.items], hasMore: page.hasMore, problem: '' }),
      (problem) => ({ ...NOTHING_FOUND, phase: 'failed', problem: problem.message }),
    )
    if (query !== this.query) return
    this.found = found
    this.#tell()
  }

  async summarize() {
    this.summary = { ...this.summary, phase: 'loading' }
    this.#tell()
    this.summary = await this.#api('GET', `/windows/${part(this.#key)}/summary`).then(
      ({ summary, by, model }) => ({ phase: 'ready', bullets: summary, by, model, at: Date.now(), problem: '' }),
      (problem) => ({ ...this.summary, phase: 'failed', problem: problem.message }),
    )
    this.#tell()
  }

  /** Newest first. A server that keeps none, or an older one that knows none, has no links to offer. */
  async #findRecordings() {
    try {
      const { key } = await this.#api('GET', `/windows/${part(this.#key)}`)
      this.recordings = (await this.#api('GET', `/recordings?window=${part(key)}`)).items
      this.#tell()
    } catch { /* no links */ }
  }

  #tell() {
    if (!this.#closed) this.dispatchEvent(new Event('change'))
  }
}
