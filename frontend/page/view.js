// What every element of the page is made of: lit-html for templates, and a base that renders once
// for any number of changes. An element takes state by properties and tells events; it never
// touches the network: that is socket.js and api.js, called by actions.
import { html, nothing, render, svg } from '../lib/lit-html/lit-html.js'

export { html, nothing, render, svg }
export { live } from '../lib/lit-html/directives/live.js'
export { repeat } from '../lib/lit-html/directives/repeat.js'

export class View extends HTMLElement {
  #asked = false

  connectedCallback() { this.update() }

  /** Renders soon; many calls, one rendering. */
  update() {
    if (this.#asked) return
    this.#asked = true
    queueMicrotask(() => {
      this.#asked = false
      if (this.isConnected) this.paint()
    })
  }

  paint() { render(this.view(), this) }

  /** The template of the element's state now. */
  view() { return nothing }

  /** An event out. `action` is the one that main.js carries out: see actions.js. */
  tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }))
  }

  act(name, given = {}) { this.tell('action', { name, ...given }) }
}

/** An element that shows the store: it renders when one of its `static parts` has changed. */
export class Live extends View {
  static parts = []
  #store = null
  #hear = ({ detail }) => { if (this.constructor.parts.some((part) => detail.has(part))) this.update() }

  constructor() {
    super()
    // Given before the class was loaded, it stands on the element and would hide ours.
    if (!Object.hasOwn(this, 'store')) return
    const { store } = this
    delete this.store
    this.store = store
  }

  get store() { return this.#store }
  set store(store) {
    this.#store?.removeEventListener('change', this.#hear)
    this.#store = store
    if (this.isConnected) this.connectedCallback()
  }

  connectedCallback() {
    this.#store?.addEventListener('change', this.#hear)
    super.connectedCallback()
  }

  disconnectedCallback() { this.#store?.removeEventListener('change', this.#hear) }

  paint() { if (this.#store) super.paint() }
}

/** Defines properties on the class that render when they are set. */
export function states(element, defaults) {
  for (const [name, initial] of Object.entries(defaults)) {
    const kept = Symbol(name)
    Object.defineProperty(element.prototype, name, {
      get() { return kept in this ? this[kept] : initial },
      set(value) {
        if (this[kept] === value) return
        this[kept] = value
        this.update()
      },
    })
  }
}
