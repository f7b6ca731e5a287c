// The base classes of all elements: Lit without a shadow root. An element takes state by properties and
// emits events; it never touches the network: that is done by socket.ts and api.ts, called from actions.
import { LitElement } from 'lit'
import { property } from 'lit/decorators.js'
import type { Part, Store } from './store'

export { html, nothing, render, svg, type PropertyValues, type TemplateResult } from 'lit'
export { customElement, property, query, state } from 'lit/decorators.js'
export { live } from 'lit/directives/live.js'
export { repeat } from 'lit/directives/repeat.js'

/** The `detail` of an `action` event: the name of the action and its arguments. */
export interface ActionDetail {
  name: string
  [argument: string]: unknown
}

export class View extends LitElement {
  /** Light DOM: the stylesheets of the page apply, and labels and dialogs work across elements. */
  protected override createRenderRoot(): HTMLElement {
    return this
  }

  /** Dispatches an event. `action` events are run by shell/main: see shell/actions. */
  emit(type: string, detail: object = {}): void {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }))
  }

  act(name: string, args: Record<string, unknown> = {}): void {
    this.emit('action', { name, ...args } satisfies ActionDetail)
  }
}

/** An element that shows the store: it renders when one of its `static parts` changes. */
export abstract class Live extends View {
  static parts: readonly Part[] = []

  @property({ attribute: false }) store!: Store
  #followed: Store | null = null

  #onStoreChange = ({ detail }: CustomEvent<ReadonlySet<Part>>) => {
    const { parts } = this.constructor as typeof Live
    if (parts.some((part) => detail.has(part))) this.requestUpdate()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#follow(this.store ?? null)
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#follow(null)
  }

  /** Nothing is shown before the store is set. */
  protected override shouldUpdate(): boolean {
    if (this.isConnected) this.#follow(this.store ?? null)
    return this.store !== undefined
  }

  #follow(store: Store | null): void {
    if (store === this.#followed) return
    this.#followed?.removeEventListener('change', this.#onStoreChange)
    store?.addEventListener('change', this.#onStoreChange)
    this.#followed = store
  }
}
