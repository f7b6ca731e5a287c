// The notes editor with a preview. Saves while typing (draft); read-only while the notes come from Notion.
import './notes.css'

import { messageOf } from '../core/events'
import type { NotionStatusOut } from '../core/generated/api'
import { load, save } from '../core/memory'
import type { Place } from '../core/router'
import { sentence } from '../core/sentence'
import type { Services } from '../core/services'
import type { Part } from '../core/store'
import { customElement, html, Live, nothing, property, state, type TemplateResult } from '../core/view'
import { Draft, type DraftState, type StoredDraft } from './draft'
import { markdown } from './markdown'
import { caretAfter } from './merging'
import './note-source'
import type { SourceDetail } from './note-source'
import { pathOf, type Sheet, type SheetChange, type Sheets, sheetsOf } from './sheets'
import { columnOf, LABELS, STATUSES } from './tasks'

const SAVED: Record<Exclude<DraftState, 'failed'>, string> = {
  saved: 'Saved',
  typing: 'Not saved yet',
  saving: 'Saving…',
  clash: 'Not saved. Changed elsewhere.',
}
const SIDES = { write: 'Write', read: 'Preview' }
type Side = keyof typeof SIDES
type FieldEvent = Event & { readonly currentTarget: HTMLTextAreaElement }

@customElement('notes-screen')
export class NotesScreen extends Live {
  static override parts: readonly Part[] = ['status']

  @property({ attribute: false }) services!: Services
  @state() private sheetId = ''
  @state() private side: Side = 'write'
  @state() private problem = ''
  @state() private notionMissing = ''
  #where: Place | null = null
  #draft: Draft | null = null

  #onChange = ({ detail }: CustomEvent<SheetChange>) => this.#sheetChanged(detail)
  #leave = () => void this.#draft?.flush()

  override connectedCallback(): void {
    this.#sheets.addEventListener('change', this.#onChange)
    addEventListener('pagehide', this.#leave)
    super.connectedCallback()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#leave()
    this.#sheets.removeEventListener('change', this.#onChange)
    removeEventListener('pagehide', this.#leave)
  }

  get place(): Place | null {
    return this.#where
  }

  set place(place: Place) {
    this.#leave()
    this.#draft = null
    this.sheetId = ''
    this.#where = place
    void this.#load(place)
    void this.#checkNotion()
    this.requestUpdate()
  }

  get #sheets(): Sheets {
    return sheetsOf(this.services)
  }

  async #load(place: Place): Promise<void> {
    const { key, project } = place
    this.problem = ''
    try {
      const id = await this.#sheets.load(pathOf(key ? `windows/${key}` : `projects/${project}`))
      if (place === this.#where) this.#open(id)
    } catch (error) {
      if (place === this.#where) this.problem = messageOf(error)
    }
  }

  async #checkNotion(): Promise<void> {
    try {
      this.notionMissing = (await this.services.api<NotionStatusOut>('GET', '/notion')).reason
    } catch {
      this.notionMissing = '' // the server says it again when Notion is used
    }
  }

  #open(id: string): void {
    const sheet = this.#sheets.get(id)
    if (this.sheetId === id || !sheet) return this.requestUpdate()
    const name = `draft:${id}`
    const draft = new Draft({
      write: (text, version) => this.#sheets.write(id, text, version),
      read: () => this.#read(id),
      keep: (stored) => save(name, stored),
      onChange: () => {
        if (draft === this.#draft) this.#show(draft)
      },
    })
    this.#draft = draft
    this.sheetId = id
    // The field must be there: opening the draft fills it.
    this.performUpdate()
    draft.open(sheet, sheet.source === 'local' ? load<StoredDraft | null>(name, null) : null)
  }

  async #read(id: string): Promise<Sheet> {
    await this.#sheets.load(pathOf(id))
    const sheet = this.#sheets.get(id)
    if (!sheet) throw new Error('These notes are not loaded.')
    return sheet
  }

  #sheetChanged({ id, returned }: SheetChange): void {
    if (returned) {
      if (this.#where) void this.#load(this.#where)
      return
    }
    const sheet = id === this.sheetId ? this.#sheets.get(id) : undefined
    if (!sheet) return
    this.#draft?.receive(sheet)
    this.requestUpdate()
  }

  /** Updates the field and keeps the selection where the user left it. */
  #show({ text }: Draft): void {
    const field = this.querySelector<HTMLTextAreaElement>('.notes-text')
    if (field && field.value !== text) {
      const before = field.value
      const start = caretAfter(before, text, field.selectionStart)
      const end = caretAfter(before, text, field.selectionEnd)
      field.value = text
      field.setSelectionRange(start, end)
    }
    this.requestUpdate()
  }

  async #changeSource({ method, path, body }: SourceDetail): Promise<void> {
    const source = this.querySelector('note-source')
    const id = this.sheetId
    if (!source) return
    source.busy = true
    source.problem = ''
    try {
      await this.#draft?.flush()
      const local = path === 'source' ? '/local' : ''
      await this.#sheets.call(id, method, `${local}${pathOf(id)}/${path}`, body)
    } catch (error) {
      source.problem = messageOf(error)
    }
    source.busy = false
  }

  override render(): TemplateResult {
    const sheet = this.#sheets.get(this.sheetId)
    return html`
      <div class="notes-screen" @source=${({ detail }: CustomEvent<SourceDetail>) => this.#changeSource(detail)}>
        ${this.problem ? html`<p class="card problem" role="alert">${this.problem}</p>` : nothing}
        ${sheet && this.#draft ? this.#sheet(sheet, this.#draft) : nothing}
      </div>`
  }

  #sheet(sheet: Sheet, draft: Draft): TemplateResult {
    const fromNotion = sheet.source === 'notion'
    return html`
      <header class="notes-head">
        <div class="notes-tabs" role="group" aria-label="View">${this.#tab('write')}${this.#tab('read')}</div>
        <button class="button" @click=${() => this.act('open-board')}>Board</button>
        <span class="notes-counts">${STATUSES.map(
          (status) => html`
          <span class="chip" title=${LABELS[status]}>${LABELS[status]} ${columnOf(sheet.tasks, status).length}</span>`,
        )}</span>
        <span class="grow"></span>
        ${fromNotion ? nothing : savedView(draft)}
        <note-source .sheet=${sheet} .missing=${this.notionMissing}></note-source>
      </header>
      ${fromNotion ? this.#notice(sheet) : nothing}
      ${draft.state === 'clash' ? clashView(draft) : nothing}
      <div class="notes-sides" data-side=${this.side}>
        <textarea class="notes-text" aria-label="Notes in Markdown" spellcheck="true" ?readonly=${fromNotion}
          placeholder="One task per line. Start it with [WIP] to mark it in progress. Headings and code are not tasks."
          @input=${({ currentTarget }: FieldEvent) => draft.type(currentTarget.value)}
          @keydown=${(event: KeyboardEvent) => event.stopPropagation()}
          @blur=${() => draft.flush()}></textarea>
        <article class="notes-read markdown" aria-label="Notes preview" tabindex="0">${
          draft.text.trim() ? markdown(draft.text) : html`<p class="quiet">No notes yet.</p>`
        }</article>
      </div>`
  }

  #tab(side: Side): TemplateResult {
    const choose = () => {
      this.side = side
    }
    return html`<button class="button" aria-pressed=${this.side === side} @click=${choose}>${SIDES[side]}</button>`
  }

  #notice({ notion }: Sheet): TemplateResult {
    const toLocal: SourceDetail = { method: 'PATCH', path: 'source', body: { source: 'local' } }
    return html`
      <div class="notes-notice">
        <p>These notes come from Notion and are read-only here. Edit the page there, or switch the source to local.</p>
        ${notion?.url ? html`<a class="button" href=${notion.url} target="_blank" rel="noopener noreferrer">Open in Notion ↗</a>` : nothing}
        <button class="button" @click=${() => this.#changeSource(toLocal)}>Switch to local</button>
      </div>`
  }
}

function savedView({ state, problem }: Draft): TemplateResult {
  const text =
    state === 'failed'
      ? `Not saved. ${sentence(problem)} Your text is kept in this browser. Retrying…`
      : SAVED[state]
  return html`<span class="notes-saved ${state === 'failed' || state === 'clash' ? 'bad' : ''}" role="status">${text}</span>`
}

function clashView(draft: Draft): TemplateResult {
  const { text, theirs } = draft
  return html`
      <section class="card clash" role="alert">
        <p><b>Someone else changed the same lines.</b> Nothing is lost. Choose a version, or edit yours first.</p>
        <div class="versions">
          <div><p class="quiet">Yours</p><pre>${text}</pre></div>
          <div><p class="quiet">Theirs</p><pre>${theirs}</pre></div>
        </div>
        <div class="buttons">
          <button class="button primary" @click=${() => draft.choose(draft.text)}>Use mine</button>
          <button class="button" @click=${() => draft.choose(draft.theirs)}>Use theirs</button>
          <button class="button" @click=${() => draft.choose(`${draft.theirs}\n${draft.text}`)}>Keep both, mine below</button>
        </div>
      </section>`
}

declare global {
  interface HTMLElementTagNameMap {
    'notes-screen': NotesScreen
  }
}
