// A text that is being typed: saved when the person pauses, merged with what others write meanwhile,
// never lost. Knows no element; what it needs of the world is given to it.
import { merge } from './merging.js'

const PAUSE_MS = 400
const RETRY_MS = 3000
const TRIES = 10

/**
 * `state` is saved, typing, saving, failed (`problem` says why) or clash (`theirs` is the other text).
 * Given: `write(text, version)` → {version}, `read()` → sheet, `keep(draft or null)` for this
 * browser, and `tell()` after each change.
 */
export class Draft {
  text = ''
  state = 'saved'
  problem = ''
  theirs = ''
  #base = { text: '', version: 0 } // what the server had last, as far as we know
  #sending = null // the text under way
  #timer = 0
  #given
  #pause

  constructor(given, pause = PAUSE_MS) {
    this.#given = given
    this.#pause = pause
  }

  /** Begins with what the server has, and what this browser kept of an earlier time. */
  open(sheet, kept) {
    this.#base = { text: sheet.notes, version: sheet.version }
    this.text = sheet.notes
    if (kept && kept.text !== sheet.notes) this.#resume(kept)
    this.#given.tell()
  }

  type(text) {
    this.text = text
    this.#keep()
    if (this.state !== 'clash') this.#later('typing', this.#pause)
    this.#given.tell()
  }

  /** A state that the server told. Where it is not ours it is merged into what is typed. */
  told({ notes, version }) {
    if (version <= this.#base.version) return
    const before = this.#base.text
    this.#base = { text: notes, version }
    if (this.state === 'clash') this.theirs = notes
    else if (notes !== this.#sending) this.#join(before, notes)
    this.#given.tell()
  }

  /** Now, for a person who leaves or a pause that is over. */
  async flush() {
    clearTimeout(this.#timer)
    if (this.#sending !== null || this.state === 'clash') return
    for (let tries = 0; tries < TRIES && this.text !== this.#base.text; tries++) {
      if (!await this.#send()) return
    }
    if (this.text === this.#base.text) this.#settled()
    else this.#fail('others write these notes all the time')
  }

  /** The way out of a clash: the text that shall stand. */
  choose(text) {
    this.text = text
    this.state = 'typing'
    this.#keep()
    this.flush()
  }

  /** True where it may go on. */
  async #send() {
    this.#sending = this.text
    this.#be('saving')
    try {
      const { version } = await this.#given.write(this.#sending, this.#base.version)
      if (version > this.#base.version) this.#base = { text: this.#sending, version }
      return true
    } catch (problem) {
      this.#sending = null
      if (problem.code !== 'conflict') return this.#fail(problem.message)
      return await this.#read()
    } finally {
      this.#sending = null
    }
  }

  async #read() {
    try {
      this.told(await this.#given.read())
    } catch (problem) {
      return this.#fail(problem.message)
    }
    return this.state !== 'clash'
  }

  #resume(kept) {
    this.text = kept.text
    this.state = 'typing'
    this.#join(kept.base, this.#base.text)
    if (this.state === 'typing') this.#later('typing', 0)
  }

  #join(base, theirs) {
    const { text, clash } = merge(base, this.text, theirs)
    if (!clash) this.text = text
    else Object.assign(this, { theirs, state: 'clash' })
    if (this.text === theirs && this.#sending === null) this.#settled()
    else this.#keep()
  }

  #settled() {
    clearTimeout(this.#timer)
    this.#given.keep(null)
    this.#be('saved')
  }

  /** Tried again by itself: a server that restarts is back soon. */
  #fail(problem) {
    this.problem = problem
    this.#later('failed', RETRY_MS)
    this.#given.tell()
    return false
  }

  #later(state, milliseconds) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), milliseconds)
    if (this.#sending === null) this.state = state
  }

  #keep() { this.#given.keep({ text: this.text, base: this.#base.text }) }

  #be(state) {
    this.state = state
    this.problem = ''
    this.#given.tell()
  }
}
