// <workspace-rail>, the sidebar: projects, their windows and panes, live; waiting agents at the top. Rows are
// links, so that the address follows the selection; arrow keys move between them.
import type { ShownPaneOut } from '../core/generated/socket'
import { icons } from '../core/icons'
import { load, save } from '../core/memory'
import { format } from '../core/router'
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
} from '../core/workspace'
import type { MenuDetail } from './action-menu'
import { paneItems, sessionItems, windowItems } from './rail-menus'
import { agentCount, ago, filtered, runs, shortPath, stateText } from './rail-rows'

// How often "3 min" is updated.
const CLOCK_MS = 20_000
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
  ]

  @state() private filter = ''
  @state() private focusRow = ''
  // Names of sessions.
  @state() private collapsed: ReadonlySet<string> = new Set(load<string[]>('folded', []))
  #clock: ReturnType<typeof setInterval> | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.#clock ??= setInterval(() => this.requestUpdate(), CLOCK_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearInterval(this.#clock)
    this.#clock = undefined
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
  }

  override render(): TemplateResult {
    const { store, filter } = this
    const projects = filtered(tree(store), filter)
    const current = currentWindow(store)
    const waiting = projects.flatMap(({ windows }) => windows).filter(({ state }) => state === 'waiting')
    const rows = this.#visibleRows(projects)
    const focusRow = [this.focusRow, current?.windowId].find((row) => row && rows.includes(row)) ?? rows[0]
    return html`
      <nav class="rail" aria-label="Workspace" ?hidden=${!store.rail} @keydown=${this.#key} @focusin=${this.#onFocusin}>
        ${this.#head(agentCount(projects, store.totalAgents, filter))}
        <div class="rail-list">
          ${waiting.length ? this.#waiting(waiting) : nothing}
          ${repeat(
            projects,
            ({ sessionId }) => sessionId,
            (project) => this.#project(project, { current, focusRow }),
          )}
          ${store.ready ? this.#emptyView(projects) : html`<div class="rail-skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`}
        </div>
        ${this.#foot()}
      </nav>`
  }

  #head(count: string): TemplateResult {
    return html`
      <header class="rail-head">
        <div class="rail-title">
          <a href="#/" class="rail-brand"><span class="mark" aria-hidden="true"></span>webtmux</a>
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

  #waiting(windows: readonly WindowRow[]): TemplateResult {
    return html`
      <section class="rail-waiting" aria-labelledby="rail-waiting">
        <h2 id="rail-waiting">Waiting <span class="chip waiting">${windows.length}</span></h2>
        <ul>${repeat(
          windows,
          ({ windowId }) => windowId,
          (window) => html`
          <li>
            <a class="rail-asker" href=${format({ view: 'terminal', key: addressOf(window) })}>
              <span class="cut">${window.project} · ${window.windowName}</span><span class="quiet">${runs(window)}</span></a>
            ${window.agents.filter(({ state }) => state === 'waiting').map((agent) => html`<answer-bar .agent=${agent}></answer-bar>`)}
          </li>`,
        )}
        </ul>
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
            href=${format({ view: 'board', project: name })} title=${name === session ? nothing : `Session ${session}`}>
            <span class="cut">${name}</span>${isOpen ? nothing : html`<span class="chip">${windows.length}</span>`}</a>
          <button class="rail-tool" tabindex="-1" aria-label="New window in ${name}" title="New window" @click=${() => this.act('create-window', { session: project })}>${icons.plus}</button>
          ${this.#more(name, () => sessionItems(project))}
        </div>
        ${isOpen ? this.#windows(windows, shown) : nothing}
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
    const isCurrent = window.windowId === shown.current?.windowId
    const path = activePane(window)?.path ?? ''
    const text = stateText(window)
    return html`
      <li>
        <div class="rail-line window ${window.state} ${window.unseen ? 'unseen' : ''}">
          <a class="row" data-row=${window.windowId} tabindex=${shown.focusRow === window.windowId ? 0 : -1} aria-current=${isCurrent ? 'page' : nothing}
            href=${format({ view: 'terminal', key: addressOf(window) })} title=${path}>
            <i class="dot" aria-hidden="true"></i>
            <span class="rail-name cut">${window.windowName}</span>
            <span class="rail-runs cut">${runs(window)}</span>
            ${text ? html`<span class="visually-hidden">, ${text}</span>` : nothing}
            <time class="rail-time">${ago(window.activity, Date.now())}</time>
            <span class="rail-path mono cut">${shortPath(path)}</span>
          </a>
          ${this.#more(window.windowName, () => windowItems(window))}
        </div>
        ${window.panes.length > 1 ? this.#panes(window, shown) : nothing}
      </li>`
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
    return projects.flatMap(({ sessionId, session, windows }) => [
      sessionId,
      ...(this.#isExpanded(session) ? windows.flatMap(ofWindow) : []),
    ])
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

  /** Handles the keys of a row; further actions are in its menu. */
  #key = (event: KeyboardEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('a.row') : null
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const rows = [...this.querySelectorAll<HTMLElement>('a.row')]
    const index = rows.indexOf(row)
    const last = rows.length - 1
    const steps: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: last }
    const to = steps[event.key]
    if (to !== undefined) rows[Math.max(0, Math.min(to, last))]?.focus()
    else if (!this.#rowKey(event, row)) return
    event.preventDefault()
    event.stopPropagation()
  }

  #rowKey({ key, shiftKey }: KeyboardEvent, row: HTMLElement): boolean {
    const { window, session } = this.#findRow(row.dataset['row'] ?? '')
    const target = window ? { window } : { session }
    const line = row.parentElement
    const fold = line?.querySelector<HTMLElement>('.rail-fold')
    if (key === 'ContextMenu' || (shiftKey && key === 'F10'))
      line?.querySelector<HTMLElement>('.more')?.click()
    else if (key === 'ArrowLeft' && fold?.ariaExpanded === 'true') fold.click()
    else if (key === 'ArrowRight' && fold?.ariaExpanded === 'false') fold.click()
    else if (key === 'F2') this.act(window ? 'rename-window' : 'rename-project', target)
    else if (key === 'Delete') this.act(window ? 'kill-window' : 'kill-session', target)
    else return false
    return true
  }

  #findRow(id: string): { window: WindowRow | undefined; session: ProjectRow | undefined } {
    const projects = tree(this.store)
    const window = projects
      .flatMap(({ windows }) => windows)
      .find(({ windowId, panes }) => windowId === id || panes.some(({ paneId }) => paneId === id))
    return { window, session: projects.find(({ sessionId }) => sessionId === id) }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-rail': WorkspaceRail
  }
}
