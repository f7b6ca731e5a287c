// <question-bar>: the question of an agent in the current window, with its options. In the terminal view it
// covers the composer and the key row, so that the terminal keeps its size and all its lines stay visible. It
// can be folded to one line above them, and starts folded while the user is typing there.
import './answer-bar'

import { icons } from '../core/icons'
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  nothing,
  type PropertyValues,
  state,
  type TemplateResult,
} from '../core/view'
import { isLong, questionTitle } from './question-subject'
import { type ShownQuestion, shownQuestion } from './questions'
import { questionText } from './words'

// A click on what is below must not answer.
const GUARD_MS = 500
// What the bar covers.
const COVERED = ':scope > :is(prompt-composer, key-row)'

@customElement('question-bar')
export class QuestionBar extends Live {
  static override parts: readonly Part[] = ['windows', 'savedWindows', 'agents', 'place', 'pane']

  @state() private folded = false
  // Whether the subject has the room to be read, over the terminal.
  @state() private large = false
  #question: ShownQuestion | null = null
  // The id of the question that was rendered last.
  #shownId = ''
  #guard: ReturnType<typeof setTimeout> | undefined
  #observer = new ResizeObserver(() => this.#measure())

  override connectedCallback(): void {
    super.connectedCallback()
    for (const element of this.#covered) this.#observer.observe(element)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#observer.disconnect()
    clearTimeout(this.#guard)
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    this.#question = this.store.place.view === 'home' ? null : shownQuestion(this.store)
    const id = this.#question?.id ?? ''
    if (id === this.#shownId) return
    this.#shownId = id
    if (!id) return
    this.folded = this.#isTyping()
    this.large = false
    this.#protect()
  }

  override render(): TemplateResult | typeof nothing {
    this.hidden = this.#question === null
    this.toggleAttribute('data-folded', this.folded)
    this.toggleAttribute('data-large', this.large && !this.folded)
    if (!this.#question) return nothing
    return this.folded ? this.#foldedView(this.#question) : this.#openView(this.#question)
  }

  #openView({ agent, others }: ShownQuestion): TemplateResult {
    return html`
      <section class="asking" aria-label="Question of ${agent.name}">
        <header>
          <p class="asking-title" title=${questionText(agent.question)}>${questionTitle(agent.question)}</p>
          ${others ? html`<span class="chip waiting">${others} more</span>` : nothing}
          ${isLong(agent.question) ? this.#sizeButton() : nothing}
          <button type="button" class="button plain icon fold" aria-label="Fold the question" title="Show the prompt field"
            @click=${() => this.#fold(true)}>${icons.fold}</button>
        </header>
        <answer-bar .agent=${agent}></answer-bar>
      </section>`
  }

  #sizeButton(): TemplateResult {
    const label = this.large ? 'Show less' : 'Show all'
    return html`<button type="button" class="button plain size" aria-expanded=${this.large}
      @click=${() => this.#resize()}>${label}</button>`
  }

  #resize(): void {
    this.large = !this.large
    this.#protect() // the options move
  }

  #foldedView({ agent }: ShownQuestion): TemplateResult {
    return html`<button type="button" class="question-folded" @click=${() => this.#fold(false)}>
      <strong>Answer</strong><span class="cut">${questionText(agent.question) || `${agent.name} is waiting`}</span></button>`
  }

  #fold(folded: boolean): void {
    this.folded = folded
    if (!folded) this.#protect()
  }

  /** Ignores the pointer for a moment after options have appeared. */
  #protect(): void {
    clearTimeout(this.#guard)
    this.toggleAttribute('data-guarded', true)
    this.#guard = setTimeout(() => this.toggleAttribute('data-guarded', false), GUARD_MS)
  }

  /** Whether the user writes a prompt, or types into the terminal with the keyboard of a phone. */
  #isTyping(): boolean {
    const isRaw = document.body.hasAttribute('data-raw')
    return isRaw || this.#covered.some((element) => element.contains(document.activeElement))
  }

  get #covered(): HTMLElement[] {
    return [...(this.parentElement?.querySelectorAll<HTMLElement>(COVERED) ?? [])]
  }

  #measure(): void {
    const height = this.#covered.reduce((sum, { offsetHeight }) => sum + offsetHeight, 0)
    this.style.setProperty('--covered', `${height}px`)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'question-bar': QuestionBar
  }
}
