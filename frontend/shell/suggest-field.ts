// <suggest-field>: a text field of a dialog, with its label, hint and error, and suggestions if it has any
// (a combobox: arrow keys choose, Enter or Tab takes the chosen one, Escape closes the list).
import type { FormField } from '../core/services'
import { customElement, html, nothing, property, state, type TemplateResult, View } from '../core/view'

// While the user types on.
const PAUSE_MS = 120

let instances = 0

@customElement('suggest-field')
export class SuggestField extends View {
  // Two dialogs may have a field of the same name.
  #id = `${++instances}`
  @property({ attribute: false }) field!: FormField
  @property({ attribute: false }) problem = ''
  @state() private options: readonly string[] = []
  @state() private chosen = -1
  #timer: ReturnType<typeof setTimeout> | undefined
  // Answers to earlier texts are ignored.
  #turn = 0
  #pressed = false
  #onPress = () => {
    this.#pressed = true
  }
  #onRelease = () => {
    this.#pressed = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener('mousedown', this.#onPress, true)
    window.addEventListener('mouseup', this.#onRelease, true)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('mousedown', this.#onPress, true)
    window.removeEventListener('mouseup', this.#onRelease, true)
    this.#close()
  }

  /** Shows the initial value of its field. */
  reset(): void {
    this.performUpdate()
    this.#close()
    const input = this.#input
    if (input) input.value = this.field.value ?? ''
  }

  override render(): TemplateResult {
    const { name, label, hint, required = false, suggest } = this.field
    const id = this.#id
    const describedBy = [this.problem && `problem-${id}`, hint && `hint-${id}`].filter(Boolean).join(' ')
    const isOpen = this.options.length > 0
    return html`
      <div class="question-field">
        <label for="field-${id}">${label}</label>
        <input class="field" id="field-${id}" name=${name} ?required=${required} autocomplete="off"
          autocapitalize="off" spellcheck="false" aria-describedby=${describedBy || nothing}
          aria-invalid=${this.problem ? 'true' : nothing}
          role=${suggest ? 'combobox' : nothing} aria-autocomplete=${suggest ? 'list' : nothing}
          aria-expanded=${suggest ? isOpen : nothing} aria-controls=${isOpen ? `options-${id}` : nothing}
          aria-activedescendant=${isOpen && this.chosen >= 0 ? `option-${id}-${this.chosen}` : nothing}
          @input=${this.#changed} @focus=${this.#changed} @blur=${this.#onBlur} @keydown=${this.#key}>
        ${isOpen ? this.#list(id, label) : nothing}
        ${this.problem ? html`<p class="question-problem" role="alert" id="problem-${id}">${this.problem}</p>` : nothing}
        ${hint ? html`<small id="hint-${id}" class="quiet">${hint}</small>` : nothing}
      </div>`
  }

  #list(id: string, label: string): TemplateResult {
    // The text keeps its direction inside of the row, which cuts it off at the start.
    return html`<ul class="suggestions mono" id="options-${id}" role="listbox" aria-label="Suggestions for ${label}"
      @pointerdown=${(event: Event) => event.preventDefault()}>
      ${this.options.map(
        (option, index) => html`<li id="option-${id}-${index}" role="option" title=${option}
          aria-selected=${index === this.chosen} @click=${() => this.#take(option)}><bdi>${option}</bdi></li>`,
      )}
    </ul>`
  }

  protected override updated(): void {
    this.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: 'nearest' })
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  #changed = (): void => {
    if (!this.field.suggest) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#suggest(), PAUSE_MS)
  }

  async #suggest(): Promise<void> {
    this.#turn += 1
    const turn = this.#turn
    const text = this.#input?.value ?? ''
    const options = (await this.field.suggest?.(text)) ?? []
    if (turn !== this.#turn || !this.isConnected) return
    this.options = options.filter((option) => option !== text)
    this.chosen = -1
  }

  #take(option: string): void {
    const input = this.#input
    if (!input) return
    input.value = option
    this.#close()
    if (option.endsWith('/')) void this.#suggest()
  }

  /** What is below moves when the list closes. While it is being clicked, it must stay in its place. */
  #onBlur = (): void => {
    if (!this.#pressed) return this.#close()
    window.addEventListener('mouseup', () => setTimeout(() => this.#closeUnlessFocused()), { once: true })
  }

  #closeUnlessFocused(): void {
    if (document.activeElement !== this.#input) this.#close()
  }

  #close = (): void => {
    clearTimeout(this.#timer)
    this.#turn += 1
    this.options = []
    this.chosen = -1
  }

  #key = (event: KeyboardEvent): void => {
    const count = this.options.length
    const option = this.options[this.chosen]
    if (count === 0) return
    if (event.key === 'ArrowDown') this.chosen = (this.chosen + 1) % count
    else if (event.key === 'ArrowUp') this.chosen = (Math.max(this.chosen, 0) + count - 1) % count
    else if (event.key === 'Escape') this.#close()
    else if ((event.key === 'Enter' || event.key === 'Tab') && option && !event.shiftKey) this.#take(option)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'suggest-field': SuggestField
  }
}
