// The head of the stage: what is looked at, its views, its state, and what can be done with it.
import { shortPath } from '../terminals/rail-rows.js'
import { actions } from './actions.js'
import { icons } from './icons.js'
import { viewsOf, whatIs } from './places.js'
import { format } from './router.js'
import { Live, html, nothing } from './view.js'

// Buttons of a terminal; those whose action makes no sense now are left out.
const TOOLS = [
  { name: 'split-right', icon: icons.right }, { name: 'split-below', icon: icons.below }, { name: 'zoom', icon: icons.zoom },
  { name: 'fit', icon: icons.fit }, { name: 'find', icon: icons.search },
]
const MORE = [
  'create-window', 'rename-window', 'rename-session', 'rename-project', 'split-right', 'split-below', 'zoom', 'fit', 'find', 'reader',
  'toggle-keys', 'open-in-tmux', 'install', 'kill-pane', 'kill-window', 'kill-session',
]

class PlaceBar extends Live {
  static parts = ['windows', 'facts', 'projects', 'agents', 'place', 'rail']

  view() {
    const { store } = this
    const is = whatIs(store)
    return html`
      <header class="place">
        <button class="button plain icon place-rail" aria-label="Workspace rail" aria-expanded=${store.rail} title="Workspace rail (\\)"
          @click=${() => this.act('toggle-rail')}>${icons.rail}</button>
        <a class="button plain icon place-back" href="#/" aria-label="Back to all agents">${icons.back}</a>
        <div class="place-what">
          <h1 class="cut">${
            is.project ? html`<a href=${format({ view: 'board', project: is.project })}>${is.project}</a><span class="quiet"> · </span>` : nothing
          }${is.window ? this.#name(is.name) : is.name}</h1>
          ${is.window ? this.#facts(is.window, is.pane) : nothing}
        </div>
        ${this.#tabs(viewsOf(store))}
        ${is.window ? this.#tools(is.window) : nothing}
      </header>
      ${is.window && store.place.view !== 'home' ? is.window.agents.filter(({ state }) => state === 'waiting')
        .map((agent) => html`<div class="place-answer"><answer-bar .agent=${agent}></answer-bar></div>`) : nothing}`
  }

  #name(name) {
    return html`<span class="place-name" title="Double click to rename" @dblclick=${() => this.act('rename-window')}>${name}</span>`
  }

  #facts(window, pane) {
    return html`
      ${window.state ? html`<span class="chip ${window.state}">${window.state}</span>` : nothing}
      ${[...new Set(window.agents.map(({ runtime }) => runtime))].map((runtime) => html`<span class="place-runtime quiet">${runtime}</span>`)}
      <span class="place-path quiet mono cut" title=${pane?.path ?? ''}>${shortPath(pane?.path ?? '')}</span>`
  }

  #tabs(views) {
    if (views.length < 2) return nothing
    return html`
      <nav class="tabs" aria-label="Views">
        ${views.map(({ name, place, current }) => html`<a href=${format(place)} aria-current=${current ? 'page' : nothing}>${name}</a>`)}
      </nav>`
  }

  #tools(window) {
    const isTerminal = this.store.place.view === 'terminal'
    return html`
      <div class="place-tools" role="group" aria-label="Window">
        ${TOOLS.filter(({ name }) => isTerminal && this.#makesSense(actions.get(name))).map(({ name, icon }) => html`
          <button class="button plain icon place-tool" aria-label=${this.#title(name)} title=${this.#hint(name)} @click=${() => this.act(name)}>${icon}</button>`)}
        <button class="button plain icon" aria-label="More actions for ${window.windowName}" aria-haspopup="menu" aria-expanded="false"
          @click=${this.#more}>${icons.more}</button>
      </div>`
  }

  #makesSense(action) { return action && (action.needs?.(this.store) ?? true) }

  #title(name) {
    const { title } = actions.get(name)
    return typeof title === 'function' ? title(this.store) : title
  }

  #hint(name) {
    const { keys } = actions.get(name)
    return keys ? `${this.#title(name)} (${keys})` : this.#title(name)
  }

  #more = ({ currentTarget }) => {
    const items = MORE.map((name) => actions.get(name)).filter((action) => this.#makesSense(action))
      .map(({ name }) => ({ name, title: this.#title(name), danger: name.startsWith('kill-') }))
    this.tell('menu', { opener: currentTarget, items, label: 'Window' })
  }
}

customElements.define('place-bar', PlaceBar)
