// <reader-view>: the text of a pane at the width of this screen, as one reads an article. Follows
// the pane while the end is in sight; further up it stays and says how much is new. Loads by itself.
import { copy } from '../page/clipboard.js'
import { load, save } from '../page/memory.js'
import { Live, html, nothing, states } from '../page/view.js'
import { activePane, currentWindow } from '../page/workspace.js'
import { blocks, newLines } from './reflow.js'

// What a person scrolls through with a thumb; tmux keeps the rest.
const LINES = 2000
// tmux counts activity in whole seconds: what is printed later in the same one is seen by a second look.
const AGAIN_MS = 1100
// So near to the end counts as being there: a finger is not exact.
const END_PX = 48
const SIZES = [13, 15, 17, 20, 24]

class ReaderView extends Live {
  static parts = ['windows', 'place', 'pane']

  #text = null
  #pane = ''
  #activity = 0
  #timer = 0
  #loading = false

  disconnectedCallback() {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
  }

  paint() {
    if (this.store) this.#look()
    super.paint()
  }

  view() {
    return html`
      <header>
        <h2 class="cut">Reader</h2>
        <button type="button" class="button plain icon" aria-label="A− Smaller text" ?disabled=${this.size === 0}
          @click=${() => this.#resize(-1)}>A−</button>
        <button type="button" class="button plain icon" aria-label="A+ Larger text" ?disabled=${this.size === SIZES.length - 1}
          @click=${() => this.#resize(1)}>A+</button>
        <button type="button" class="button plain" @click=${() => this.#share()}>${navigator.share ? 'Share' : 'Copy'}</button>
        <button type="button" class="button" @click=${() => this.act('reader')}>Terminal</button>
      </header>
      <article tabindex="0" aria-label="Text of the pane" style="font-size: ${SIZES[this.size]}px"
        @scroll=${() => { if (this.fresh && this.#atEnd) this.#catchUp() }}>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        ${this.shown === null ? html`<p class="quiet">Reading the pane…</p>` : this.#content()}
      </article>
      ${this.fresh ? html`<button type="button" class="button primary fresh" @click=${() => this.#catchUp()}>
        ${this.fresh === 1 ? '1 new line' : `${this.fresh} new lines`} ↓</button>` : nothing}`
  }

  #content() {
    const parts = blocks(this.shown)
    if (parts.length === 0) return html`<p class="quiet">Nothing is on this screen yet.</p>`
    return parts.map(({ kind, text, indent }) => {
      if (kind === 'rule') return html`<hr>`
      return kind === 'code' ? html`<pre tabindex="0">${text}</pre>` : html`<p style="padding-inline-start: ${indent}ch">${text}</p>`
    })
  }

  /** Reads again if another pane is looked at, or this one printed. */
  #look() {
    const window = currentWindow(this.store)
    const pane = window?.panes.find(({ paneId }) => paneId === this.store.pane) ?? activePane(window)
    if (!pane) return
    if (pane.paneId !== this.#pane) {
      Object.assign(this, { shown: null, fresh: 0, problem: '' })
      this.#text = null
    } else if (window.activity === this.#activity) return
    this.#pane = pane.paneId
    this.#activity = window.activity
    this.#load()
  }

  async #load(again = true) {
    clearTimeout(this.#timer)
    if (again) this.#timer = setTimeout(() => this.#load(false), AGAIN_MS)
    if (this.#loading) return
    this.#loading = true
    const pane = this.#pane
    try {
      const path = `/panes/${encodeURIComponent(pane)}/capture?join=true&history=true&lines=${LINES}`
      const { text } = await this.services.api('GET', path)
      if (pane === this.#pane && this.isConnected) this.#take(text)
    } catch (problem) {
      this.problem = problem.message
    } finally {
      this.#loading = false
      if (pane !== this.#pane) this.#load()
    }
  }

  #take(text) {
    this.problem = ''
    if (text === this.#text) return
    this.#text = text
    if (this.shown === null || this.#atEnd) this.#catchUp()
    else this.fresh = newLines(this.shown, text)
  }

  #catchUp() {
    this.shown = this.#text
    this.fresh = 0
    this.paint() // now: the end is where it then is
    const article = this.querySelector('article')
    article.scrollTop = article.scrollHeight
  }

  get #atEnd() {
    const article = this.querySelector('article')
    return article.scrollHeight - article.scrollTop - article.clientHeight < END_PX
  }

  #resize(by) {
    this.size = Math.max(0, Math.min(SIZES.length - 1, this.size + by))
    save('reader-size', this.size)
  }

  async #share() {
    const text = blocks(this.shown ?? '').map((block) => (block.kind === 'rule' ? '---' : block.text)).join('\n')
    if (navigator.share) return navigator.share({ text }).catch(() => {}) // the person thought better of it
    try {
      await copy(text)
      this.services.toast({ tone: 'good', text: 'Copied' })
    } catch (problem) {
      this.services.toast({ tone: 'bad', text: `Not copied: ${problem.message}` })
    }
  }
}

// `shown`: the text that is painted, null until the first has come; `fresh`: lines below it.
states(ReaderView, { shown: null, fresh: 0, problem: '', size: load('reader-size', 1) })

customElements.define('reader-view', ReaderView)
