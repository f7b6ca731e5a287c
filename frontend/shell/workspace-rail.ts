// <workspace-rail>, the sidebar: waiting agents, pinned windows, then sessions with their windows and panes,
// live. Rows are links, so that the address follows the shown window; arrow keys move between them.
import './rail-waiting'
import './selection-bar'

import type { ShownPaneOut } from '../core/generated/socket'
import { icons } from '../core/icons'
import { listenForLongPress } from '../core/long-press'
import { load, save } from '../core/memory'
import { format } from '../core/router'
import { toggled } from '../core/selection'
import type { MenuItem } from '../core/services'
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  live,
  nothing,
  type PropertyValues,
  repeat,
  state,
  type TemplateResult,
} from '../core/view'
import {
  activePane,
  addressOf,
  currentWindow,
  type ProjectRow,
  tree,
  type WindowRow,
  windowTitle,
} from '../core/workspace'
import type { MenuDetail } from './action-menu'
import { type DropMark, RailDrag } from './rail-drag'
import { RailInput } from './rail-input'
import { paneItems, sessionItems, windowItems } from './rail-menus'
import { agentCount, ago, filtered, runs, shortPath, stateText } from './rail-rows'

// How often "3 min" is updated.
const CLOCK_MS = 20_000
// From this number of windows on, rows have no path, so that more of them are visible.
const DENSE_COUNT = 9
// Collapsed projects that this browser remembers.
const COLLAPSED_LIMIT = 200

/** What the template of a row needs besides the row. */
interface Shown {
  current: WindowRow | null
  // The row that Tab reaches.
  focusRow: string | undefined
}

@customElement('workspace-rail')
export class WorkspaceRail extends Live {
  static override parts: readonly Part[] = [
    'windows',
    'savedWindows',
    'projects',
    'agents',
    'place',
    'seen',
    'pane',
    'rail',
    'selection',
  ]

  @state() private filter = ''
  @state() private focusRow = ''
  // Names of sessions.
  @state() private collapsed: ReadonlySet<string> = new Set(load<string[]>('folded', []))
  @state() private drop: DropMark | null = null
  #drag = new RailDrag(this)
  #input = new RailInput(this)
  #hadFocus = false
  #stopPresses = () => {}
  #clock: ReturnType<typeof setInterval> | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.#clock ??= setInterval(() => this.requestUpdate(), CLOCK_MS)
    this.#stopPresses = listenForLongPress(
      this,
      (target) => this.windowOf(target)?.windowId ?? '',
      (id) => this.act('set-selection', { selection: toggled(this.store.selection, id) }),
    )
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#clock)
    this.#clock = undefined
    this.#stopPresses()
  }

  focusFilter(): void {
    this.#renderNow()
    this.querySelector<HTMLElement>('.rail-filter input')?.focus()
  }

  override focus(): void {
    this.#renderNow()
    const row = this.querySelector<HTMLElement>('a.row[tabindex="0"]') ?? this.querySelector('input')
    row?.focus()
  }

  /** A hidden sidebar cannot get the focus. */
  #renderNow(): void {
    this.requestUpdate()
    this.performUpdate()
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    document.body.dataset['rail'] = this.store.rail ? 'open' : 'closed'
    this.#hadFocus = document.activeElement?.matches('workspace-rail a.row') ?? false
  }

  /** A row that moves within the list loses the focus. */
  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    if (this.#hadFocus && document.activeElement === document.body) {
      this.querySelector<HTMLElement>(`a.row[data-row="${CSS.escape(this.focusRow)}"]`)?.focus()
    }
  }

  override render(): TemplateResult {
    const { store, filter } = this
    const projects = filtered(tree(store), filter)
    const current = currentWindow(store)
    const windows = projects.flatMap((project) => project.windows)
    const pinned = windows.filter((window) => window.pinned)
    const rows = this.#visibleRows(projects)
    const focusRow = [this.focusRow, current?.windowId].find((row) => row && rows.includes(row)) ?? rows[0]
    const shown = { current, focusRow }
    return html`
      <nav class="rail" aria-label="Workspace" ?hidden=${!store.rail} @keydown=${this.#input.key} @focusin=${this.#onFocusin}
        @click=${this.#input.click} @dragstart=${this.#drag.start} @dragover=${this.#drag.over} @drop=${this.#drag.drop} @dragend=${this.#drag.end}>
        ${this.#head(agentCount(projects, store.totalAgents, filter))}
        <rail-waiting .store=${store} .shown=${new Set(windows.map(({ windowId }) => windowId))}></rail-waiting>
        <div class="rail-list ${windows.length < DENSE_COUNT ? '' : 'dense'}">
          ${pinned.length ? this.#pinned(pinned, shown) : nothing}
          ${repeat(
            projects,
            ({ sessionId }) => sessionId,
            (project) => this.#project(project, shown),
          )}
          ${store.ready ? this.#emptyView(projects) : html`<div class="rail-skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`}
        </div>
        <selection-bar .store=${store}></selection-bar>
        ${this.#foot()}
      </nav>`
  }

  #head(count: string): TemplateResult {
    return html`
      <header class="rail-head">
        <div class="rail-title">
          <a href="#/" class="rail-brand"><span class="mark" aria-hidden="true"></span>webtmux</a>
          <a class="button plain icon" href="#/settings" aria-label="Settings" title="Settings (,)">${icons.settings}</a>
          <button class="button plain icon" aria-label="Start agent" title="Start agent (Shift+A)" @click=${() => this.act('start-agent')}>${icons.agent}</button>
          <button class="button plain icon" aria-label="New session" title="New session (Shift+S)" @click=${() => this.act('create-session')}>${icons.plus}</button>
        </div>
        <label class="rail-filter">
          ${icons.search}<span class="visually-hidden">Filter windows and agents</span>
          <input type="search" placeholder="Filter" autocomplete="off" spellcheck="false" .value=${live(this.filter)}
            @input=${this.#onInput} @keydown=${this.#filterKey}>
          <kbd aria-hidden="true">/</kbd>
        </label>
        <p class="rail-count quiet" role="status">${count}</p>
      </header>`
  }

  #pinned(windows: readonly WindowRow[], shown: Shown): TemplateResult {
    return html`
      <section class="rail-pinned" aria-labelledby="rail-pinned">
        <h2 id="rail-pinned">${icons.pin} Pinned</h2>
        ${this.#windows(windows, shown)}
      </section>`
  }

  #isExpanded(session: string): boolean {
    return this.filter.trim() !== '' || !this.collapsed.has(session)
  }

  #project(project: ProjectRow, shown: Shown): TemplateResult {
    const { session, project: name, windows } = project
    const isOpen = this.#isExpanded(session)
    return html`
      <section class="rail-project" aria-label=${name}>
        <div class="rail-line project">
          <button class="rail-fold" tabindex="-1" aria-label="${isOpen ? 'Collapse' : 'Expand'} ${name}" aria-expanded=${isOpen}
            @click=${() => this.#toggleProject(session, isOpen)}>${icons.fold}</button>
          <a class="row" data-row=${project.sessionId} tabindex=${shown.focusRow === project.sessionId ? 0 : -1}
            aria-current=${this.store.place.project === name ? 'page' : nothing}
            href=${format({ view: 'board', project: name })} title=${name === session ? name : `${session}, project ${name}`}>
            <span class="cut">${session}</span>${name === session ? nothing : html`<span class="quiet rail-project-name cut">${name}</span>`}
            ${isOpen ? nothing : html`<span class="chip">${windows.length}</span>`}</a>
          <button class="rail-tool" tabindex="-1" aria-label="New window in ${name}" title="New window" @click=${() => this.act('create-window', { session: project })}>${icons.plus}</button>
          ${this.#more(name, () => sessionItems(project))}
        </div>
        ${isOpen ? this.#windows(windows.filter(isUnpinned), shown) : nothing}
      </section>`
  }

  #windows(windows: readonly WindowRow[], shown: Shown): TemplateResult {
    return html`<ul>${repeat(
      windows,
      ({ windowId }) => windowId,
      (window) => this.#window(window, shown),
    )}</ul>`
  }

  #window(window: WindowRow, shown: Shown): TemplateResult {
    const { windowId, windowName, windowIndex, pinned } = window
    const isCurrent = windowId === shown.current?.windowId
    const path = activePane(window)?.path ?? ''
    const isSelected = this.store.selection.ids.has(windowId)
    const text = [stateText(window), isSelected && 'selected'].filter(Boolean).join(', ')
    const title = windowTitle(window)
    return html`
      <li>
        <div class="rail-line window ${window.state} ${window.unseen ? 'unseen' : ''}" data-drop=${this.drop?.id === windowId ? this.drop.side : nothing}>
          <a class="row" data-row=${windowId} tabindex=${shown.focusRow === windowId ? 0 : -1} aria-current=${isCurrent ? 'page' : nothing}
            href=${format({ view: 'terminal', key: addressOf(window) })} title="${title}\n${path}">
            ${this.#mark(windowId)}
            <span class="rail-name cut">${pinned ? title : windowName || windowIndex}</span>
            <span class="rail-runs cut">${runs(window)}</span>
            ${text ? html`<span class="visually-hidden">, ${text}</span>` : nothing}
            <time class="rail-time">${ago(window.activity, Date.now())}</time>
            <span class="rail-path mono cut">${shortPath(path)}</span>
          </a>
          ${this.#more(windowName, () => windowItems(this.store, window))}
        </div>
        ${window.panes.length > 1 ? this.#panes(window, shown) : nothing}
      </li>`
  }

  /** The state of a window, or whether it is selected. */
  #mark(id: string): TemplateResult {
    const { active, ids } = this.store.selection
    if (!active && ids.size === 0) return html`<i class="dot" aria-hidden="true"></i>`
    const isSelected = ids.has(id)
    return html`<i class="tick ${isSelected ? 'on' : ''}">${isSelected ? icons.check : nothing}</i>`
  }

  #panes(window: WindowRow, shown: Shown): TemplateResult {
    return html`<ul class="rail-panes">${repeat(
      window.panes,
      ({ paneId }) => paneId,
      (pane) => this.#pane(window, pane, shown),
    )}</ul>`
  }

  #pane(window: WindowRow, pane: ShownPaneOut, shown: Shown): TemplateResult {
    const agent = window.agents.find(({ paneId }) => paneId === pane.paneId)
    const open = (event: MouseEvent) => {
      event.preventDefault()
      this.act('open-pane', { window, pane })
    }
    return html`
      <li class="rail-line pane ${agent?.state ?? ''}">
        <a class="row" data-row=${pane.paneId} tabindex=${shown.focusRow === pane.paneId ? 0 : -1} aria-current=${pane.paneId === this.store.pane ? 'true' : nothing}
          href=${format({ view: 'terminal', key: addressOf(window) })} title=${pane.path}
          @click=${open}>
          <i class="dot" aria-hidden="true"></i><span class="cut">${pane.paneIndex} ${agent?.runtime ?? pane.command}</span>
          ${agent ? html`<span class="visually-hidden">, ${agent.state}</span>` : nothing}</a>
        ${this.#more(`pane ${pane.paneIndex} of ${window.windowName}`, () => paneItems(window, pane))}
      </li>`
  }

  #more(name: string, items: () => MenuItem[]): TemplateResult {
    const open = ({ currentTarget }: MouseEvent & { currentTarget: HTMLElement }) =>
      this.emit('menu', { opener: currentTarget, items: items(), label: name } satisfies MenuDetail)
    return html`<button class="rail-tool more" tabindex="-1" aria-label="Actions for ${name}" aria-haspopup="menu" aria-expanded="false"
      @click=${open}>${icons.more}</button>`
  }

  #emptyView(projects: readonly ProjectRow[]) {
    if (projects.length) return nothing
    if (!this.filter.trim()) {
      return html`<p class="rail-none quiet">No sessions yet. <button class="button plain" @click=${() => this.act('create-session')}>Start one</button></p>`
    }
    return html`<p class="rail-none quiet">No windows match “${this.filter.trim()}”.
      <button class="button plain" @click=${this.#clearFilter}>Show all</button></p>`
  }

  #foot(): TemplateResult {
    return html`
      <footer class="rail-foot">
        <a href="#/board">Board</a><a href="#/recordings">Recordings</a><a href="/connect">Connect</a><a href="/admin/">Admin</a><a href="/api/docs">API</a>
      </footer>`
  }

  #visibleRows(projects: readonly ProjectRow[]): string[] {
    const ofWindow = ({ windowId, panes }: WindowRow) => [
      windowId,
      ...(panes.length > 1 ? panes.map(({ paneId }) => paneId) : []),
    ]
    const pinned = projects.flatMap(({ windows }) => windows).filter((window) => window.pinned)
    const others = projects.flatMap(({ sessionId, session, windows }) => [
      sessionId,
      ...(this.#isExpanded(session) ? windows.filter(isUnpinned).flatMap(ofWindow) : []),
    ])
    return [...pinned.flatMap(ofWindow), ...others]
  }

  // --- selection and drag ---

  /** The window of a row. */
  windowOf(target: EventTarget | null): WindowRow | undefined {
    const row = target instanceof Element ? target.closest('.rail-line.window')?.querySelector('a.row') : null
    return row instanceof HTMLElement ? this.findRow(row.dataset['row'] ?? '').window : undefined
  }

  showDrop(mark: DropMark | null): void {
    if (mark?.id !== this.drop?.id || mark?.side !== this.drop?.side) this.drop = mark
  }

  #toggleProject(session: string, collapse: boolean): void {
    const others = [...this.collapsed].filter((other) => other !== session)
    this.collapsed = new Set(collapse ? [...others, session] : others)
    save('folded', [...this.collapsed].slice(-COLLAPSED_LIMIT))
  }

  #clearFilter = (): void => {
    this.filter = ''
  }

  #onInput = ({ currentTarget }: InputEvent & { currentTarget: HTMLInputElement }): void => {
    this.filter = currentTarget.value
  }

  #onFocusin = ({ target }: FocusEvent): void => {
    const row = target instanceof HTMLElement ? target.dataset['row'] : undefined
    if (row) this.focusRow = row
  }

  #filterKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.filter = ''
    else if (event.key === 'ArrowDown') this.querySelector<HTMLElement>('a.row')?.focus()
    else if (event.key === 'Enter') this.querySelector<HTMLElement>('.rail-line.window a.row')?.click()
    else return
    event.preventDefault()
  }

  /** The window or session of a row, by the id of the window, of one of its panes, or of the session. */
  findRow(id: string): { window: WindowRow | undefined; session: ProjectRow | undefined } {
    const projects = tree(this.store)
    const window = projects
      .flatMap(({ windows }) => windows)
      .find(({ windowId, panes }) => windowId === id || panes.some(({ paneId }) => paneId === id))
    return { window, session: projects.find(({ sessionId }) => sessionId === id) }
  }
}

const isUnpinned = ({ pinned }: WindowRow): boolean => !pinned

declare global {
  interface HTMLElementTagNameMap {
    'workspace-rail': WorkspaceRail
  }
}
