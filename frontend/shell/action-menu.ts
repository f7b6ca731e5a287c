// A popup menu next to the button that opened it: rows of the sidebar and "More actions" in the header.
// The page has one. Choosing an item emits the action `name`. An element opens it with a `menu` event.
import type { MenuItem } from '../core/services'
import { customElement, html, nothing, repeat, state, type TemplateResult, View } from '../core/view'

/** The `detail` of a `menu` event. */
export interface MenuDetail {
  opener: HTMLElement
  items: MenuItem[]
  label: string
}

// Pixels between the menu and its button.
const GAP = 4

@customElement('action-menu')
export class ActionMenu extends View {
  @state() private items: readonly MenuItem[] = []
  @state() private label = ''
  #opener: HTMLElement | null = null
  // Gets the focus when the menu closes: the button, or the row whose key opened the menu.
  #returnFocus: HTMLElement | null = null

  openAt(opener: HTMLElement, items: readonly MenuItem[], label: string): void {
    this.#close()
    const focused = document.activeElement
    this.#opener = opener
    this.#returnFocus = focused instanceof HTMLElement && focused !== document.body ? focused : opener
    opener.setAttribute('aria-expanded', 'true')
    this.items = items
    this.label = label
    this.performUpdate() // its size is needed
    this.#menu?.showPopover()
    this.#place(opener.getBoundingClientRect())
    this.querySelector('button')?.focus()
  }

  override render(): TemplateResult {
    return html`
      <div class="menu" role="menu" popover aria-label=${this.label} @beforetoggle=${this.#toggled} @keydown=${this.#key}>
        ${repeat(
          this.items,
          ({ title }) => title,
          (item, index) => html`
          ${item.danger && index && !this.items[index - 1]?.danger ? html`<hr>` : nothing}
          <button role="menuitem" tabindex="-1" class=${item.danger ? 'danger' : ''} @click=${() => this.#choose(item)}>${item.title}</button>`,
        )}
      </div>`
  }

  get #menu(): HTMLElement | null {
    return this.querySelector('.menu')
  }

  #place({ left, bottom, top }: DOMRect): void {
    const menu = this.#menu
    if (!menu) return
    const { offsetWidth: width, offsetHeight: height } = menu
    const below = bottom + GAP + height <= innerHeight
    menu.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`
    menu.style.top = `${Math.max(GAP, below ? bottom + GAP : top - GAP - height)}px`
  }

  #choose(item: MenuItem): void {
    this.#close()
    // A dialog that the action opens returns the focus there.
    this.#returnFocus?.focus()
    this.act(item.name, item.args)
  }

  #close(): void {
    if (this.#menu?.matches(':popover-open')) this.#menu.hidePopover()
  }

  #toggled = ({ newState }: ToggleEvent): void => {
    if (newState === 'open') return
    this.#opener?.setAttribute('aria-expanded', 'false')
    this.#opener = null
  }

  #key = (event: KeyboardEvent): void => {
    const buttons = [...this.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const index = buttons.findIndex((button) => button.matches(':focus'))
    const steps: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }
    const to = steps[event.key]
    if (to !== undefined) buttons.at(to % buttons.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') {
      this.#close()
      this.#returnFocus?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'action-menu': ActionMenu
  }
  interface DocumentEventMap {
    menu: CustomEvent<MenuDetail>
  }
}
