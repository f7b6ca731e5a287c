// Short messages with an optional undo. They disappear after a while; the timer stops while the pointer
// or the focus is on them, or the page is hidden.
import { messageOf } from '../core/events'
import { icons } from '../core/icons'
import type { Toast } from '../core/services'
import { customElement, html, nothing, repeat, state, type TemplateResult, View } from '../core/view'

const TOAST_LIMIT = 4
const SHORTEST_MS = 5_000
// Generous for slow readers.
const CHARACTER_MS = 60
const UNDO_MS = 10_000
const TICK_MS = 250

interface ShownToast {
  id: number
  text: string
  tone: 'good' | 'bad'
  undo: Toast['undo']
  left: number
}

@customElement('toast-stack')
export class ToastStack extends View {
  @state() private toasts: readonly ShownToast[] = []
  #next = 1
  #timer: ReturnType<typeof setInterval> | undefined

  show({ text, tone = 'good', undo = null }: Toast): void {
    const left = Math.max(SHORTEST_MS + text.length * CHARACTER_MS, undo ? UNDO_MS : 0)
    this.toasts = [...this.toasts, { id: this.#next++, text, tone, undo, left }].slice(-TOAST_LIMIT)
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stop()
  }

  override render(): TemplateResult {
    // Both regions are always present: a screen reader announces changes in regions it knows.
    return html`
      <div class="toasts">
        <div role="status">${this.#list('good')}</div>
        <div role="alert">${this.#list('bad')}</div>
      </div>`
  }

  #list(tone: ShownToast['tone']) {
    const shown = this.toasts.filter((toast) => toast.tone === tone)
    return repeat(
      shown,
      ({ id }) => id,
      (toast) => this.#toast(toast),
    )
  }

  #toast({ id, text, tone, undo }: ShownToast): TemplateResult {
    return html`
      <div class="toast ${tone}">
        <p>${text}</p>
        ${undo ? html`<button class="button" @click=${() => this.#undo(id, undo)}>${undo.title}</button>` : nothing}
        <button class="button plain icon" aria-label="Dismiss" @click=${() => this.#drop(id)}>${icons.close}</button>
      </div>`
  }

  async #undo(id: number, undo: NonNullable<Toast['undo']>): Promise<void> {
    this.#drop(id)
    try {
      await undo.run()
    } catch (error) {
      this.show({ tone: 'bad', text: messageOf(error) })
    }
  }

  #drop(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id)
  }

  #tick(): void {
    if (document.hidden || this.querySelector('.toasts:hover') || this.contains(document.activeElement))
      return
    this.toasts = this.toasts
      .map((toast) => ({ ...toast, left: toast.left - TICK_MS }))
      .filter(({ left }) => left > 0)
    if (this.toasts.length === 0) this.#stop()
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'toast-stack': ToastStack
  }
}
