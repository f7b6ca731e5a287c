// What can be done with one card, in a popover beside its button: the way for those who do not drag.
import { View, html, nothing } from '../page/view.js'
import { LABELS, STATUSES } from './tasks.js'

const MARGIN = 8

class TaskMenu extends View {
  #card = null
  #button = null

  open(card, button) {
    this.#card = card
    this.#button = button
    this.paint()
    const menu = this.querySelector('[popover]')
    menu.showPopover()
    this.#place(menu)
    menu.querySelector('button').focus()
  }

  view() {
    if (!this.#card) return nothing
    const columns = STATUSES.filter((status) => status !== this.#card.status)
    return html`
      <div popover class="menu" role="menu" aria-label="Task" @keydown=${(event) => this.#key(event)}>
        ${this.#item('Edit', 'edit', {}, 'E')}
        ${this.#item('Hand to agent…', 'hand', {}, 'H')}
        <hr>
        ${columns.map((status) => this.#item(`Move to ${LABELS[status]}`, 'move', { status }))}
        <hr>
        ${this.#item('Delete', 'remove', {}, 'D')}
      </div>`
  }

  #item(title, what, given, key = '') {
    return html`<button role="menuitem" class="button plain" @click=${() => this.#choose(what, given)}>
      ${title} ${key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing}</button>`
  }

  #choose(what, given) {
    this.querySelector('[popover]').hidePopover()
    this.tell('choose', { what, card: this.#card, ...given })
  }

  #key(event) {
    event.stopPropagation()
    const items = [...this.querySelectorAll('button')]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) items.at((items.indexOf(document.activeElement) + step) % items.length).focus()
    else if (event.key === 'Escape') {
      this.querySelector('[popover]').hidePopover()
      this.#button.closest('.task')?.focus()
    } else return
    event.preventDefault()
  }

  /** Below its button, or above where there is no room; never over the edge. */
  #place(menu) {
    const button = this.#button.getBoundingClientRect()
    const { width, height } = menu.getBoundingClientRect()
    const below = button.bottom + height + MARGIN <= innerHeight
    const left = Math.min(Math.max(MARGIN, button.right - width), innerWidth - width - MARGIN)
    menu.style.left = `${left}px`
    menu.style.top = `${Math.max(MARGIN, below ? button.bottom : button.top - height)}px`
  }
}

customElements.define('task-menu', TaskMenu)
