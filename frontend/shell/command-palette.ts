// The command palette (Ctrl/⌘+K): finds actions, windows, agents, projects and views by a few letters.
// A combobox over a list; choosing an item emits its action.
import { icons } from '../core/icons'
import { isMac, nameOf, readable } from '../core/keys'
import { load, save } from '../core/memory'
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  live,
  nothing,
  type PropertyValues,
  repeat,
  state,
  type TemplateResult,
} from '../core/view'
import { actions } from './actions'
import { type Match, pieces, rank } from './fuzzy'
import { addRecent, items, type PaletteItem, recentFirst } from './palette-items'

type Result = PaletteItem & Match

const RESULT_LIMIT = 50
const PAGE_STEP = 8
const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_STEP,
  PageUp: -PAGE_STEP,
}
const ICONS: Record<PaletteItem['kind'], TemplateResult> = {
  Window: icons.pane,
  Agent: icons.agent,
  Action: icons.action,
  Project: icons.board,
  View: icons.board,
}
const recentIds = () => load<string[]>('recent', [])

@customElement('command-palette')
export class CommandPalette extends Live {
  static override parts: readonly Part[] = ['windows', 'savedWindows', 'agents', 'place']

  @state() private isOpen = false
  @state() private text = ''
  @state() private index = 0

  /** Closes it if it is open. */
  open(): void {
    const dialog = this.#dialog
    if (!dialog || dialog.open) return dialog?.close()
    this.text = ''
    this.index = 0
    this.isOpen = true
    dialog.showModal()
  }

  /** `close` is dispatched one task later: the dialog may be open again by then. */
  #closed = (): void => {
    this.isOpen = this.#dialog?.open ?? false
  }

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog')
  }

  override render(): TemplateResult {
    const results = this.isOpen ? this.#results() : []
    const index = Math.min(this.index, results.length - 1)
    return html`
      <dialog class="palette" aria-label="Command palette"
        @close=${this.#closed} @click=${this.#clickOutside} @keydown=${(event: KeyboardEvent) => this.#key(event, results, index)}>
        <div class="palette-field">
          ${icons.search}
          <input type="text" role="combobox" aria-label="Search actions, windows and agents" autofocus
            aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autocomplete="off" spellcheck="false"
            aria-activedescendant=${results.length ? `palette-${index}` : nothing} placeholder="Search actions, windows, agents…"
            .value=${live(this.text)} @input=${this.#onInput}>
          <kbd>Esc</kbd>
        </div>
        <ul id="palette-list" role="listbox" aria-label="Results" ?hidden=${results.length === 0}>
          ${repeat(
            results,
            (item) => item.id,
            (item, number) => this.#row(item, number, number === index),
          )}
        </ul>
        ${results.length ? nothing : html`<p class="palette-none quiet" role="status">No results for “${this.text}”.</p>`}
      </dialog>`
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }

  #results(): Result[] {
    const available = recentFirst(items(this.store, [...actions.values()]), recentIds())
    return rank(this.text, available).slice(0, RESULT_LIMIT)
  }

  #row(item: Result, number: number, selected: boolean): TemplateResult {
    const select = () => {
      this.index = number
    }
    return html`
      <li id="palette-${number}" role="option" aria-selected=${selected} class="palette-row"
        @click=${() => this.#choose(item)} @pointermove=${select}>
        ${ICONS[item.kind]}
        <span class="cut">${pieces(item.title, item.positions).map(({ text, hit }) => (hit ? html`<mark>${text}</mark>` : text))}</span>
        <span class="palette-detail quiet cut">${item.detail}</span>
        ${item.keys ? html`<span class="key-hint">${readable(item.keys, isMac()).map((key) => html`<kbd>${key}</kbd>`)}</span>` : nothing}
        <span class="palette-kind quiet">${item.kind}</span>
      </li>`
  }

  #onInput = ({ currentTarget }: InputEvent & { currentTarget: HTMLInputElement }): void => {
    this.text = currentTarget.value
    this.index = 0
  }

  #key(event: KeyboardEvent, results: readonly Result[], index: number): void {
    const step = STEPS[event.key]
    if (step) this.index = stepIndex(index + step, results.length, Math.abs(step) === 1)
    else if (event.key === 'Enter' && !event.isComposing) this.#choose(results[index])
    else if (nameOf(event) === 'Mod+K') this.#dialog?.close()
    else return
    event.preventDefault()
  }

  #choose(item: Result | undefined): void {
    if (!item) return
    save('recent', addRecent(recentIds(), item.id))
    this.#dialog?.close() // returns the focus before the action may take it
    this.emit('action', item.act)
  }

  #clickOutside = (event: MouseEvent): void => {
    if (event.target === event.currentTarget) this.#dialog?.close()
  }
}

/** Single steps wrap around, page steps stop at the ends. */
function stepIndex(index: number, length: number, wrap: boolean): number {
  if (wrap) return length ? (index + length) % length : 0
  return Math.max(0, Math.min(index, length - 1))
}

declare global {
  interface HTMLElementTagNameMap {
    'command-palette': CommandPalette
  }
}
