// The header of the main area: title, agent state, recording, window actions and tabs of the views. Tabs and
// buttons are at the end: what changes its width is before them and is cut, so that they never move.
import '../agents/agent-why'

import type { ShownPaneOut } from '../core/generated/socket'
import { icons } from '../core/icons'
import { format } from '../core/router'
import type { MenuItem } from '../core/services'
import type { Part } from '../core/store'
import { customElement, html, Live, nothing, type TemplateResult } from '../core/view'
import { type WindowRow, windowTitle } from '../core/workspace'
import { recordingsOf } from '../recordings/recording-chip'
import type { MenuDetail } from './action-menu'
import { type AnyAction, actions } from './actions'
import { titleText } from './palette-items'
import { describePlace, type PlaceDescription, type Tab, viewsOf } from './places'
import { shortPath } from './rail-rows'
import './ended-bar'

// Buttons for terminals.
const TOOLS = [
  { name: 'split-right', icon: icons.right },
  { name: 'split-below', icon: icons.below },
  { name: 'zoom', icon: icons.zoom },
  { name: 'fit', icon: icons.fit },
  { name: 'find', icon: icons.search },
]
const MORE = [
  'create-window',
  'pin-window',
  'select-windows',
  'rename-window',
  'split-right',
  'split-below',
  'zoom',
  'fit',
  'find',
  'reader',
  'toggle-keys',
  'open-in-tmux',
  'install',
  'settings',
  'kill-pane',
  'kill-window',
  'kill-session',
]

@customElement('place-bar')
export class PlaceBar extends Live {
  static override parts: readonly Part[] = [
    'windows',
    'savedWindows',
    'projects',
    'agents',
    'recordings',
    'place',
    'rail',
    'reader',
  ]

  override render(): TemplateResult {
    const { store } = this
    const place = describePlace(store)
    return html`
      <header class="place">
        <button class="button plain icon place-rail" aria-label="Sidebar" aria-expanded=${store.rail} title="Sidebar (\\)"
          @click=${() => this.act('toggle-rail')}>${icons.rail}</button>
        <a class="button plain icon place-back" href="#/" aria-label="Back to all agents">${icons.back}</a>
        <div class="place-what">
          <h1 class="${place.session ? 'place-title' : 'cut'}" title=${place.session ? `${place.session} · ${place.name}` : place.name}>${
            place.session
              ? html`<a class="cut" href=${format({ view: 'board', project: place.project })}>${place.session}</a><span class="quiet"> · </span>`
              : nothing
          }${place.window ? this.#nameView(place) : place.name}</h1>
          ${place.window ? this.#details(place.window, place.pane) : nothing}
          ${place.window ? html`<recording-chip .recordings=${recordingsOf(store, place.window)}></recording-chip>` : nothing}
        </div>
        ${place.window && store.place.view === 'terminal' ? this.#tools() : nothing}
        ${this.#tabs(viewsOf(store))}
        ${place.window ? this.#moreButton(place.window) : this.#settings()}
      </header>
      ${this.#ended(place)}`
  }

  #settings() {
    if (this.store.place.view !== 'home') return nothing
    return html`<a class="button plain icon" href="#/settings" aria-label="Settings" title="Settings (,)">${icons.settings}</a>`
  }

  #ended({ window, pane }: PlaceDescription) {
    if (!window || !pane?.dead || this.store.place.view !== 'terminal') return nothing
    return html`<ended-bar .window=${window} .pane=${pane}></ended-bar>`
  }

  #nameView({ session, name }: PlaceDescription): TemplateResult {
    return html`<span class="place-name cut" title="${session} · ${name} (double-click to rename)" @dblclick=${() => this.act('rename-window')}>${name}</span>`
  }

  #details(window: WindowRow, pane: ShownPaneOut | null): TemplateResult {
    const runtimes = [...new Set(window.agents.map(({ runtime }) => runtime))]
    return html`
      ${window.state ? this.#stateView(window) : nothing}
      ${runtimes.map((runtime) => html`<span class="place-runtime quiet">${runtime}</span>`)}
      <span class="place-path quiet mono cut" title=${pane?.path ?? ''}>${shortPath(pane?.path ?? '')}</span>`
  }

  #stateView(window: WindowRow): TemplateResult {
    const agent = window.agents.find(({ state }) => state === window.state)
    return agent
      ? html`<agent-why .agent=${agent}></agent-why>`
      : html`<span class="chip ${window.state}">${window.state}</span>`
  }

  #tabs(views: readonly Tab[]) {
    if (views.length < 2) return nothing
    return html`
      <nav class="tabs" aria-label="Views">
        ${views.map(({ name, place, current }) => html`<a href=${format(place)} aria-current=${current ? 'page' : nothing}>${name}</a>`)}
      </nav>`
  }

  /** Unavailable actions are disabled, so that the others keep their places. */
  #tools(): TemplateResult {
    return html`
      <div class="place-tools" role="group" aria-label="Panes">
        ${TOOLS.map(({ name, icon }) => this.#tool(name, icon))}
        ${this.#readerSwitch()}
      </div>`
  }

  #moreButton(window: WindowRow): TemplateResult {
    return html`
      <button class="button plain icon place-more" aria-label="More actions for ${windowTitle(window)}" aria-haspopup="menu" aria-expanded="false"
        @click=${this.#more}>${icons.more}</button>`
  }

  #tool(name: string, icon: TemplateResult): TemplateResult | typeof nothing {
    const action = actions.get(name)
    if (!action) return nothing
    const title = titleText(action, this.store)
    const hint = action.keys ? `${title} (${action.keys})` : title
    return html`
      <button class="button plain icon place-tool" aria-label=${title} title=${hint}
        ?disabled=${this.#available(name).length === 0} @click=${() => this.act(action.name)}>${icon}</button>`
  }

  /** On a phone: the terminal or its text, one tap away. */
  #readerSwitch(): TemplateResult {
    const { reader } = this.store
    return html`
      <button class="button plain icon place-reader" aria-label=${reader ? 'Show the terminal' : 'Show the text'}
        @click=${() => this.act('reader')}>${reader ? icons.pane : icons.text}</button>`
  }

  /** The action of this name, if it is available now. */
  #available(name: string): AnyAction[] {
    const action = actions.get(name)
    return action && (action.needs?.(this.store) ?? true) ? [action] : []
  }

  #more = ({ currentTarget }: MouseEvent & { currentTarget: HTMLElement }): void => {
    const items = MORE.flatMap((name) => this.#available(name)).map(
      (action): MenuItem => ({
        name: action.name,
        // The dialog has the names of project and session too.
        title: action.name === 'rename-window' ? 'Rename…' : titleText(action, this.store),
        danger: action.name.startsWith('kill-'),
      }),
    )
    this.emit('menu', { opener: currentTarget, items, label: 'Window' } satisfies MenuDetail)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'place-bar': PlaceBar
  }
}
