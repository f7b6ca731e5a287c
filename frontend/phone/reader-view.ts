// <reader-view>: the text of a pane, wrapped to the width of the screen. Follows the pane while its end is
// visible; further up it stays and shows how many lines are new, until an agent asks. Loads its own data.
import { part } from '../core/api'
import { copy } from '../core/clipboard'
import { messageOf } from '../core/events'
import type { CaptureOut } from '../core/generated/api'
import { load, save } from '../core/memory'
import type { Services } from '../core/services'
import type { Part } from '../core/store'
import { customElement, html, Live, nothing, property, state, type TemplateResult } from '../core/view'
import { currentWindow, type WindowRow } from '../core/workspace'
import { focusedPane } from '../terminals/panes'
import { type Block, blocks, newLines } from './reflow'

// Enough to scroll through on a phone; tmux keeps the rest.
const LINES = 2000
// tmux reports activity in whole seconds: a second request gets what is printed later in the same second.
const RELOAD_MS = 1100
// This close to the end counts as being there: touch scrolling is inexact.
const END_PX = 48
const SIZES = [13, 15, 17, 20, 24]

@customElement('reader-view')
export class ReaderView extends Live {
  static override parts: readonly Part[] = ['windows', 'agents', 'place', 'pane']

  @property({ attribute: false }) services!: Pick<Services, 'api' | 'toast'>
  // The rendered text; null until it is loaded.
  @state() private shown: string | null = null
  // The number of new lines below it.
  @state() private fresh = 0
  @state() private problem = ''
  @state() private size = load('reader-size', 1)
  #text: string | null = null
  #pane = ''
  #activity = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #loading = false
  // The end was visible before the size changed.
  #following = true
  // The question of the agent in this window; a new one is shown.
  #question = ''
  #observer = new ResizeObserver(() => {
    if (this.#following) this.#scrollToEnd()
  })

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#timer)
    this.#observer.disconnect()
  }

  protected override firstUpdated(): void {
    const article = this.querySelector('article')
    if (article) this.#observer.observe(article)
  }

  override willUpdate(): void {
    if (this.isConnected) this.#follow()
  }

  override render(): TemplateResult {
    const last = SIZES.length - 1
    return html`
      <header>
        <h2 class="cut">Reader</h2>
        <button type="button" class="button plain icon" aria-label="A− Smaller text" ?disabled=${this.size === 0}
          @click=${() => this.#resize(-1)}>A−</button>
        <button type="button" class="button plain icon" aria-label="A+ Larger text" ?disabled=${this.size === last}
          @click=${() => this.#resize(1)}>A+</button>
        <button type="button" class="button plain" @click=${this.#share}>${canShare() ? 'Share' : 'Copy'}</button>
        <button type="button" class="button" @click=${() => this.act('reader')}>Terminal</button>
      </header>
      <article tabindex="0" aria-label="Pane text" style="font-size: ${SIZES[this.size]}px" @scroll=${this.#scrolled}>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        ${this.shown === null ? html`<p class="quiet">Loading…</p>` : this.#content(blocks(this.shown))}
      </article>
      ${
        this.fresh
          ? html`<button type="button" class="button primary fresh" @click=${this.#catchUp}>
        ${this.fresh === 1 ? '1 new line' : `${this.fresh} new lines`} ↓</button>`
          : nothing
      }`
  }

  #content(parts: readonly Block[]): TemplateResult | TemplateResult[] {
    if (parts.length === 0) return html`<p class="quiet">This pane is empty.</p>`
    return parts.map((block) => {
      if (block.kind === 'rule') return html`<hr>`
      if (block.kind === 'code') return html`<pre tabindex="0">${block.text}</pre>`
      return html`<p style="padding-inline-start: ${block.indent}ch">${block.text}</p>`
    })
  }

  /** Loads again if the pane changed or has printed. */
  #follow(): void {
    const window = currentWindow(this.store)
    const pane = focusedPane(this.store, window)
    if (!window || !pane) return
    const asks = this.#asks(window)
    if (pane.paneId !== this.#pane) {
      this.shown = null
      this.fresh = 0
      this.problem = ''
      this.#text = null
    } else if (window.activity === this.#activity && !asks) return
    this.#pane = pane.paneId
    this.#activity = window.activity
    void this.#load()
  }

  /** Whether an agent of the window asks something new. Then the end is shown. */
  #asks({ agents }: WindowRow): boolean {
    const agent = agents.find(({ state }) => state === 'waiting')
    const question = agent ? `${agent.name} ${agent.question?.id ?? ''}` : ''
    const isNew = question !== '' && question !== this.#question
    this.#question = question
    if (isNew) this.#following = true
    return isNew
  }

  async #load(again = true): Promise<void> {
    clearTimeout(this.#timer)
    if (again) this.#timer = setTimeout(() => this.#load(false), RELOAD_MS)
    if (this.#loading) return
    this.#loading = true
    const pane = this.#pane
    try {
      const path = `/panes/${part(pane)}/capture?join=true&history=true&lines=${LINES}`
      const { text } = await this.services.api<CaptureOut>('GET', path)
      if (pane === this.#pane && this.isConnected) this.#receive(text)
    } catch (error) {
      this.problem = messageOf(error)
    } finally {
      this.#loading = false
      if (pane !== this.#pane) void this.#load()
    }
  }

  #receive(text: string): void {
    this.problem = ''
    const isNew = text !== this.#text
    this.#text = text
    if (this.shown === null || this.#following) this.#catchUp()
    else if (isNew) this.fresh = newLines(this.shown, text)
  }

  #scrolled(): void {
    this.#following = this.#atEnd
    if (this.fresh && this.#atEnd) this.#catchUp()
  }

  #catchUp(): void {
    this.shown = this.#text
    this.fresh = 0
    this.performUpdate() // now, because scrolling needs the new height
    this.#following = true
    this.#scrollToEnd()
  }

  #scrollToEnd(): void {
    const article = this.querySelector('article')
    if (article) article.scrollTop = article.scrollHeight
  }

  get #atEnd(): boolean {
    const article = this.querySelector('article')
    return !article || article.scrollHeight - article.scrollTop - article.clientHeight < END_PX
  }

  #resize(by: number): void {
    this.size = Math.max(0, Math.min(SIZES.length - 1, this.size + by))
    save('reader-size', this.size)
  }

  async #share(): Promise<void> {
    const parts = blocks(this.shown ?? '').map(({ kind, text }) => (kind === 'rule' ? '---' : text))
    const text = parts.join('\n')
    if (canShare()) return navigator.share({ text }).catch(() => {}) // cancelled by the user
    try {
      await copy(text)
      this.services.toast({ tone: 'good', text: 'Copied.' })
    } catch (error) {
      this.services.toast({ tone: 'bad', text: messageOf(error) })
    }
  }
}

function canShare(): boolean {
  return 'share' in navigator
}

declare global {
  interface HTMLElementTagNameMap {
    'reader-view': ReaderView
  }
}
