// Drags windows within their session in the sidebar. The drop emits the action `move-window`.
import type { Store } from '../core/store'
import type { WindowRow } from '../core/workspace'
import { dropMove, type Move } from './window-order'

/** Where the dragged window would go: the id of the other window, and the side. */
export interface DropMark {
  id: string
  side: Move['side']
}

/** What the sidebar offers to the drag. */
interface DragHost {
  store: Store
  windowOf(target: EventTarget | null): WindowRow | undefined
  showDrop(mark: DropMark | null): void
  act(name: string, args: Record<string, unknown>): void
}

export class RailDrag {
  #host: DragHost
  #dragged: WindowRow | null = null

  constructor(host: DragHost) {
    this.#host = host
  }

  start = (event: DragEvent): void => {
    this.#dragged = this.#host.windowOf(event.target) ?? null
    if (this.#dragged && event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
  }

  over = (event: DragEvent): void => {
    const move = this.#moveAt(event)
    this.#host.showDrop(move && { id: move.other.windowId, side: move.side })
    // Only then may it be dropped here.
    if (move) event.preventDefault()
  }

  drop = (event: DragEvent): void => {
    const move = this.#moveAt(event)
    if (this.#dragged && move) {
      event.preventDefault()
      this.#host.act('move-window', { window: this.#dragged, move })
    }
    this.end()
  }

  end = (): void => {
    this.#dragged = null
    this.#host.showDrop(null)
  }

  #moveAt({ target, clientY }: DragEvent): Move | null {
    const other = this.#host.windowOf(target)
    const line = target instanceof Element ? target.closest('.rail-line.window') : null
    if (!this.#dragged || !other || !line) return null
    const { top, height } = line.getBoundingClientRect()
    const side = clientY < top + height / 2 ? 'before' : 'after'
    return dropMove(this.#host.store, this.#dragged, other, side)
  }
}
