// Asks before something ends, and for names. One question at a time; the browser's own <dialog>
// keeps the focus inside and gives it back.
import { View, html, nothing, states } from './view.js'

class ConfirmDialog extends View {
  #answer = null
  #queue = Promise.resolve()

  /** `{title, text, verb, tone?}` → true or false. `text` may have lines. */
  confirm(question) {
    return this.#put({ tone: 'danger', ...question, fields: [] }).then(Boolean)
  }

  /** `{title, label, value, verb, hint?, run?}` → the text, or null where the person would rather not. */
  async ask({ label, value = '', hint, run = () => {}, ...question }) {
    const fields = [{ name: 'value', label, value, hint, needed: true }]
    const given = await this.form({ ...question, fields, run: (given) => run(given.value) })
    return given && given.value
  }

  /**
   * `{title, verb, fields: [{name, label, value?, hint?, needed?}], run?}` → `{name: text}` or null.
   * `run` is done before the dialog closes; why it failed is said there, and nothing typed is lost.
   */
  form(question) { return this.#put({ tone: 'primary', text: '', ...question }) }

  view() {
    const { title, text, verb, fields, tone } = this.question
    return html`
      <dialog class="question" aria-labelledby="question-title" aria-describedby=${text ? 'question-text' : nothing}
        @close=${this.#closed}>
        <form method="dialog" @submit=${this.#submit}>
          <h2 id="question-title">${title}</h2>
          ${text ? html`<p id="question-text">${text}</p>` : nothing}
          ${fields.map((field) => this.#field(field))}
          <p class="question-problem" role="alert">${this.problem}</p>
          <footer>
            <button type="button" class="button" @click=${() => this.#dialog.close()}>Cancel</button>
            <button class="button ${tone === 'danger' ? 'danger solid' : 'primary'}" ?disabled=${this.busy}>${verb}</button>
          </footer>
        </form>
      </dialog>`
  }

  #field({ name, label, hint, needed = false }) {
    return html`
      <label class="question-field">
        <span>${label}</span>
        <input class="field" name=${name} ?required=${needed} autocomplete="off" autocapitalize="off"
          spellcheck="false" aria-describedby=${hint ? `hint-${name}` : nothing}>
        ${hint ? html`<small id="hint-${name}" class="quiet">${hint}</small>` : nothing}
      </label>`
  }

  get #dialog() { return this.querySelector('dialog') }

  /** A second question waits for the first. */
  #put(question) {
    const turn = this.#queue.then(() => new Promise((answer) => {
      this.#answer = answer
      this.question = question
      this.problem = ''
      this.paint()
      for (const { name, value = '' } of question.fields) this.querySelector(`[name=${name}]`).value = value
      this.#dialog.returnValue = ''
      this.#dialog.showModal()
      const first = this.querySelector('input') ?? this.querySelector('footer .button:last-child')
      first.focus()
      first.select?.()
    }))
    this.#queue = turn.catch(() => {})
    return turn
  }

  #submit = async (event) => {
    event.preventDefault()
    const given = Object.fromEntries(new FormData(event.target))
    this.busy = true
    try {
      await this.question.run?.(given)
      this.#settle(given)
      this.#dialog.close()
    } catch (problem) {
      this.problem = problem.message
    } finally {
      this.busy = false
    }
  }

  #closed = () => this.#settle(null)

  #settle(given) {
    this.#answer?.(given)
    this.#answer = null
  }
}

states(ConfirmDialog, { question: { title: '', text: '', verb: 'OK', fields: [], tone: 'primary' }, problem: '', busy: false })
customElements.define('confirm-dialog', ConfirmDialog)
