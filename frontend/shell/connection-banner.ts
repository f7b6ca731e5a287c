// Shows that the server or tmux is unavailable, or that a subscription failed, and what to do. The texts are
// in connection.ts.
import { icons } from '../core/icons'
import type { Part } from '../core/store'
import { customElement, html, Live, nothing, type PropertyValues, type TemplateResult } from '../core/view'
import { type ConnectionProblem, connectionProblem, type Known } from './connection'

const SECOND_MS = 1_000

@customElement('connection-banner')
export class ConnectionBanner extends Live {
  static override parts: readonly Part[] = ['status', 'problem', 'trouble', 'windows', 'retryAt']

  #known: Known = { connected: false, tmux: false }
  #timer: ReturnType<typeof setInterval> | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#countDown(false)
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const { status, windows } = this.store
    this.#known = {
      connected: this.#known.connected || status === 'open',
      tmux: this.#known.tmux || windows.size > 0,
    }
    this.#countDown(status === 'lost')
  }

  override render(): TemplateResult {
    const message = connectionProblem(this.store, this.#known, Date.now())
    // The region is always present: a screen reader announces only changes in a region it knows.
    return html`<div role="status">${message ? this.#banner(message) : nothing}</div>`
  }

  #banner({ tone, text, remedy }: ConnectionProblem): TemplateResult {
    return html`
      <div class="banner ${tone}">
        ${icons.away}<p>${text}</p>
        ${remedy === 'retry' ? html`<button class="button" @click=${() => this.act('retry')}>Retry now</button>` : nothing}
        ${remedy === 'reload' ? html`<button class="button" @click=${() => location.reload()}>Reload</button>` : nothing}
        ${remedy === 'sign-in' ? html`<a class="button" href="/login">Sign in</a>` : nothing}
      </div>`
  }

  /** Counts down the seconds to the next attempt, if there is one. */
  #countDown(on: boolean): void {
    if (on) {
      this.#timer ??= setInterval(() => this.requestUpdate(), SECOND_MS)
      return
    }
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connection-banner': ConnectionBanner
  }
}
