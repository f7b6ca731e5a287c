// Secret links to one recording: make one, copy it, see those that still open it, revoke them.
import { View, html, nothing, repeat } from '../page/view.js'
import { day, until } from './recording-words.js'

const HOURS = [[1, '1 hour'], [24, '1 day'], [24 * 7, '7 days'], [24 * 30, '30 days']]

class ShareDialog extends View {
  api = null
  #recording = null
  #shares = null
  #link = ''
  #copied = false
  #problem = ''

  async open(recording) {
    this.#recording = recording
    this.#shares = null
    this.#link = this.#problem = ''
    this.paint()
    this.querySelector('dialog').showModal()
    await this.#try(async () => { this.#shares = await this.api('GET', this.#path()) })
  }

  #path(share = '') { return `/recordings/${this.#recording.key}/shares${share && `/${share}`}` }

  async #make(event) {
    event.preventDefault()
    const hours = Number(new FormData(event.target).get('hours'))
    await this.#try(async () => {
      const { path, ...share } = await this.api('POST', this.#path(), { hours })
      this.#link = new URL(path, location.href).href
      this.#copied = false
      this.#shares = [...this.#shares ?? [], share]
    })
    this.querySelector('.link input')?.select()
  }

  #revoke(share) {
    return this.#try(async () => {
      await this.api('DELETE', this.#path(share.key))
      this.#shares = this.#shares.filter(({ key }) => key !== share.key)
      this.#link = ''
    })
  }

  #copy() {
    return this.#try(async () => {
      await navigator.clipboard.writeText(this.#link)
      this.#copied = true
    })
  }

  async #try(work) {
    try {
      await work()
      this.#problem = ''
    } catch (problem) {
      this.#problem = problem.message
    }
    this.update()
  }

  view() {
    return html`<dialog class="share" aria-labelledby="share-title">${this.#recording ? this.#body() : nothing}</dialog>`
  }

  #body() {
    return html`
      <h2 id="share-title">Share “${this.#recording.title}”</h2>
      <p class="quiet">Whoever has the link can watch this recording, and nothing else, until it expires.</p>
      <form @submit=${(event) => this.#make(event)}>
        <label>Expires after <select class="field" name="hours">
          ${HOURS.map(([hours, words]) => html`<option value=${hours} ?selected=${hours === 24}>${words}</option>`)}</select></label>
        <button class="button primary">Make a link</button>
      </form>
      ${this.#link ? this.#made() : nothing}
      ${this.#problem ? html`<p class="bad-words" role="alert">${this.#problem}</p>` : nothing}
      ${this.#list()}
      <form method="dialog" class="close"><button class="button">Close</button></form>`
  }

  #made() {
    return html`<div class="link">
      <label class="visually-hidden" for="share-link">The link</label>
      <input id="share-link" class="field mono" readonly .value=${this.#link}>
      <button class="button" @click=${() => this.#copy()}>${this.#copied ? 'Copied' : 'Copy'}</button>
      <p class="quiet">It is shown only now: webtmux keeps no copy of it.</p>
    </div>`
  }

  #list() {
    if (!this.#shares) return this.#problem ? nothing : html`<p class="quiet" role="status">Looking for links …</p>`
    if (!this.#shares.length) return html`<p class="quiet">There are no links to it.</p>`
    return html`<h3>Links that open it</h3><ul class="shares">${repeat(this.#shares, ({ key }) => key, (share) => html`<li>
      <span>made ${day(share.createdAt)}, expires ${until(share.expiresAt)}</span>
      <button class="button danger" @click=${() => this.#revoke(share)} aria-label=${`Revoke the link that expires ${until(share.expiresAt)}`}>Revoke</button></li>`)}</ul>`
  }
}

customElements.define('share-dialog', ShareDialog)
