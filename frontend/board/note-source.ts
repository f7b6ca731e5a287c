// The source of notes: local, or a page in Notion. Links or creates a page, switches and syncs. Emits
// `source`; the screen calls the server and passes an error back.
import type { Method } from '../core/api'
import type { NotionOut } from '../core/generated/api'
import { sentence } from '../core/sentence'
import { customElement, html, nothing, property, type TemplateResult, View } from '../core/view'
import { linksIn } from './links'
import type { Sheet } from './sheets'

/** The `detail` of a `source` event: the request to make; `path` is below that of the sheet. */
export interface SourceDetail {
  method: Method
  path: string
  body?: object
}

@customElement('note-source')
export class NoteSource extends View {
  @property({ attribute: false }) sheet: Sheet | null = null
  @property({ attribute: false }) problem = ''
  @property({ attribute: false }) busy = false
  /** Why Notion cannot be used, and what to do about it; empty if it can. */
  @property({ attribute: false }) missing = ''

  override render(): TemplateResult | typeof nothing {
    const { sheet } = this
    if (!sheet) return nothing
    return html`
      <details @keydown=${(event: KeyboardEvent) => this.#key(event)}>
        <summary class="button" aria-label="Notes source: ${sheet.source}">
          ${sheet.source === 'notion' ? 'Notion' : 'Local'}
          ${sheet.notion?.error ? html`<span class="chip bad">Out of sync</span>` : nothing} ▾</summary>
        <div class="panel">
          ${
            sheet.notion
              ? this.#linked(sheet, sheet.notion)
              : html`<p class="quiet">These notes are stored here.${this.missing ? '' : ' Link a Notion page to store them there instead.'}</p>`
          }
          ${this.missing ? html`<p class="notion-missing" role="note">${this.#missingView()}</p>` : nothing}
          ${sheet.source === 'local' && !this.missing ? this.#forms(sheet) : nothing}
          ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        </div>
      </details>`
  }

  #linked({ source }: Sheet, notion: NotionOut): TemplateResult {
    return html`
      <div>
        <p><b>${notion.title || 'Notion page'}</b></p>
        <p class="quiet">${notion.syncedAt ? html`Last synced <time datetime=${notion.syncedAt}>${formatTime(notion.syncedAt)}</time>` : 'Not synced yet'}</p>
        ${notion.error ? html`<p class="problem">${notion.error}</p>` : nothing}
      </div>
      <div class="buttons">
        ${
          source === 'local'
            ? this.#toNotion()
            : html`
          ${this.missing ? nothing : this.#button('Sync now', { method: 'POST', path: 'notion/sync' })}
          ${this.#button('Switch to local', { method: 'PATCH', path: 'source', body: { source: 'local' } })}`
        }
        ${notion.url ? html`<a class="button" href=${notion.url} target="_blank" rel="noopener noreferrer">Open in Notion ↗</a>` : nothing}
      </div>`
  }

  /** Its address as a link. */
  #missingView(): TemplateResult {
    const text = sentence(this.missing)
    const [link = ''] = linksIn(text)
    const start = link ? text.indexOf(link) : text.length
    return html`${text.slice(0, start)}<a href=${link} target="_blank" rel="noopener noreferrer">${link}</a>${text.slice(start + link.length)}`
  }

  #toNotion(): TemplateResult | typeof nothing {
    if (this.missing) return nothing
    return this.#button('Switch to Notion', { method: 'PATCH', path: 'source', body: { source: 'notion' } })
  }

  #forms({ notion }: Sheet): TemplateResult {
    const link = (page: string) => ({ page })
    const create = (parent: string) => (parent ? { parent } : {})
    return html`
      <form @submit=${(event: SubmitEvent) => this.#submit(event, 'notion/link', link)}>
        <label for="notion-page">${notion ? 'Link another page' : 'Link a page'}</label>
        <div class="row">
          <input id="notion-page" class="field" required placeholder="Page URL or ID">
          <button class="button" ?disabled=${this.busy}>Link</button>
        </div>
      </form>
      <form @submit=${(event: SubmitEvent) => this.#submit(event, 'notion/page', create)}>
        <label for="notion-parent">Create a page</label>
        <div class="row">
          <input id="notion-parent" class="field" placeholder="Parent page (default: from settings)">
          <button class="button" ?disabled=${this.busy}>Create</button>
        </div>
      </form>`
  }

  #button(title: string, request: SourceDetail): TemplateResult {
    return html`<button class="button" ?disabled=${this.busy} @click=${() => this.emit('source', request)}>${title}</button>`
  }

  #submit(event: SubmitEvent, path: string, body: (value: string) => object): void {
    event.preventDefault()
    // A submit event comes from its form.
    const value = (event.target as HTMLFormElement).querySelector('input')?.value.trim() ?? ''
    this.emit('source', { method: 'POST', path, body: body(value) } satisfies SourceDetail)
  }

  #key(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.key !== 'Escape') return
    const details = this.querySelector('details')
    if (details) details.open = false
    this.querySelector('summary')?.focus()
  }
}

const formatTime = (time: string) =>
  new Date(time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })

declare global {
  interface HTMLElementTagNameMap {
    'note-source': NoteSource
  }
}
