// <prompt-field>: the text of a prompt; grows with its content. Arrow keys at its edges browse earlier
// prompts. Emits `edit` with the text, `send`, `leave` (Escape) and `files` that were pasted.
import {
  customElement,
  html,
  live,
  type PropertyValues,
  property,
  query,
  type TemplateResult,
  View,
} from '../core/view'
import { pastedFiles } from '../terminals/transfers'
import { insertText } from './drafts'
import { arrowAction, type Entry, NO_WALK, step, type Walk } from './history'

@customElement('prompt-field')
export class PromptField extends View {
  @property({ attribute: false }) text = ''
  @property({ attribute: false }) label = ''
  @property({ attribute: false }) placeholder = ''
  @property({ attribute: false }) busy = false
  @property({ attribute: false }) enterSends = true
  /** The earlier prompts, newest first. */
  @property({ attribute: false }) entries: () => readonly Entry[] = () => []
  @query('textarea') private textarea!: HTMLTextAreaElement | null

  #walk = NO_WALK

  override render(): TemplateResult {
    return html`<textarea rows="1" aria-label=${this.label} placeholder=${this.placeholder}
      ?readonly=${this.busy} aria-busy=${String(this.busy)} .value=${live(this.text)} autocapitalize="sentences"
      @input=${this.#onInput} @keydown=${this.#onKey} @paste=${this.#onPaste}></textarea>`
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const { textarea } = this
    if (!textarea) return
    textarea.style.blockSize = 'auto'
    textarea.style.blockSize = `${textarea.scrollHeight}px`
  }

  override focus(): void {
    this.textarea?.focus()
  }

  /** Inserts text at the caret, moves the caret after it, and returns the whole text. */
  insert(piece: string): string {
    const { textarea } = this
    const end = this.text.length
    const { text, caret } = insertText(
      this.text,
      textarea?.selectionStart ?? end,
      textarea?.selectionEnd ?? end,
      piece,
    )
    this.text = text
    this.performUpdate() // the caret cannot be set before the text is there
    this.focus()
    this.textarea?.setSelectionRange(caret, caret)
    return text
  }

  /** For the text of another window: browsing earlier prompts starts over. */
  reset(): void {
    this.#walk = NO_WALK
  }

  #edit(text: string, walk: Walk): void {
    this.#walk = walk
    this.text = text
    this.emit('edit', { text })
  }

  // The listeners are on the textarea.
  #onInput = ({ target }: Event) => this.#edit((target as HTMLTextAreaElement).value, NO_WALK)

  #onKey = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (event.isComposing || altKey) return
    if (key === 'Enter' && (ctrlKey || metaKey || (this.enterSends && !shiftKey))) this.emit('send')
    else if (key === 'Escape') this.emit('leave')
    else if (!/^Arrow(Up|Down)$/.test(key) || shiftKey || ctrlKey || metaKey || !this.#browse(key)) return
    event.preventDefault()
  }

  /** Returns whether the arrow key was handled. */
  #browse(key: string): boolean {
    const { textarea } = this
    if (!textarea) return false
    const { value: text, selectionStart: start, selectionEnd: end } = textarea
    const action = arrowAction(key, { text, start, end, walking: this.#walk.at >= 0 })
    if (action === 'edge') textarea.setSelectionRange(0, 0)
    const stepped =
      action === 'step' ? step(this.entries(), this.#walk, key === 'ArrowUp' ? 1 : -1, text) : null
    if (stepped) this.#edit(stepped.text, stepped.walk)
    return action !== ''
  }

  #onPaste = (event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData)
    if (!files.length) return
    event.preventDefault()
    this.emit('files', { files })
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'prompt-field': PromptField
  }
}
