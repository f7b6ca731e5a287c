// Drags cards by mouse and touch: SortableJS on lists that Lit renders. A dropped card is first put back
// where it came from, then the screen renders it at its new place: Lit and SortableJS must not both move
// the same nodes.
import Sortable, { AutoScroll } from 'sortablejs/modular/sortable.core.esm.js'
import { STATUSES, type Status } from './tasks'

Sortable.mount(new AutoScroll())

// For touch: a shorter press scrolls.
const HOLD_MS = 180

/** `before` is the key of the card that follows it, null for the end of the column. */
export interface DroppedCard {
  key: string
  status: Status
  before: string | null
}

export interface DragHandlers {
  start(sheet: string): void
  end(): void
  drop(card: DroppedCard): void
}

export class Drags {
  #lists = new Map<HTMLElement, Sortable>()
  #handlers: DragHandlers
  #origin: { list: ParentNode & Node; next: ChildNode | null } | null = null

  constructor(handlers: DragHandlers) {
    this.#handlers = handlers
  }

  /** Makes these lists sortable: `<ul data-sheet data-status>` with `<li class="task" data-key>`. */
  follow(lists: Iterable<HTMLElement>): void {
    const current = new Set(lists)
    for (const [list, sortable] of this.#lists) {
      if (current.has(list)) continue
      sortable.destroy()
      this.#lists.delete(list)
    }
    for (const list of current) {
      if (!this.#lists.has(list)) this.#lists.set(list, this.#sortable(list))
    }
  }

  end(): void {
    this.follow([])
  }

  #sortable(list: HTMLElement): Sortable {
    return Sortable.create(list, {
      group: list.dataset['sheet'] ?? '',
      draggable: '.task',
      filter: 'button, a, input, textarea',
      preventOnFilter: false,
      // Native drag and drop does not support touch and differs between browsers.
      forceFallback: true,
      fallbackOnBody: true,
      fallbackTolerance: 4,
      delay: HOLD_MS,
      delayOnTouchOnly: true,
      touchStartThreshold: 8,
      emptyInsertThreshold: 24,
      animation: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 140,
      ghostClass: 'task-place',
      fallbackClass: 'task-held',
      scroll: true,
      bubbleScroll: true,
      onStart: ({ item }) => this.#start(item, list),
      onEnd: ({ item, to }) => this.#drop(item, to),
    })
  }

  #start(item: HTMLElement, list: HTMLElement): void {
    this.#origin = { list: item.parentNode ?? list, next: item.nextSibling }
    this.#handlers.start(list.dataset['sheet'] ?? '')
  }

  #drop(item: HTMLElement, to: HTMLElement): void {
    const before = nextCard(item)?.dataset['key'] ?? null
    this.#origin?.list.insertBefore(item, this.#origin.next)
    this.#origin = null
    this.#handlers.end()
    const key = item.dataset['key']
    const status = STATUSES.find((name) => name === to.dataset['status'])
    if (key && status) this.#handlers.drop({ key, status, before })
  }
}

function nextCard(item: Element): HTMLElement | null {
  const next = item.nextElementSibling
  if (!next) return null
  return next instanceof HTMLElement && next.matches('.task') ? next : nextCard(next)
}
