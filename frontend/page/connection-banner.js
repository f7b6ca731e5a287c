// Says that the server or tmux is away, and what can be done. What it says is in connection.js.
import { trouble } from './connection.js'
import { icons } from './icons.js'
import { Live, html, nothing } from './view.js'

class ConnectionBanner extends Live {
  static parts = ['status', 'problem', 'windows', 'retryAt']

  #known = { connected: false, tmux: false }
  #timer = 0

  view() {
    const { store } = this
    if (store.status === 'open') this.#known.connected = true
    if (store.windows.size) this.#known.tmux = true
    const said = trouble(store, this.#known, Date.now())
    this.#count(store.status === 'lost')
    // The region is always there: a screen reader tells only what changes in a region it knows.
    return html`<div role="status">${said ? this.#banner(said) : nothing}</div>`
  }

  #banner({ tone, text, way }) {
    return html`
      <div class="banner ${tone}">
        ${icons.away}<p>${text}</p>
        ${way === 'retry' ? html`<button class="button" @click=${() => this.act('retry')}>Try now</button>` : nothing}
        ${way === 'sign-in' ? html`<a class="button" href="/login">Sign in again</a>` : nothing}
      </div>`
  }

  /** The seconds to the next try are counted only while there is one. */
  #count(on) {
    if (on) return void (this.#timer ||= setInterval(() => this.update(), 1000))
    clearInterval(this.#timer)
    this.#timer = 0
  }
}

customElements.define('connection-banner', ConnectionBanner)
