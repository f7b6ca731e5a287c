// Asks for confirmation before something ends, and for names. One question at a time; <dialog> keeps
// the focus inside and returns it.
import { ApiError } from '../core/api'
import { messageOf } from '../core/events'
import type { Confirmation, Form, FormField, Question } from '../core/services'
import { sentence } from '../core/sentence'
import { customElement, html, nothing, state, type TemplateResult, View } from '../core/view'
import './suggest-field'

type Values = Record<string, string>
interface Shown extends Form {
  text: string
  tone: 'danger' | 'primary'
}

@customElement('confirm-dialog')
export class ConfirmDialog extends View {
  @state() private question: Shown = { title: '', text: '', verb: 'OK', fields: [], tone: 'primary' }
  // `field` is empty if the problem is not about one of the fields.
  @state() private problem = { text: '', field: '' }
  @state() private busy = false
  #resolve: ((values: Values | null) => void) | null = null
  #queue: Promise<unknown> = Promise.resolve()

  /** True if the user confirmed. */
  async confirm(question: Confirmation): Promise<boolean> {
    return (await this.#enqueue({ tone: 'danger', text: '', ...question, fields: [] })) !== null
  }

  /** The text, or null if cancelled. */
  async ask({ label, value = '', hint, run, ...question }: Question): Promise<string | null> {
    const field = { name: 'value', label, value, required: true, ...(hint ? { hint } : {}) }
    const values = await this.form({ ...question, fields: [field], run: (values) => run?.(textOf(values)) })
    return values && textOf(values)
  }

  /** The texts of the fields by name, or null if cancelled. */
  form(form: Form): Promise<Values | null> {
    return this.#enqueue({ tone: 'primary', text: '', ...form })
  }

  override render(): TemplateResult {
    const { title, text, verb, fields, tone } = this.question
    return html`
      <dialog class="question" aria-labelledby="question-title" aria-describedby=${text ? 'question-text' : nothing}
        @close=${this.#closed}>
        <form method="dialog" @submit=${this.#submit}>
          <h2 id="question-title">${title}</h2>
          ${text ? html`<p id="question-text">${text}</p>` : nothing}
          ${fields.map((field) => this.#field(field))}
          <p class="question-problem" role="alert">${this.problem.field ? nothing : this.problem.text}</p>
          <footer>
            <button type="button" class="button" @click=${() => this.#dialog?.close()}>Cancel</button>
            <button class="button ${tone === 'danger' ? 'danger solid' : 'primary'}" ?disabled=${this.busy}>${verb}</button>
          </footer>
        </form>
      </dialog>`
  }

  #field(field: FormField): TemplateResult {
    const problem = this.problem.field === field.name ? this.problem.text : ''
    return html`<suggest-field .field=${field} .problem=${problem}></suggest-field>`
  }

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog')
  }

  /** A second question waits until the first is answered. */
  #enqueue(question: Shown): Promise<Values | null> {
    const turn = this.#queue.then(
      () =>
        new Promise<Values | null>((resolve) => {
          this.#resolve = resolve
          this.#show(question)
        }),
    )
    this.#queue = turn.catch(() => {})
    return turn
  }

  #show(question: Shown): void {
    this.question = question
    this.problem = { text: '', field: '' }
    this.performUpdate() // the fields are filled and focused now
    for (const field of this.querySelectorAll('suggest-field')) field.reset()
    const dialog = this.#dialog
    if (!dialog) return
    dialog.returnValue = ''
    dialog.showModal()
    const focused = question.fields.find((field) => field.focused) ?? question.fields[0]
    const input = focused && this.#input(focused.name)
    if (!input) return this.querySelector<HTMLElement>('footer .button:last-child')?.focus()
    input.focus()
    input.select()
  }

  #submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault()
    // Every field is a text field.
    const entries = [...new FormData(event.currentTarget)].map(
      ([name, value]) => [name, String(value)] as const,
    )
    const values: Values = Object.fromEntries(entries)
    this.busy = true
    try {
      await this.question.run?.(values)
      this.#settle(values)
      this.#dialog?.close()
    } catch (error) {
      this.#fail(error)
    } finally {
      this.busy = false
    }
  }

  #input(name: string): HTMLInputElement | null {
    return this.querySelector<HTMLInputElement>(`[name=${name}]`)
  }

  #fail(error: unknown): void {
    const named = error instanceof ApiError ? error.field : ''
    const input = named ? this.#input(named) : null
    this.problem = { text: sentence(messageOf(error)), field: input ? named : '' }
    input?.focus()
  }

  #closed = (): void => this.#settle(null)

  #settle(values: Values | null): void {
    this.#resolve?.(values)
    this.#resolve = null
  }
}

const textOf = (values: Values): string => values['value'] ?? ''

declare global {
  interface HTMLElementTagNameMap {
    'confirm-dialog': ConfirmDialog
  }
}
