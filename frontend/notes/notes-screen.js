// Notes as they are written, beside what they look like. Saved while they are typed (draft.js);
// read-only while they come from Notion.
import { Live, html, nothing, states } from '../page/view.js'
import { load, save } from '../page/memory.js'
import { Draft } from './draft.js'
import { markdown } from './markdown.js'
import { caretAfter } from './merging.js'
import './note-source.js'
import { pathOf, sheetsOf } from './sheets.js'
import { LABELS, STATUSES, columnOf } from './tasks.js'

const SAVED = { saved: 'Saved', typing: 'Not saved yet', saving: 'Saving…', clash: 'Not saved: changed elsewhere' }

class NotesScreen extends Live {
  static parts = ['status']
  #sheets = null
  #draft = null
  #hear = ({ detail }) => this.#told(detail)
  #leave = () => this.#draft?.flush()

  connectedCallback() {
    this.#sheets ??= sheetsOf(this.services)
    this.#sheets.addEventListener('change', this.#hear)
    addEventListener('pagehide', this.#leave)
    super.connectedCallback()
  }

  disconnectedCallback() {
    this.#leave()
    this.#sheets.removeEventListener('change', this.#hear)
    removeEventListener('pagehide', this.#leave)
    super.disconnectedCallback()
  }

  get place() { return this.where }
  set place(place) {
    this.#leave()
    this.#draft = null
    this.sheetId = ''
    this.where = place
    this.#load()
  }

  async #load() {
    const { key, project } = this.where
    this.problem = ''
    try {
      const id = await this.#sheets.load(pathOf(key ? `windows/${key}` : `projects/${project}`))
      if (this.where.key === key && this.where.project === project) this.#open(id)
    } catch (problem) {
      this.problem = problem.message
    }
  }

  #open(id) {
    if (this.sheetId === id) return this.update()
    const name = `draft:${id}`
    this.sheetId = id
    const draft = this.#draft = new Draft({
      write: (text, version) => this.#sheets.write(id, text, version),
      read: async () => { await this.#sheets.load(pathOf(id)); return this.#sheets.get(id) },
      keep: (kept) => save(name, kept),
      tell: () => { if (draft === this.#draft) this.#show() },
    })
    this.update()
    const sheet = this.#sheets.get(id)
    queueMicrotask(() => draft.open(sheet, sheet.source === 'local' ? load(name, null) : null))
  }

  #told({ id, returned }) {
    if (returned) return void this.#load()
    if (id !== this.sheetId) return
    this.#draft.told(this.#sheets.get(id))
    this.update()
  }

  /** The text into the field, with the caret where the person left it. */
  #show() {
    const field = this.querySelector('.notes-text')
    const { text } = this.#draft
    if (field && field.value !== text) {
      const before = field.value
      const caret = [field.selectionStart, field.selectionEnd].map((at) => caretAfter(before, text, at))
      field.value = text
      field.setSelectionRange(...caret)
    }
    this.update()
  }

  async #ask({ method, path, body }) {
    const source = this.querySelector('note-source')
    source.busy = true
    source.problem = ''
    try {
      await this.#draft.flush()
      const local = path === 'source' ? '/local' : ''
      await this.#sheets.ask(this.sheetId, method, `${local}${pathOf(this.sheetId)}/${path}`, body)
    } catch (problem) {
      source.problem = problem.message
    }
    source.busy = false
  }

  view() {
    const sheet = this.#sheets.get(this.sheetId)
    return html`
      <div class="notes-screen" @source=${({ detail }) => this.#ask(detail)}>
        ${this.problem ? html`<p class="card problem" role="alert">${this.problem}</p>` : nothing}
        ${sheet && this.#draft ? this.#sheet(sheet) : nothing}
      </div>`
  }

  #sheet(sheet) {
    const fromNotion = sheet.source === 'notion'
    return html`
      <header class="notes-head">
        <div class="notes-tabs" role="group" aria-label="Side">
          ${['write', 'read'].map((side) => html`<button class="button" aria-pressed=${this.side === side}
            @click=${() => { this.side = side }}>${side === 'write' ? 'Write' : 'Read'}</button>`)}
        </div>
        <button class="button" @click=${() => this.act('open-board')}>Board</button>
        <span class="notes-counts">${STATUSES.map((status) => html`
          <span class="chip" title=${LABELS[status]}>${LABELS[status]} ${columnOf(sheet.tasks, status).length}</span>`)}</span>
        <span class="grow"></span>
        ${fromNotion ? nothing : this.#saved()}
        <note-source .sheet=${sheet}></note-source>
      </header>
      ${fromNotion ? this.#notice(sheet) : nothing}
      ${this.#draft.state === 'clash' ? this.#clash() : nothing}
      <div class="notes-sides" data-side=${this.side}>
        <textarea class="notes-text" aria-label="Notes in Markdown" spellcheck="true" ?readonly=${fromNotion}
          placeholder="One task per line: [WIP] begins one that is in progress. Headings and code are no tasks."
          @input=${(event) => this.#draft.type(event.target.value)} @keydown=${(event) => event.stopPropagation()}
          @blur=${() => this.#draft.flush()}></textarea>
        <article class="notes-read markdown" aria-label="Notes as they read" tabindex="0">${
          this.#draft.text.trim() ? markdown(this.#draft.text) : html`<p class="quiet">Nothing is noted yet.</p>`}</article>
      </div>`
  }

  #saved() {
    const { state, problem } = this.#draft
    return html`<span class="notes-saved ${state === 'failed' || state === 'clash' ? 'bad' : ''}" role="status">${
      SAVED[state] ?? `Not saved: ${problem}. Kept in this browser, tried again soon`}</span>`
  }

  #notice({ notion }) {
    return html`
      <div class="notes-notice">
        <p>These notes come from Notion and are read-only here. Edit the page there, or switch the source to local.</p>
        ${notion?.url ? html`<a class="button" href=${notion.url} target="_blank" rel="noopener noreferrer">Open in Notion ↗</a>` : nothing}
        <button class="button" @click=${() => this.#ask({ method: 'PATCH', path: 'source', body: { source: 'local' } })}>Switch to local</button>
      </div>`
  }

  #clash() {
    const { text, theirs } = this.#draft
    return html`
      <section class="card clash" role="alert">
        <p><b>Somebody changed the same lines.</b> Nothing is lost; choose what shall stand, or edit yours first.</p>
        <div class="versions">
          <div><p class="quiet">Yours</p><pre>${text}</pre></div>
          <div><p class="quiet">Theirs</p><pre>${theirs}</pre></div>
        </div>
        <div class="buttons">
          <button class="button primary" @click=${() => this.#draft.choose(this.#draft.text)}>Use mine</button>
          <button class="button" @click=${() => this.#draft.choose(this.#draft.theirs)}>Use theirs</button>
          <button class="button" @click=${() => this.#draft.choose(`${this.#draft.theirs}\n${this.#draft.text}`)}>Keep both, mine below</button>
        </div>
      </section>`
  }
}

states(NotesScreen, { where: null, sheetId: '', side: 'write', problem: '' })
customElements.define('notes-screen', NotesScreen)
