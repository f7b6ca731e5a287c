// The board of a window, a project, or all projects. Loads its sheets and shows them as columns; user
// actions are in board-actions, loading and writing in sheets.
import './notes.css'

import { messageOf } from '../core/events'
import type { Place } from '../core/router'
import type { Services } from '../core/services'
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  live,
  nothing,
  type PropertyValues,
  property,
  repeat,
  state,
  type TemplateResult,
} from '../core/view'
import { windowTitle } from '../core/workspace'
import { BoardActions, type BoardClash, type Command } from './board-actions'
import { Drags } from './board-drag'
import { boardKey } from './board-keys'
import { type Adding, clashView, newTaskForm } from './board-panels'
import './card-dialog'
import type { CardSaveDetail } from './card-dialog'
import { type Card, type Column, cardOf, columns, type Group } from './columns'
import './handoff-dialog'
import type { HandoffDetail } from './handoff-dialog'
import { OpenedCard } from './opened-card'
import { pathOf, type Sheet, type SheetChange, type Sheets, sheetId, sheetsOf } from './sheets'
import { type CardContext, type Editing, taskCard } from './task-card'
import { type Difference, describeChanges } from './task-changes'
import './task-menu'
import type { Status } from './tasks'

const FRESH_MS = 5000
// The boards of a window: the tasks of its project and its own, or only its own.
const SCOPES = { project: 'Project', window: 'This window' }
type Scope = keyof typeof SCOPES

interface ShownSheet extends Sheet {
  id: string
  title: string
}
type FieldEvent<Field extends HTMLElement> = Event & { readonly currentTarget: Field }

@customElement('board-screen')
export class BoardScreen extends Live {
  static override parts: readonly Part[] = ['agents', 'savedWindows', 'windows', 'projects', 'status']

  @property({ attribute: false }) services!: Services
  @property({ attribute: false }) editing: Editing | null = null
  @property({ attribute: false }) adding: Adding | null = null
  @property({ attribute: false }) clash: BoardClash | null = null
  @state() private where: Place | null = null
  @state() private scope: Scope = 'project'
  @state() private opened: OpenedCard | null = null
  @state() private words = ''
  @state() private problem = ''
  @state() private loading = false
  @state() private spoken = ''
  // The ids of the sheets of this board; unused for all projects.
  @state() private shown: readonly string[] = []
  // The key of a recently changed task → who changed it.
  @state() private fresh: ReadonlyMap<string, string> = new Map()
  // The key of the card in the tab order. Not a state: the next rendering is soon enough.
  #focused = ''
  #dragging = false
  #timers = new Set<ReturnType<typeof setTimeout>>()
  #parts: { sheets: Sheets; actions: BoardActions } | null = null
  #drags = new Drags({
    start: (sheet) => this.#hold(sheet),
    end: () => this.#release(),
    drop: (card) => this.actions.place(card),
  })

  #onChange = ({ detail }: CustomEvent<SheetChange>) => this.#sheetChanged(detail)

  override connectedCallback(): void {
    this.#loaded.addEventListener('change', this.#onChange)
    super.connectedCallback()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#loaded.removeEventListener('change', this.#onChange)
    this.#drags.end()
    this.actions.end()
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.fresh = new Map()
  }

  get actions(): BoardActions {
    return this.#connected.actions
  }

  get board(): Column<ShownSheet>[] {
    return columns(this.sheets, this.words)
  }

  get place(): Place | null {
    return this.where
  }

  set place(place: Place) {
    this.where = place
    this.scope = 'project'
    this.opened = null
    this.shown = []
    this.words = ''
    this.editing = null
    this.adding = null
    void this.#load(place)
  }

  /** The sheets of this board, each with its id and a title. */
  get sheets(): ShownSheet[] {
    const own = this.scope === 'window' ? this.shown.filter(isOfWindow) : this.shown
    const ids = this.#isAllProjects ? this.#loaded.ids() : own
    const sheets = ids.map((id) => this.#loaded.get(id)).filter((sheet) => sheet !== undefined)
    return sheets
      .map((sheet) => ({ ...sheet, id: sheetId(sheet), title: titleOf(sheet) }))
      .sort((a, b) => a.title.localeCompare(b.title))
  }

  get #isAllProjects(): boolean {
    return !this.where?.key && !this.where?.project
  }

  /** How many changes of this page the server has not confirmed yet. */
  get #waiting(): number {
    return this.sheets.reduce((sum, sheet) => sum + this.#loaded.waiting(sheet.id), 0)
  }

  get #loaded(): Sheets {
    return this.#connected.sheets
  }

  /** Created on first use: `services` is set by then. */
  get #connected(): { sheets: Sheets; actions: BoardActions } {
    if (!this.#parts) {
      const sheets = sheetsOf(this.services)
      this.#parts = { sheets, actions: new BoardActions(this, sheets) }
    }
    return this.#parts
  }

  async #load(place: Place): Promise<void> {
    const { key, project } = place
    this.problem = ''
    this.loading = true
    let problem = ''
    let shown = this.shown
    try {
      if (key) shown = await this.#loadWindow(key)
      else if (project) shown = [await this.#loaded.load(pathOf(`projects/${project}`))]
      else await this.#loaded.loadAll()
    } catch (error) {
      problem = messageOf(error)
    }
    // The user may have gone to another board.
    if (place !== this.where) return
    this.shown = shown
    this.problem = problem
    this.loading = false
  }

  /** The sheets of a window's project and of the window. */
  async #loadWindow(key: string): Promise<string[]> {
    const own = await this.#loaded.load(pathOf(`windows/${key}`))
    const project = this.#loaded.get(own)?.project ?? ''
    return [await this.#loaded.load(pathOf(`projects/${project}`)), own]
  }

  // --- user actions ---

  openCard(card: Card): void {
    const { api } = this.services
    this.opened = new OpenedCard(card.key, card.sheet, { api, onChange: () => this.requestUpdate() })
    this.focusCard(card.key)
    void this.opened.load()
    this.querySelector('card-dialog')?.open(card)
  }

  #cardClosed(key: string): void {
    this.opened = null
    if (cardOf(this.board, key)) this.focusCard(key)
  }

  beginAdding(status: Status): void {
    const local = () => this.sheets.find((sheet) => sheet.source === 'local')?.id
    // The last focused card matters only where there are many projects, or if it still has the focus.
    const isChosen = this.#isAllProjects || document.activeElement?.matches('board-screen .task')
    const sheet = (isChosen && cardOf(this.board, this.#focused)?.sheet) || local()
    if (sheet) this.adding = { status, sheet }
    this.performUpdate()
    this.querySelector<HTMLElement>('.task-new textarea')?.focus()
  }

  beginEditing(card: Card): void {
    this.editing = { key: card.key, sheet: card.sheet, was: card.text }
    this.performUpdate()
    const field = this.querySelector<HTMLTextAreaElement>('.task-edit')
    field?.focus()
    field?.select()
  }

  filter(): void {
    this.querySelector<HTMLElement>('.board-filter')?.focus()
  }

  /** Focuses a card; the next rendering keeps the focus there. */
  focusCard(key: string): void {
    this.#focused = key
    this.requestUpdate()
    this.performUpdate()
    this.#card(key)?.focus()
  }

  say(text: string): void {
    this.spoken = text
  }

  #card(key: string): HTMLElement | null {
    return this.querySelector<HTMLElement>(`.task[data-key="${CSS.escape(key)}"]`)
  }

  // --- changes by others ---

  #sheetChanged({ id, by, changes, returned }: SheetChange): void {
    if (returned) {
      if (this.where) void this.#load(this.where)
      return
    }
    if (id === this.opened?.sheet) void this.opened.load()
    if (changes.length && (this.#isAllProjects || this.shown.includes(id))) this.#highlight(changes, by)
    this.requestUpdate()
  }

  #highlight(changes: readonly Difference[], by: string): void {
    this.say(describeChanges(changes, by))
    const keys = changes.map(({ key }) => key)
    this.fresh = new Map([...this.fresh, ...keys.map((key) => [key, by] as const)])
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.fresh = new Map([...this.fresh].filter(([key]) => !keys.includes(key)))
    }, FRESH_MS)
    this.#timers.add(timer)
  }

  #hold(sheet: string): void {
    this.#dragging = true
    for (const group of this.querySelectorAll<HTMLElement>('.group'))
      group.classList.toggle('open', group.dataset['sheet'] === sheet)
  }

  #release(): void {
    for (const group of this.querySelectorAll('.group')) group.classList.remove('open')
    this.#dragging = false
    this.requestUpdate()
  }

  // --- rendering ---

  /** Does not render while a card is dragged: the next rendering shows everything. */
  protected override shouldUpdate(): boolean {
    return super.shouldUpdate() && !this.#dragging && this.where !== null
  }

  /** A card that moves keeps the focus. */
  protected override update(changed: PropertyValues): void {
    const focusedKey = document.activeElement?.closest<HTMLElement>('board-screen .task')?.dataset['key']
    super.update(changed)
    if (focusedKey && !this.contains(document.activeElement)) this.#card(focusedKey)?.focus()
    if (this.isConnected)
      this.#drags.follow(this.querySelectorAll<HTMLElement>('.tasks:not([data-readonly])'))
  }

  override render(): TemplateResult {
    const board = this.board
    if (!cardOf(board, this.#focused)) this.#focused = board.flatMap((column) => column.cards)[0]?.key ?? ''
    return html`
      <div class="board-screen" @keydown=${(event: KeyboardEvent) => boardKey(event, this)}
        @focusin=${({ target }: FocusEvent) => this.#focusMoved(target)}>
        ${this.#head(board)}
        ${this.clash ? clashView(this.clash, this.actions) : nothing}
        ${this.problem ? html`<p class="card problem" role="alert">${this.problem}</p>` : nothing}
        <div class="board" aria-busy=${this.loading} data-waiting=${this.#waiting}>${board.map((column) => this.#column(column))}</div>
        <p id="board-keys" hidden>Enter opens the card. Arrow keys move between cards, Alt with arrow keys moves the card. E edits, D deletes, H hands the card to an agent, N adds a task.</p>
        <p class="visually-hidden" aria-live="polite">${this.spoken}</p>
      </div>
      ${this.#cardDialog(board)}
      <task-menu @choose=${({ detail }: CustomEvent<Command>) => this.actions.choose(detail)}></task-menu>
      <handoff-dialog @handoff=${({ detail }: CustomEvent<HandoffDetail>) => this.actions.handOff(detail)}></handoff-dialog>`
  }

  #cardDialog(board: readonly Column<ShownSheet>[]): TemplateResult {
    const { opened } = this
    const card = board.flatMap((column) => column.cards).find((other) => opened?.is(other)) ?? null
    const sheet = this.sheets.find(({ id }) => id === opened?.sheet)
    return html`
      <card-dialog .opened=${opened} .card=${card} .work=${card && sheet ? this.actions.work(card, sheet) : null}
        .sheetTitle=${sheet?.title ?? ''} .readonly=${sheet?.source === 'notion'}
        @choose=${({ detail }: CustomEvent<Command>) => this.actions.choose(detail)}
        @card-save=${({ detail }: CustomEvent<CardSaveDetail>) => this.actions.saveCard(detail)}
        @card-close=${({ detail }: CustomEvent<{ key: string }>) => this.#cardClosed(detail.key)}></card-dialog>`
  }

  #focusMoved(target: EventTarget | null): void {
    const card = target instanceof Element ? target.closest<HTMLElement>('.task') : null
    this.#focused = card?.dataset['key'] ?? this.#focused
  }

  #head(board: readonly Column[]): TemplateResult {
    const fromNotion = this.#isAllProjects ? [] : this.sheets.filter((sheet) => sheet.source === 'notion')
    const matches = board.reduce((sum, column) => sum + column.cards.length, 0)
    const search = ({ currentTarget }: FieldEvent<HTMLInputElement>) => {
      this.words = currentTarget.value
    }
    return html`
      <header class="board-head">
        ${this.where?.key ? this.#scopes() : nothing}
        <input class="field board-filter" type="search" placeholder="Filter tasks" aria-label="Filter tasks"
          .value=${live(this.words)} @input=${search}>
        ${this.words ? html`<span class="quiet" role="status">${matches} found</span>` : nothing}
        ${fromNotion.map(notionChip)}
        <span class="grow"></span>
        ${
          this.#isAllProjects
            ? nothing
            : html`
          <button class="button" @click=${() => this.act(this.where?.key && this.scope === 'project' ? 'open-project-notes' : 'open-notes')}>Notes</button>
          <button class="button plain" @click=${() => this.act('open-all-boards')}>All projects</button>`
        }
      </header>`
  }

  #scopes(): TemplateResult {
    const choose = (scope: Scope) => () => {
      this.scope = scope
    }
    const chips = Object.entries(SCOPES) as [Scope, string][] // the keys of SCOPES
    return html`
      <div class="board-scopes" role="group" aria-label="Tasks of">
        ${chips.map(([scope, title]) => html`<button class="button" aria-pressed=${this.scope === scope} @click=${choose(scope)}>${title}</button>`)}
      </div>`
  }

  #column({ status, label, groups, cards, total }: Column<ShownSheet>): TemplateResult {
    const adding = this.adding?.status === status ? this.adding : null
    const writable = this.sheets.some((sheet) => sheet.source === 'local')
    const shown = repeat(
      groups,
      (group) => group.sheet.id,
      (group) => this.#group(status, group),
    )
    return html`
      <section class="column" data-status=${status} aria-labelledby="column-${status}">
        <header>
          <h2 id="column-${status}">${label}</h2>
          <span class="count" aria-label="${total} tasks">${this.words ? `${cards.length}/${total}` : total}</span>
          ${
            writable
              ? html`<button class="button plain icon" aria-label="New task in ${label}" title="New task (N)"
            @click=${() => this.beginAdding(status)}>+</button>`
              : nothing
          }
        </header>
        <div class="groups">
          ${shown}
          ${adding ? this.#newTask(adding) : nothing}
          ${total || adding || this.loading ? nothing : html`<p class="empty quiet">No tasks</p>`}
        </div>
      </section>`
  }

  #group(status: Status, { sheet, cards }: Group<ShownSheet>): TemplateResult {
    const readonly = sheet.source === 'notion'
    const context: CardContext = {
      editing: this.editing,
      fresh: this.fresh,
      focused: this.#focused,
      readonly,
      canOpen: () => !this.#drags.justDropped,
      work: (card) => this.actions.work(card, sheet),
      actions: this.actions,
    }
    const shown = repeat(
      cards,
      (card) => card.key,
      (card) => taskCard(card, context),
    )
    return html`
      <div class="group ${cards.length || this.sheets.length === 1 ? '' : 'none'}" data-sheet=${sheet.id}>
        ${this.#groupTitle(sheet)}
        <ul class="tasks" data-sheet=${sheet.id} data-status=${status} ?data-readonly=${readonly}>
          ${shown}
        </ul>
      </div>`
  }

  /** On the board of a window, the tasks of its project need no title. */
  #groupTitle({ id, title }: ShownSheet): TemplateResult | typeof nothing {
    if (this.#isAllProjects) return html`<h3 class="cut">${title}</h3>`
    return this.sheets.length > 1 && isOfWindow(id) ? html`<h3 class="cut">This window</h3>` : nothing
  }

  #newTask(adding: Adding): TemplateResult {
    const local = this.sheets.filter((sheet) => sheet.source === 'local')
    return newTaskForm(adding, local, this.actions, (next) => {
      this.adding = next
    })
  }
}

const isOfWindow = (id: string) => id.startsWith('windows/')

function notionChip({ notion }: Sheet): TemplateResult {
  return html`
          <span class="chip">From Notion, read-only${
            notion?.url
              ? html`.
            <a href=${notion.url} target="_blank" rel="noopener noreferrer">Open</a>`
              : nothing
          }</span>`
}

function titleOf({ scope, project, window }: Sheet): string {
  return scope === 'window' && window ? windowTitle({ ...window, project }) : project
}

declare global {
  interface HTMLElementTagNameMap {
    'board-screen': BoardScreen
  }
}
