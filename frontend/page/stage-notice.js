// A card on the stage in place of what cannot be shown: loading, no session yet, a window that is
// gone. When is in notices.js. While it stands there, `data-notice` on <body> hides the rest.
import { notice } from './notices.js'
import { Live, html, nothing, states } from './view.js'

// A window that was just made is named by its address before tmux's next look tells of it.
const PATIENCE_MS = 2_000

class StageNotice extends Live {
  static parts = ['windows', 'facts', 'place', 'problem', 'status']

  #timer = 0

  view() {
    const kind = this.#patient(notice(this.store))
    if (kind) document.body.dataset.notice = kind
    else delete document.body.dataset.notice
    return { loading: this.#loading, empty: this.#empty, gone: this.#gone }[kind]?.() ?? nothing
  }

  #patient(kind) {
    const { key } = this.store.place
    if (kind !== 'gone') {
      clearTimeout(this.#timer)
      this.#timer = 0
      this.missed = ''
    } else if (this.missed !== key) {
      this.#timer ||= setTimeout(() => { this.#timer = 0; this.missed = this.store.place.key }, PATIENCE_MS)
      return 'loading'
    }
    return kind
  }

  #loading = () => html`
    <div class="notice-skeleton" role="status"><span class="visually-hidden">Loading the workspace</span>
      <i></i><i></i><i></i><i></i></div>`

  #empty = () => html`
    <section class="notice card" aria-labelledby="notice-title">
      <span class="mark" aria-hidden="true"></span>
      <h2 id="notice-title">No session is running</h2>
      <p>A session is a place in tmux for one project: its terminals go on when you close this page,
        and you find them here and in every terminal of this machine.</p>
      <button class="button primary" @click=${() => this.act('create-session')}>Start a session</button>
      <p class="quiet">Or in a terminal; it shows here at once:</p>
      <pre tabindex="0"><code>tmux new -s my-project</code></pre>
      ${this.store.problem ? html`<p class="quiet notice-why">tmux says: ${this.store.problem}</p>` : nothing}
    </section>`

  #gone = () => {
    const { key } = this.store.place
    const fact = this.store.facts.get(key)
    return html`
      <section class="notice card" aria-labelledby="notice-title">
        <h2 id="notice-title">${fact ? html`“${fact.windowName}” has ended` : 'This window is not there'}</h2>
        <p>${fact ? `The window of ${fact.project} was closed. What was noted and said in it is kept.`
            : 'It was closed, or the address belongs to another machine.'}</p>
        <div class="notice-ways">
          <a class="button primary" href="#/">All agents</a>
          ${fact ? html`<a class="button" href="#/window/${key}/chat">Its chat</a><a class="button" href="#/window/${key}/notes">Its notes</a>` : nothing}
        </div>
      </section>`
  }
}

states(StageNotice, { missed: '' })
customElements.define('stage-notice', StageNotice)
