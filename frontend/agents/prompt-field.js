// <prompt-field>: the text of a prompt, as high as it needs. Arrow keys at its edge walk through earlier
// prompts. Tells `edit` with the text, `send`, `leave` (Escape) and `files` that were pasted.
import { View, html, live, states } from '../page/view.js'
import { pastedFiles } from '../terminals/transfers.js'
import { inserted } from './drafts.js'
import { NO_WALK, arrow, step } from './history.js'

export class PromptField extends View {
  #walk = NO_WALK

  view() {
    return html`<textarea rows="1" aria-label=${this.label} placeholder=${this.placeholder}
      ?readonly=${this.busy} aria-busy=${String(this.busy)} .value=${live(this.text)} autocapitalize="sentences"
      @input=${({ target }) => this.#edit(target.value, NO_WALK)}
      @keydown=${(event) => this.#key(event)} @paste=${(event) => this.#paste(event)}></textarea>`
  }

  paint() {
    super.paint()
    const textarea = this.#textarea
    textarea.style.blockSize = 'auto'
    textarea.style.blockSize = `${textarea.scrollHeight}px`
  }

  focus() { this.#textarea?.focus() }

  /** What the text becomes with a piece at the caret; the caret then stands behind it. */
  insert(piece) {
    const { selectionStart, selectionEnd } = this.#textarea
    const { text, caret } = inserted(this.text, selectionStart, selectionEnd, piece)
    this.text = text
    this.paint()
    this.focus()
    this.#textarea.setSelectionRange(caret, caret)
    return text
  }

  /** Another window's text: the walk through earlier prompts begins anew. */
  reset() { this.#walk = NO_WALK }

  get #textarea() { return this.querySelector('textarea') }

  #edit(text, walk) {
    this.#walk = walk
    this.text = text
    this.tell('edit', { text })
  }

  #key(event) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (event.isComposing || altKey) return
    if (key === 'Enter' && (ctrlKey || metaKey || (this.enterSends && !shiftKey))) this.tell('send')
    else if (key === 'Escape') this.tell('leave')
    else if (!/^Arrow(Up|Down)$/.test(key) || shiftKey || ctrlKey || metaKey || !this.#stepped(key)) return
    event.preventDefault()
  }

  /** Whether the arrow key was ours. */
  #stepped(key) {
    const { value: text, selectionStart: start, selectionEnd: end } = this.#textarea
    const meant = arrow(key, { text, start, end, walking: this.#walk.at >= 0 })
    if (meant === 'edge') this.#textarea.setSelectionRange(0, 0)
    const stepped = meant === 'step' && step(this.entries(), this.#walk, key === 'ArrowUp' ? 1 : -1, text)
    if (stepped) this.#edit(stepped.text, stepped.walk)
    return meant !== ''
  }

  #paste(event) {
    const files = pastedFiles(event.clipboardData)
    if (!files.length) return
    event.preventDefault()
    this.tell('files', { files })
  }
}

states(PromptField, { text: '', label: '', placeholder: '', busy: false, enterSends: true, entries: () => [] })
customElements.define('prompt-field', PromptField)
