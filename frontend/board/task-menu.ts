// The menu of a card, next to its button: an alternative to dragging. Emits `choose` with a command.
import { customElement, html, nothing, state, type TemplateResult, View } from '../core/view'
import type { Command } from './board-actions'
import type { Card } from './columns'
import { LABELS, STATUSES } from './tasks'

const MARGIN = 8

@customElement('task-menu')
export class TaskMenu extends View {
  @state() private card: Card | null = null
  #button: Element | null = null

  open(card: Card, button: Element): void {
    this.card = card
    this.#button = button
    this.performUpdate()
    const menu = this.#menu
    if (!menu) return
    menu.showPopover()
    place(menu, button)
    menu.querySelector('button')?.focus()
  }

  get #menu(): HTMLElement | null {
    return this.querySelector<HTMLElement>('[popover]')
  }

  override render(): TemplateResult | typeof nothing {
    const { card } = this
    if (!card) return nothing
    const columns = STATUSES.filter((status) => status !== card.status)
    return html`
      <div popover class="menu" role="menu" aria-label="Task" @keydown=${(event: KeyboardEvent) => this.#key(event)}>
        ${this.#item('Open', { what: 'open', card }, '↵')}
        ${this.#item('Edit', { what: 'edit', card }, 'E')}
        ${this.#item('Hand off to agent…', { what: 'handoff', card }, 'H')}
        ${this.#item('Start agent on this…', { what: 'start', card }, 'A')}
        <hr>
        ${columns.map((status) => this.#item(`Move to ${LABELS[status]}`, { what: 'move', card, status }))}
        <hr>
        ${this.#item('Delete', { what: 'remove', card }, 'D')}
      </div>`
  }

  #item(title: string, command: Command, key = ''): TemplateResult {
    return html`<button role="menuitem" class="button plain" @click=${() => this.#choose(command)}>
      ${title} ${key ? html`<kbd aria-hidden="true">${key}</kbd>` : nothing}</button>`
  }

  #choose(command: Command): void {
    this.#menu?.hidePopover()
    this.emit('choose', command)
  }

  #key(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.key === 'ArrowDown') this.#step(1)
    else if (event.key === 'ArrowUp') this.#step(-1)
    else if (event.key === 'Escape') {
      this.#menu?.hidePopover()
      this.#button?.closest<HTMLElement>('.task')?.focus()
    } else return
    event.preventDefault()
  }

  #step(step: number): void {
    const items = [...this.querySelectorAll('button')]
    const { activeElement } = document
    const current = activeElement instanceof HTMLButtonElement ? items.indexOf(activeElement) : -1
    items.at((current + step) % items.length)?.focus()
  }
}

/** Below its button, or above if there is no room; never outside the window. */
function place(menu: HTMLElement, opener: Element): void {
  const button = opener.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const below = button.bottom + height + MARGIN <= innerHeight
  const left = Math.min(Math.max(MARGIN, button.right - width), innerWidth - width - MARGIN)
  menu.style.left = `${left}px`
  menu.style.top = `${Math.max(MARGIN, below ? button.bottom : button.top - height)}px`
}

declare global {
  interface HTMLElementTagNameMap {
    'task-menu': TaskMenu
  }
}
