// A menu beside the button that opened it: rows of the rail, the head's "More". One for the page.
// Items are {title, name, given?, danger?}; what is chosen is told as an action.
import { View, html, nothing, repeat, states } from './view.js'

const GAP = 4 // pixels between the menu and its button

class ActionMenu extends View {
  #opener = null
  #back = null // what had the focus: the button, or the row whose key opened the menu

  openAt(opener, items, label) {
    this.#close()
    this.#opener = opener
    this.#back = document.activeElement === document.body ? opener : document.activeElement
    opener.setAttribute('aria-expanded', 'true')
    this.items = items
    this.label = label
    this.paint()
    this.#menu.showPopover()
    this.#place(opener.getBoundingClientRect())
    this.querySelector('button')?.focus()
  }

  view() {
    return html`
      <div class="menu" role="menu" popover aria-label=${this.label} @beforetoggle=${this.#toggled} @keydown=${this.#key}>
        ${repeat(this.items, ({ title }) => title, (item, at) => html`
          ${item.danger && at && !this.items[at - 1].danger ? html`<hr>` : nothing}
          <button role="menuitem" tabindex="-1" class=${item.danger ? 'danger' : ''} @click=${() => this.#choose(item)}>${item.title}</button>`)}
      </div>`
  }

  get #menu() { return this.querySelector('.menu') }

  #place({ left, bottom, top }) {
    const { offsetWidth: width, offsetHeight: height } = this.#menu
    const below = bottom + GAP + height <= innerHeight
    this.#menu.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`
    this.#menu.style.top = `${Math.max(GAP, below ? bottom + GAP : top - GAP - height)}px`
  }

  #choose(item) {
    this.#close()
    this.#back.focus() // what the action opens gives the focus back there
    this.act(item.name, item.given)
  }

  #close() { if (this.#menu?.matches(':popover-open')) this.#menu.hidePopover() }

  #toggled = ({ newState }) => {
    if (newState === 'open') return
    this.#opener?.setAttribute('aria-expanded', 'false')
    this.#opener = null
  }

  #key = (event) => {
    const buttons = [...this.querySelectorAll('[role=menuitem]')]
    const at = buttons.indexOf(document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to !== undefined) buttons.at(to % buttons.length).focus()
    else if (event.key === 'Escape' || event.key === 'Tab') {
      this.#close()
      this.#back.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
}

states(ActionMenu, { items: [], label: '' })
customElements.define('action-menu', ActionMenu)
