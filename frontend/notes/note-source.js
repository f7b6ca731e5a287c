// Where notes come from: here or a page in Notion. Links or makes a page, switches, syncs. Tells
// `source` with {method, path, body}; the screen asks the server and gives the failure back.
import { View, html, nothing, states } from '../page/view.js'

class NoteSource extends View {
  view() {
    const { sheet } = this
    if (!sheet) return nothing
    return html`
      <details @keydown=${(event) => this.#key(event)}>
        <summary class="button" aria-label="Source of the notes: ${sheet.source}">
          ${sheet.source === 'notion' ? 'Notion' : 'Local'}
          ${sheet.notion?.error ? html`<span class="chip bad">not in step</span>` : nothing} ▾</summary>
        <div class="panel">
          ${sheet.notion ? this.#linked(sheet) : html`
            <p class="quiet">These notes are kept here. Link a page in Notion to keep them there instead.</p>`}
          ${sheet.source === 'local' ? this.#forms(sheet) : nothing}
          ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        </div>
      </details>`
  }

  #linked({ source, notion }) {
    return html`
      <div>
        <p><b>${notion.title || 'A page in Notion'}</b></p>
        <p class="quiet">${notion.syncedAt ? html`Reached <time datetime=${notion.syncedAt}>${moment(notion.syncedAt)}</time>` : 'Not reached yet'}</p>
        ${notion.error ? html`<p class="problem">${notion.error}</p>` : nothing}
      </div>
      <div class="buttons">
        ${source === 'local' ? this.#button('Switch to Notion', 'PATCH', 'source', { source: 'notion' }) : html`
          ${this.#button('Sync now', 'POST', 'notion/sync')}
          ${this.#button('Switch to local', 'PATCH', 'source', { source: 'local' })}`}
        ${notion.url ? html`<a class="button" href=${notion.url} target="_blank" rel="noopener noreferrer">Open in Notion ↗</a>` : nothing}
      </div>`
  }

  #forms({ notion }) {
    return html`
      <form @submit=${(event) => this.#submit(event, 'notion/link', (value) => ({ page: value }))}>
        <label for="notion-page">${notion ? 'Link another page' : 'Link a page'}</label>
        <div class="row">
          <input id="notion-page" class="field" required placeholder="Address or id of the page">
          <button class="button" ?disabled=${this.busy}>Link</button>
        </div>
      </form>
      <form @submit=${(event) => this.#submit(event, 'notion/page', (value) => (value ? { parent: value } : {}))}>
        <label for="notion-parent">Create a page</label>
        <div class="row">
          <input id="notion-parent" class="field" placeholder="Under which page (or the one of the settings)">
          <button class="button" ?disabled=${this.busy}>Create</button>
        </div>
      </form>`
  }

  #button(title, method, path, body) {
    return html`<button class="button" ?disabled=${this.busy} @click=${() => this.tell('source', { method, path, body })}>${title}</button>`
  }

  #submit(event, path, body) {
    event.preventDefault()
    this.tell('source', { method: 'POST', path, body: body(event.target.querySelector('input').value.trim()) })
  }

  #key(event) {
    event.stopPropagation()
    if (event.key !== 'Escape') return
    event.currentTarget.open = false
    this.querySelector('summary').focus()
  }
}

const moment = (time) => new Date(time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })

states(NoteSource, { sheet: null, problem: '', busy: false })
customElements.define('note-source', NoteSource)
