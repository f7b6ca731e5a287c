// The header of the main area: title, tabs of the views, agent state and window actions.
import type { ShownPaneOut } from '../core/generated/socket'
import { icons } from '../core/icons'
import { format } from '../core/router'
import type { MenuItem } from '../core/services'
import type { Part } from '../core/store'
import { customElement, html, Live, nothing, type TemplateResult } from '../core/view'
import { type WindowRow, windowTitle } from '../core/workspace'
import type { MenuDetail } from './action-menu'
import { type AnyAction, actions } from './actions'
import { titleText } from './palette-items'
import { describePlace, type PlaceDescription, type Tab, viewsOf } from './places'
import { shortPath } from './rail-rows'

// Buttons for terminals; unavailable actions are left out.
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
  'rename-session',
  'rename-project',
  'split-right',
  'split-below',
  'zoom',
  'fit',
  'find',
  'reader',
  'toggle-keys',
  'open-in-tmux',
  'install',
  'kill-pane',
  'kill-window',
  'kill-session',
]

@customElement('place-bar')
export class PlaceBar extends Live {
  static override parts: readonly Part[] = ['windows', 'savedWindows', 'projects', 'agents', 'place', 'rail']

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
        </div>
        ${this.#tabs(viewsOf(store))}
        ${place.window ? this.#tools(place.window) : nothing}
      </header>
      ${this.#questions(place)}`
  }

  #questions({ window }: PlaceDescription) {
    if (!window || this.store.place.view === 'home') return nothing
    return window.agents
      .filter(({ state }) => state === 'waiting')
      .map((agent) => html`<div class="place-answer"><answer-bar .agent=${agent}></answer-bar></div>`)
  }

  #nameView({ session, name }: PlaceDescription): TemplateResult {
    return html`<span class="place-name cut" title="${session} · ${name} (double-click to rename)" @dblclick=${() => this.act('rename-window')}>${name}</span>`
  }

  #details(window: WindowRow, pane: ShownPaneOut | null): TemplateResult {
    const runtimes = [...new Set(window.agents.map(({ runtime }) => runtime))]
    return html`
      ${window.state ? html`<span class="chip ${window.state}">${window.state}</span>` : nothing}
      ${runtimes.map((runtime) => html`<span class="place-runtime quiet">${runtime}</span>`)}
      <span class="place-path quiet mono cut" title=${pane?.path ?? ''}>${shortPath(pane?.path ?? '')}</span>`
  }

  #tabs(views: readonly Tab[]) {
    if (views.length < 2) return nothing
    return html`
      <nav class="tabs" aria-label="Views">
        ${views.map(({ name, place, current }) => html`<a href=${format(place)} aria-current=${current ? 'page' : nothing}>${name}</a>`)}
      </nav>`
  }

  #tools(window: WindowRow): TemplateResult {
    const shown = this.store.place.view === 'terminal' ? TOOLS : []
    return html`
      <div class="place-tools" role="group" aria-label="Window">
        ${shown.map(({ name, icon }) => this.#available(name).map((action) => this.#tool(action, icon)))}
        <button class="button plain icon" aria-label="More actions for ${windowTitle(window)}" aria-haspopup="menu" aria-expanded="false"
          @click=${this.#more}>${icons.more}</button>
      </div>`
  }

  #tool(action: AnyAction, icon: TemplateResult): TemplateResult {
    const title = titleText(action, this.store)
    const hint = action.keys ? `${title} (${action.keys})` : title
    return html`
      <button class="button plain icon place-tool" aria-label=${title} title=${hint} @click=${() => this.act(action.name)}>${icon}</button>`
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
        title: titleText(action, this.store),
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
