// A text being edited: saved when the user pauses, merged with changes by others, never lost. Knows no
// element; storage and notification are passed in.
import { messageOf } from '../core/events'
import { merge } from './merging'
import { isConflict, type Sheet } from './sheets'

const PAUSE_MS = 400
const RETRY_MS = 3000
const ATTEMPTS = 10

/** `failed`: `problem` says why. `clash`: `theirs` is the other text. */
export type DraftState = 'saved' | 'typing' | 'saving' | 'failed' | 'clash'
/** An unsaved text in this browser, and the text of the server that it started from. */
export interface StoredDraft {
  text: string
  base: string
}
type Saved = Pick<Sheet, 'notes' | 'version'>

export interface DraftHost {
  write(text: string, version: number): Promise<Pick<Sheet, 'version'>>
  read(): Promise<Saved>
  /** Stores the draft in this browser; null removes it. */
  keep(draft: StoredDraft | null): void
  /** Is called after each change. */
  onChange(): void
}

export class Draft {
  text = ''
  state: DraftState = 'saved'
  problem = ''
  theirs = ''
  // The last known text of the server.
  #base = { text: '', version: 0 }
  // The text being written.
  #sending: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #host: DraftHost
  #pause: number

  constructor(host: DraftHost, pause = PAUSE_MS) {
    this.#host = host
    this.#pause = pause
  }

  /** Starts with the text of the server and an unsaved draft from this browser, if any. */
  open(sheet: Saved, stored: StoredDraft | null): void {
    this.#base = { text: sheet.notes, version: sheet.version }
    this.text = sheet.notes
    if (stored && stored.text !== sheet.notes) this.#resume(stored)
    this.#host.onChange()
  }

  type(text: string): void {
    this.text = text
    this.#keep()
    if (this.state !== 'clash') this.#schedule('typing', this.#pause)
    this.#host.onChange()
  }

  /** Receives a state of the server. Changes by others are merged into the typed text. */
  receive({ notes, version }: Saved): void {
    if (version <= this.#base.version) return
    const before = this.#base.text
    this.#base = { text: notes, version }
    if (this.state === 'clash') this.theirs = notes
    else if (notes !== this.#sending) this.#mergeIn(before, notes)
    this.#host.onChange()
  }

  /** Saves now: the user leaves, or the pause is over. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    if (this.#sending !== null || this.state === 'clash') return
    for (let attempts = 0; attempts < ATTEMPTS && this.text !== this.#base.text; attempts++) {
      if (!(await this.#send())) return
    }
    if (this.text === this.#base.text) this.#settled()
    else this.#fail('These notes are changing too often.')
  }

  /** Resolves a conflict with the chosen text. */
  choose(text: string): void {
    this.text = text
    this.state = 'typing'
    this.#keep()
    void this.flush()
  }

  /** Returns true if saving can continue. */
  async #send(): Promise<boolean> {
    const sent = this.text
    this.#sending = sent
    this.#setState('saving')
    try {
      const { version } = await this.#host.write(sent, this.#base.version)
      if (version > this.#base.version) this.#base = { text: sent, version }
      return true
    } catch (error) {
      this.#sending = null
      if (!isConflict(error)) return this.#fail(messageOf(error))
      return await this.#read()
    } finally {
      this.#sending = null
    }
  }

  async #read(): Promise<boolean> {
    try {
      this.receive(await this.#host.read())
    } catch (error) {
      return this.#fail(messageOf(error))
    }
    return this.state !== 'clash'
  }

  #resume(stored: StoredDraft): void {
    this.text = stored.text
    this.state = 'typing'
    if (this.#mergeIn(stored.base, this.#base.text) === 'unsaved') this.#schedule('typing', 0)
  }

  #mergeIn(base: string, theirs: string): 'saved' | 'unsaved' | 'clash' {
    const { text, clash } = merge(base, this.text, theirs)
    if (clash) {
      this.theirs = theirs
      this.state = 'clash'
    } else this.text = text
    if (this.text === theirs && this.#sending === null) {
      this.#settled()
      return 'saved'
    }
    this.#keep()
    return clash ? 'clash' : 'unsaved'
  }

  #settled(): void {
    clearTimeout(this.#timer)
    this.#host.keep(null)
    this.#setState('saved')
  }

  /** Retries automatically: a restarting server is back soon. */
  #fail(reason: string): false {
    this.problem = reason
    this.#schedule('failed', RETRY_MS)
    this.#host.onChange()
    return false
  }

  #schedule(state: DraftState, milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.flush(), milliseconds)
    if (this.#sending === null) this.state = state
  }

  #keep(): void {
    this.#host.keep({ text: this.text, base: this.#base.text })
  }

  #setState(state: DraftState): void {
    this.state = state
    this.problem = ''
    this.#host.onChange()
  }
}
