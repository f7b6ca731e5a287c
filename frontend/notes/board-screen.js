// The board: of a window, of a project, or over all projects. Loads its sheets, shows them as
// columns, and turns what a person does into changes; what is known and written is in sheets.js.
import { html, live, Live, nothing, repeat, states } from '../page/view.js'
import { BoardHands } from './board-hands.js'
import { Drags } from './board-drag.js'
import { boardKey } from './board-keys.js'
import { cardOf, columns } from './columns.js'
import './hand-dialog.js'
import { said } from './news.js'
import { pathOf, sheetId, sheetsOf } from './sheets.js'
import { taskCard } from './task-card.js'
import './task-menu.js'

const FRESH_MS = 5000

class BoardScreen extends Live {
  static parts = ['agents', 'facts', 'windows', 'projects', 'status']
  focused = '' // the key of the card that Tab leads to
  #sheets = null
  #hands = null
  #shown = [] // ids of the sheets on this board; those of all projects come and go
  #fresh = new Map() // key → who changed it
  #dragging = false
  #drags = new Drags({
    start: (sheet) => this.#hold(sheet),
    end: () => this.#release(),
    drop: (place) => this.hands.place(place),
  })
  #hear = ({ detail }) => this.#told(detail)

  connectedCallback() {
    this.#sheets ??= sheetsOf(this.services)
    this.#hands ??= new BoardHands(this, this.#sheets)
    this.#sheets.addEventListener('change', this.#hear)
    super.connectedCallback()
  }

  disconnectedCallback() {
    this.#sheets.removeEventListener('change', this.#hear)
    this.#drags.end()
    super.disconnectedCallback()
  }

  get hands() { return this.#hands }
  get board() { return columns(this.sheets, this.words) }
  get everywhere() { return !this.where.key && !this.where.project }

  /** The sheets on this board, each with its id and the name of what it belongs to. */
  get sheets() {
    const ids = this.everywhere ? this.#sheets.all().map(sheetId) : this.#shown
    const found = ids.map((id) => this.#sheets.get(id)).filter(Boolean)
    return found.map((sheet) => ({ ...sheet, id: sheetId(sheet), title: titleOf(sheet) }))
      .sort((one, other) => one.title.localeCompare(other.title))
  }

  /** How many changes of this page the server has not answered yet. */
  get waiting() { return this.sheets.reduce((sum, sheet) => sum + this.#sheets.waiting(sheet.id), 0) }

  get place() { return this.where }
  set place(place) {
    this.where = place
    this.#shown = []
    this.words = ''
    this.editing = this.adding = null
    this.#load()
  }

  async #load() {
    const { key, project } = this.where
    this.problem = ''
    this.loading = true
    try {
      if (key || project) this.#shown = [await this.#sheets.load(pathOf(key ? `windows/${key}` : `projects/${project}`))]
      else await this.#sheets.loadAll()
    } catch (problem) {
      this.problem = problem.message
    }
    this.loading = false
    this.update()
  }

  // --- what a person does ---

  beginAdding(status) {
    const sheet = cardOf(this.board, this.focused)?.sheet ?? this.sheets.find((each) => each.source === 'local')?.id
    if (sheet) this.adding = { status, sheet }
    this.paint()
    this.querySelector('.task-new textarea')?.focus()
  }

  beginEditing(card) {
    this.editing = { key: card.key, sheet: card.sheet, was: card.text }
    this.paint()
    const field = this.querySelector('.task-edit')
    field?.focus()
    field?.select()
  }

  filter() { this.querySelector('.board-filter')?.focus() }

  /** The focus, on a card; the next rendering keeps it there. */
  focusCard(key) {
    this.focused = key
    this.paint()
    this.querySelector(`.task[data-key="${CSS.escape(key)}"]`)?.focus()
  }

  say(words) { this.spoken = words }

  // --- what others do ---

  #told({ id, by, changes, returned }) {
    if (returned) return void this.#load()
    if (changes.length && (this.everywhere || this.#shown.includes(id))) this.#highlight(changes, by)
    this.update()
  }

  #highlight(changes, by) {
    this.say(said(changes, by))
    for (const { key } of changes) {
      this.#fresh.set(key, by)
      setTimeout(() => { if (this.#fresh.delete(key)) this.update() }, FRESH_MS)
    }
  }

  #hold(sheet) {
    this.#dragging = true
    for (const group of this.querySelectorAll('.group')) group.classList.toggle('open', group.dataset.sheet === sheet)
  }

  #release() {
    for (const group of this.querySelectorAll('.group')) group.classList.remove('open')
    this.#dragging = false
    this.update()
  }

  // --- what is seen ---

  /** Nothing is rendered under a card that is held; and a card that moves keeps the focus. */
  paint() {
    if (this.#dragging || !this.where) return
    const held = document.activeElement?.closest?.('board-screen .task')?.dataset.key
    super.paint()
    if (held && !this.contains(document.activeElement)) {
      this.querySelector(`.task[data-key="${CSS.escape(held)}"]`)?.focus()
    }
    this.#drags.follow(this.querySelectorAll('.tasks:not([data-readonly])'))
  }

  view() {
    const board = this.board
    if (!cardOf(board, this.focused)) this.focused = board.flatMap((column) => column.cards)[0]?.key ?? ''
    return html`
      <div class="board-screen" @keydown=${(event) => boardKey(event, this)}
        @focusin=${(event) => { this.focused = event.target.closest('.task')?.dataset.key ?? this.focused }}>
        ${this.#head(board)}
        ${this.hands.clash ? this.#clash(this.hands.clash) : nothing}
        ${this.problem ? html`<p class="card problem" role="alert">${this.problem}</p>` : nothing}
        <div class="board" aria-busy=${this.loading} data-waiting=${this.waiting}>${board.map((column) => this.#column(column))}</div>
        <p id="board-keys" hidden>Arrows lead to other cards, Alt and arrows move this one. E edits, D deletes, H hands it to an agent, N makes a new one.</p>
        <p class="visually-hidden" aria-live="polite">${this.spoken}</p>
      </div>
      <task-menu @choose=${({ detail }) => this.hands.choose(detail)}></task-menu>
      <hand-dialog @hand=${({ detail }) => this.hands.hand(detail)}></hand-dialog>`
  }

  #head(board) {
    const fromNotion = this.everywhere ? [] : this.sheets.filter((sheet) => sheet.source === 'notion')
    const found = board.reduce((sum, column) => sum + column.cards.length, 0)
    return html`
      <header class="board-head">
        <input class="field board-filter" type="search" placeholder="Filter tasks" aria-label="Filter tasks"
          .value=${live(this.words)} @input=${(event) => { this.words = event.target.value }}>
        ${this.words ? html`<span class="quiet" role="status">${found} found</span>` : nothing}
        ${fromNotion.map((sheet) => html`
          <span class="chip">From Notion: moved and edited there${sheet.notion?.url ? html`,
            <a href=${sheet.notion.url} target="_blank" rel="noopener noreferrer">open</a>` : nothing}</span>`)}
        <span class="grow"></span>
        ${this.everywhere ? nothing : html`
          <button class="button" @click=${() => this.act('open-notes')}>Notes</button>
          <button class="button plain" @click=${() => this.act('open-all-boards')}>All projects</button>`}
      </header>`
  }

  #column({ status, label, groups, cards, total }) {
    const mine = this.adding?.status === status
    const writable = this.sheets.some((sheet) => sheet.source === 'local')
    return html`
      <section class="column" data-status=${status} aria-labelledby="column-${status}">
        <header>
          <h2 id="column-${status}">${label}</h2>
          <span class="count" aria-label="${total} tasks">${this.words ? `${cards.length}/${total}` : total}</span>
          ${writable ? html`<button class="button plain icon" aria-label="New task in ${label}" title="New task (N)"
            @click=${() => this.beginAdding(status)}>+</button>` : nothing}
        </header>
        <div class="groups">
          ${repeat(groups, (group) => group.sheet.id, (group) => this.#group(status, group))}
          ${mine ? this.#adder() : nothing}
          ${total || mine || this.loading ? nothing : html`<p class="empty quiet">Nothing here</p>`}
        </div>
      </section>`
  }

  #group(status, { sheet, cards }) {
    const readonly = sheet.source === 'notion'
    const at = {
      editing: this.editing, fresh: this.#fresh, focused: this.focused, readonly,
      work: (card) => this.hands.work(card, sheet), tell: this.hands,
    }
    return html`
      <div class="group ${cards.length || !this.everywhere ? '' : 'none'}" data-sheet=${sheet.id}>
        ${this.everywhere ? html`<h3 class="cut">${sheet.title}</h3>` : nothing}
        <ul class="tasks" data-sheet=${sheet.id} data-status=${status} ?data-readonly=${readonly}>
          ${repeat(cards, (card) => card.key, (card) => taskCard(card, at))}
        </ul>
      </div>`
  }

  #adder() {
    const local = this.sheets.filter((sheet) => sheet.source === 'local')
    return html`
      <form class="task-new" @submit=${(event) => this.hands.added(event)}>
        <textarea class="field" rows="1" aria-label="New task" placeholder="What is to be done?"
          @keydown=${(event) => this.hands.addKey(event)}></textarea>
        ${local.length > 1 ? html`
          <select class="field" aria-label="Project" @change=${(event) => { this.adding = { ...this.adding, sheet: event.target.value } }}>
            ${local.map((sheet) => html`<option value=${sheet.id} ?selected=${sheet.id === this.adding.sheet}>${sheet.title}</option>`)}
          </select>` : nothing}
        <div class="buttons">
          <button class="button primary">Add</button>
          <button type="button" class="button plain" @click=${() => { this.adding = null }}>Close</button>
        </div>
      </form>`
  }

  #clash({ change, gone, theirs, again }) {
    return html`
      <section class="card clash" role="alert">
        <p><b>${gone ? 'This task was removed meanwhile.' : 'This task was changed meanwhile.'}</b> Nothing of yours is lost:</p>
        <dl>
          <dt>Yours</dt><dd>${change.text ?? change.was}</dd>
          ${gone ? nothing : html`<dt>Now</dt><dd>${theirs}</dd>`}
        </dl>
        <div class="buttons">
          <button class="button primary" @click=${() => this.hands.settle(again)}>${AGAIN[gone ? 'gone' : change.kind]}</button>
          <button class="button" @click=${() => this.hands.settle(null)}>Leave it as it is now</button>
        </div>
      </section>`
  }
}

const AGAIN = { gone: 'Add mine again', edit: 'Use mine', move: 'Move it anyway', remove: 'Delete it anyway' }

function titleOf({ scope, project, window }) {
  return scope === 'window' ? `${project} · ${window.windowName || window.windowIndex}` : project
}

states(BoardScreen, { where: null, words: '', editing: null, adding: null, problem: '', loading: false, spoken: '' })
customElements.define('board-screen', BoardScreen)
