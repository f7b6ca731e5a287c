// <workspace-rail>: projects, their windows and panes, live; those that wait for an answer on top.
// Rows are links, so that the address tells what is looked at; arrow keys move among them.
import { icons } from '../page/icons.js'
import { load, save } from '../page/memory.js'
import { format } from '../page/router.js'
import { Live, html, live, nothing, repeat, states } from '../page/view.js'
import { activePane, addressOf, currentWindow, tree } from '../page/workspace.js'
import { paneItems, sessionItems, windowItems } from './rail-menus.js'
import { ago, agentCount, filtered, runs, shortPath, stateWords } from './rail-rows.js'

const CLOCK_MS = 20_000 // "3 min" may be that late

class WorkspaceRail extends Live {
  static parts = ['windows', 'facts', 'projects', 'agents', 'place', 'seen', 'pane', 'rail']

  #clock = 0
  #folded = new Set(load('folded', []))

  connectedCallback() {
    super.connectedCallback()
    this.#clock ||= setInterval(() => this.update(), CLOCK_MS)
  }

  disconnectedCallback() {
    super.disconnectedCallback()
    clearInterval(this.#clock)
    this.#clock = 0
  }

  focusFilter() { this.querySelector('.rail-filter input').focus() }
  focus() { (this.querySelector('a.row[tabindex="0"]') ?? this.querySelector('input')).focus() }

  view() {
    const { store, filter } = this
    document.body.dataset.rail = store.rail ? 'open' : 'closed'
    const projects = filtered(tree(store), filter)
    const current = currentWindow(store)
    const waiting = projects.flatMap(({ windows }) => windows).filter(({ state }) => state === 'waiting')
    const rows = this.#visibleRows(projects)
    const at = rows.includes(this.at) ? this.at : rows.find((row) => row === current?.windowId) ?? rows[0]
    return html`
      <nav class="rail" aria-label="Workspace" ?hidden=${!store.rail} @keydown=${this.#key} @focusin=${this.#focused}>
        ${this.#head(agentCount(projects, store.totalAgents, filter))}
        <div class="rail-list">
          ${waiting.length ? this.#waiting(waiting) : nothing}
          ${repeat(projects, ({ sessionId }) => sessionId, (project) => this.#project(project, current, at))}
          ${store.ready ? this.#nothing(projects) : html`<div class="rail-skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`}
        </div>
        ${this.#foot()}
      </nav>`
  }

  #head(count) {
    return html`
      <header class="rail-head">
        <div class="rail-title">
          <a href="#/" class="rail-brand"><span class="mark" aria-hidden="true"></span>webtmux</a>
          <button class="button plain icon" aria-label="New session" title="New session (Shift+S)" @click=${() => this.act('create-session')}>${icons.plus}</button>
        </div>
        <label class="rail-filter">
          ${icons.search}<span class="visually-hidden">Filter windows and agents</span>
          <input type="search" placeholder="Filter" autocomplete="off" spellcheck="false" .value=${live(this.filter)}
            @input=${({ target }) => { this.filter = target.value }} @keydown=${this.#filterKey}>
          <kbd aria-hidden="true">/</kbd>
        </label>
        <p class="rail-count quiet" role="status">${count}</p>
      </header>`
  }

  #waiting(windows) {
    return html`
      <section class="rail-waiting" aria-labelledby="rail-waiting">
        <h2 id="rail-waiting">Waiting <span class="chip waiting">${windows.length}</span></h2>
        <ul>${repeat(windows, ({ windowId }) => windowId, (window) => html`
          <li>
            <a class="rail-asker" href=${format({ view: 'terminal', key: addressOf(window) })}>
              <span class="cut">${window.project} · ${window.windowName}</span><span class="quiet">${runs(window)}</span></a>
            ${window.agents.filter(({ state }) => state === 'waiting').map((agent) => html`<answer-bar .agent=${agent}></answer-bar>`)}
          </li>`)}
        </ul>
      </section>`
  }

  #project(project, current, at) {
    const isOpen = this.filter.trim() !== '' || !this.#folded.has(project.session)
    const { session, project: name, windows } = project
    return html`
      <section class="rail-project" aria-label=${name}>
        <div class="rail-line project">
          <button class="rail-fold" tabindex="-1" aria-label="${isOpen ? 'Fold' : 'Unfold'} ${name}" aria-expanded=${isOpen}
            @click=${() => this.#fold(session, isOpen)}>${icons.fold}</button>
          <a class="row" data-row=${project.sessionId} tabindex=${at === project.sessionId ? 0 : -1}
            aria-current=${this.store.place.project === name ? 'page' : nothing}
            href=${format({ view: 'board', project: name })} title=${name === session ? nothing : `Session ${session}`}>
            <span class="cut">${name}</span>${isOpen ? nothing : html`<span class="chip">${windows.length}</span>`}</a>
          <button class="rail-tool" tabindex="-1" aria-label="New window in ${name}" title="New window" @click=${() => this.act('create-window', { session: project })}>${icons.plus}</button>
          ${this.#more(name, () => sessionItems(project))}
        </div>
        ${isOpen ? html`<ul>${repeat(windows, ({ windowId }) => windowId, (window) => this.#window(window, current, at))}</ul>` : nothing}
      </section>`
  }

  #window(window, current, at) {
    const isCurrent = window.windowId === current?.windowId
    const path = activePane(window)?.path ?? ''
    const state = stateWords(window)
    return html`
      <li>
        <div class="rail-line window ${window.state} ${window.unseen ? 'unseen' : ''}">
          <a class="row" data-row=${window.windowId} tabindex=${at === window.windowId ? 0 : -1} aria-current=${isCurrent ? 'page' : nothing}
            href=${format({ view: 'terminal', key: addressOf(window) })} title=${path}>
            <i class="dot" aria-hidden="true"></i>
            <span class="rail-name cut">${window.windowName}</span>
            <span class="rail-runs cut">${runs(window)}</span>
            ${state ? html`<span class="visually-hidden">, ${state}</span>` : nothing}
            <time class="rail-time">${ago(window.activity, Date.now())}</time>
            <span class="rail-path mono cut">${shortPath(path)}</span>
          </a>
          ${this.#more(window.windowName, () => windowItems(window))}
        </div>
        ${window.panes.length > 1 ? html`<ul class="rail-panes">${repeat(window.panes, ({ paneId }) => paneId, (pane) => this.#pane(window, pane, at))}</ul>` : nothing}
      </li>`
  }

  #pane(window, pane, at) {
    const agent = window.agents.find(({ paneId }) => paneId === pane.paneId)
    return html`
      <li class="rail-line pane ${agent?.state ?? ''}">
        <a class="row" data-row=${pane.paneId} tabindex=${at === pane.paneId ? 0 : -1} aria-current=${pane.paneId === this.store.pane ? 'true' : nothing}
          href=${format({ view: 'terminal', key: addressOf(window) })} title=${pane.path}
          @click=${(event) => { event.preventDefault(); this.act('open-pane', { window, pane }) }}>
          <i class="dot" aria-hidden="true"></i><span class="cut">${pane.paneIndex} ${agent?.runtime ?? pane.command}</span>
          ${agent ? html`<span class="visually-hidden">, ${agent.state}</span>` : nothing}</a>
        ${this.#more(`pane ${pane.paneIndex} of ${window.windowName}`, () => paneItems(window, pane))}
      </li>`
  }

  #more(name, items) {
    return html`<button class="rail-tool more" tabindex="-1" aria-label="Actions for ${name}" aria-haspopup="menu" aria-expanded="false"
      @click=${({ currentTarget }) => this.tell('menu', { opener: currentTarget, items: items(), label: name })}>${icons.more}</button>`
  }

  #nothing(projects) {
    if (projects.length) return nothing
    if (this.filter.trim()) return html`<p class="rail-none quiet">No window has “${this.filter.trim()}”.
      <button class="button plain" @click=${() => { this.filter = '' }}>Show all</button></p>`
    return html`<p class="rail-none quiet">No session yet. <button class="button plain" @click=${() => this.act('create-session')}>Start one</button></p>`
  }

  #foot() {
    return html`
      <footer class="rail-foot">
        <a href="#/board">Board</a><a href="#/recordings">Recordings</a><a href="/connect">Connect</a><a href="/admin/">Admin</a><a href="/api/docs">API</a>
      </footer>`
  }

  #visibleRows(projects) {
    const open = (session) => this.filter.trim() !== '' || !this.#folded.has(session)
    return projects.flatMap(({ sessionId, session, windows }) => [sessionId, ...(open(session) ? windows : []).flatMap((window) =>
      [window.windowId, ...(window.panes.length > 1 ? window.panes.map(({ paneId }) => paneId) : [])])])
  }

  #fold(session, fold) {
    this.#folded[fold ? 'add' : 'delete'](session)
    save('folded', [...this.#folded].slice(-200))
    this.update()
  }

  #focused = ({ target }) => { if (target.dataset.row) this.at = target.dataset.row }

  #filterKey = (event) => {
    if (event.key === 'Escape') this.filter = ''
    else if (event.key === 'ArrowDown') this.querySelector('a.row')?.focus()
    else if (event.key === 'Enter') this.querySelector('.rail-line.window a.row')?.click()
    else return
    event.preventDefault()
  }

  /** Keys of a row; what a row can do more is in its menu. */
  #key = (event) => {
    const row = event.target.closest?.('a.row')
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const rows = [...this.querySelectorAll('a.row')]
    const at = rows.indexOf(row)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (to !== undefined) rows[Math.max(0, Math.min(to, rows.length - 1))].focus()
    else if (!this.#rowKey(event, row)) return
    event.preventDefault()
    event.stopPropagation()
  }

  #rowKey(event, row) {
    const { window, session } = this.#called(row.dataset.row)
    const fold = row.parentElement.querySelector('.rail-fold')
    if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) row.parentElement.querySelector('.more').click()
    else if (event.key === 'ArrowLeft' && fold?.ariaExpanded === 'true') fold.click()
    else if (event.key === 'ArrowRight' && fold?.ariaExpanded === 'false') fold.click()
    else if (event.key === 'F2') this.act(window ? 'rename-window' : 'rename-project', window ? { window } : { session })
    else if (event.key === 'Delete') this.act(window ? 'kill-window' : 'kill-session', window ? { window } : { session })
    else return false
    return true
  }

  #called(id) {
    const projects = tree(this.store)
    const window = projects.flatMap(({ windows }) => windows)
      .find(({ windowId, panes }) => windowId === id || panes.some(({ paneId }) => paneId === id))
    return { window, session: projects.find(({ sessionId }) => sessionId === id) }
  }
}

states(WorkspaceRail, { filter: '', at: '' })
customElements.define('workspace-rail', WorkspaceRail)
