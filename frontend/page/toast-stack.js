// Short messages with a way out. They go by themselves, but not while somebody reads them: with the
// pointer or the focus on them, or the page hidden, their time stands still.
import { icons } from './icons.js'
import { View, html, nothing, repeat, states } from './view.js'

const MOST = 4
const SHORTEST_MS = 5_000
const LETTER_MS = 60 // slow readers
const UNDO_MS = 10_000
const TICK_MS = 250

class ToastStack extends View {
  #next = 1
  #timer = 0

  /** `{text, tone?: 'good' | 'bad', undo?: {title, run}}` */
  show({ text, tone = 'good', undo = null }) {
    const left = Math.max(SHORTEST_MS + text.length * LETTER_MS, undo ? UNDO_MS : 0)
    this.toasts = [...this.toasts, { id: this.#next++, text, tone, undo, left }].slice(-MOST)
    this.#timer ||= setInterval(() => this.#tick(), TICK_MS)
  }

  view() {
    return html`
      <div class="toasts">
        <div role="status">${this.#list((tone) => tone !== 'bad')}</div>
        <div role="alert">${this.#list((tone) => tone === 'bad')}</div>
      </div>`
  }

  /** Both regions are always there: a screen reader tells what comes into a region that it knows. */
  #list(has) { return repeat(this.toasts.filter(({ tone }) => has(tone)), ({ id }) => id, (toast) => this.#toast(toast)) }

  #toast(toast) {
    return html`
      <div class="toast ${toast.tone}">
        <p>${toast.text}</p>
        ${toast.undo ? html`<button class="button" @click=${() => this.#undo(toast)}>${toast.undo.title}</button>` : nothing}
        <button class="button plain icon" aria-label="Dismiss" @click=${() => this.#drop(toast.id)}>${icons.close}</button>
      </div>`
  }

  async #undo(toast) {
    this.#drop(toast.id)
    try {
      await toast.undo.run()
    } catch (problem) {
      this.show({ tone: 'bad', text: problem.message })
    }
  }

  #drop(id) { this.toasts = this.toasts.filter((toast) => toast.id !== id) }

  #tick() {
    if (document.hidden || this.querySelector('.toasts:hover') || this.contains(document.activeElement)) return
    for (const toast of this.toasts) toast.left -= TICK_MS
    if (this.toasts.some(({ left }) => left <= 0)) this.toasts = this.toasts.filter(({ left }) => left > 0)
    if (this.toasts.length) return
    clearInterval(this.#timer)
    this.#timer = 0
  }
}

states(ToastStack, { toasts: [] })
customElements.define('toast-stack', ToastStack)
