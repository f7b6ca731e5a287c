// Clicks and keys on the rows of the sidebar: moving between rows, selecting several windows, moving a
// window. Further actions are in the menu of a row.
import { clicked, extended, NO_SELECTION, type Selection, toggled } from '../core/selection'
import type { Store } from '../core/store'
import type { ProjectRow, WindowRow } from '../core/workspace'

/** What the sidebar offers here. */
interface InputHost extends HTMLElement {
  store: Store
  windowOf(target: EventTarget | null): WindowRow | undefined
  findRow(id: string): { window: WindowRow | undefined; session: ProjectRow | undefined }
  act(name: string, args?: Record<string, unknown>): void
}

export class RailInput {
  #host: InputHost

  constructor(host: InputHost) {
    this.#host = host
  }

  #select(selection: Selection): void {
    this.#host.act('set-selection', { selection })
  }

  /** Ids of the shown windows, from top to bottom. */
  get #order(): string[] {
    const rows = [...this.#host.querySelectorAll<HTMLElement>('.rail-line.window a.row')]
    return rows.map(({ dataset }) => dataset['row'] ?? '')
  }

  click = (event: MouseEvent): void => {
    const isRow = event.target instanceof Element && event.target.closest('.rail-line.window a.row')
    const window = isRow ? this.#host.windowOf(event.target) : undefined
    const selection = window && clicked(this.#host.store.selection, window.windowId, event, this.#order)
    if (!selection) return
    event.preventDefault()
    this.#select(selection)
  }

  /** Handles the keys of a row; further actions are in its menu. */
  key = (event: KeyboardEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('a.row') : null
    if (!row || event.ctrlKey || event.metaKey) return
    if (!(event.altKey ? this.#moveKey(event, row) : this.#plainKey(event, row))) return
    event.preventDefault()
    event.stopPropagation()
  }

  #plainKey(event: KeyboardEvent, row: HTMLElement): boolean {
    const rows = [...this.#host.querySelectorAll<HTMLElement>('a.row')]
    const index = rows.indexOf(row)
    const last = rows.length - 1
    const steps: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: last }
    const to = steps[event.key]
    if (to === undefined) return this.#selectionKey(event, row) || this.#rowKey(event, row)
    const next = rows[Math.max(0, Math.min(to, last))]
    next?.focus()
    if (event.shiftKey && next) this.#extendTo(row, next)
    return true
  }

  /** Alt and an arrow move the window in its session. */
  #moveKey({ key }: KeyboardEvent, row: HTMLElement): boolean {
    const window = this.#host.windowOf(row)
    if (!window || (key !== 'ArrowUp' && key !== 'ArrowDown')) return false
    this.#host.act(key === 'ArrowUp' ? 'move-window-up' : 'move-window-down', { window })
    return true
  }

  /** Space selects, Escape ends it, Delete closes all that are selected. */
  #selectionKey({ key }: KeyboardEvent, row: HTMLElement): boolean {
    const { selection } = this.#host.store
    const window = this.#host.windowOf(row)
    if (key === ' ' && window) this.#select(toggled(selection, window.windowId))
    else if (key === 'Escape' && selection !== NO_SELECTION) this.#select(NO_SELECTION)
    else if (key === 'Delete' && selection.ids.size) this.#host.act('kill-selected')
    else return false
    return true
  }

  #extendTo(from: HTMLElement, to: HTMLElement): void {
    const start = this.#host.windowOf(from)?.windowId
    const end = this.#host.windowOf(to)?.windowId
    if (!end) return
    const { selection } = this.#host.store
    const anchored = start && !selection.ids.size ? toggled(selection, start) : selection
    this.#select(extended(anchored, end, this.#order))
  }

  #rowKey({ key, shiftKey }: KeyboardEvent, row: HTMLElement): boolean {
    const { window, session } = this.#host.findRow(row.dataset['row'] ?? '')
    const target = window ? { window } : { session }
    const line = row.parentElement
    const fold = line?.querySelector<HTMLElement>('.rail-fold')
    if (key === 'ContextMenu' || (shiftKey && key === 'F10'))
      line?.querySelector<HTMLElement>('.more')?.click()
    else if (key === 'ArrowLeft' && fold?.ariaExpanded === 'true') fold.click()
    else if (key === 'ArrowRight' && fold?.ariaExpanded === 'false') fold.click()
    else if (key === 'F2') this.#host.act(window ? 'rename-window' : 'rename-project', target)
    else if (key === 'Delete') this.#host.act(window ? 'kill-window' : 'kill-session', target)
    else return false
    return true
  }
}
