// Drags cards by mouse and touch: SortableJS on lists that Lit renders. A dropped card is first put back
// where it came from, then the screen renders it at its new place: Lit and SortableJS must not both move
// the same nodes. SortableJS only knows the lists; `#follow` makes the rest of each column a target too.
import Sortable, { AutoScroll } from 'sortablejs/modular/sortable.core.esm.js'
import { STATUSES, type Status } from './tasks'

Sortable.mount(new AutoScroll())

// For touch: a shorter press scrolls.
const HOLD_MS = 180
// The click that follows a drop on the same card comes within this time.
const CLICK_MS = 100

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
  #origin: { item: HTMLElement; sheet: string; list: ParentNode & Node; next: ChildNode | null } | null = null
  #droppedAt = Number.NEGATIVE_INFINITY

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
    this.#unfollowPointer()
  }

  /** A card was dropped just now: the click that comes with it is no click on a card. */
  get justDropped(): boolean {
    return performance.now() - this.#droppedAt < CLICK_MS
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
      // Off: `#follow` finds the column, and both would fight at its borders.
      emptyInsertThreshold: 0,
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
    const sheet = list.dataset['sheet'] ?? ''
    this.#origin = { item, sheet, list: item.parentNode ?? list, next: item.nextSibling }
    document.addEventListener('pointermove', this.#onPointerMove)
    document.addEventListener('touchmove', this.#onTouchMove, { passive: true })
    this.#handlers.start(sheet)
  }

  #onPointerMove = ({ clientX, clientY }: PointerEvent) => this.#moved(clientX, clientY)
  #onTouchMove = ({ touches: [touch] }: TouchEvent) => touch && this.#moved(touch.clientX, touch.clientY)

  #unfollowPointer(): void {
    document.removeEventListener('pointermove', this.#onPointerMove)
    document.removeEventListener('touchmove', this.#onTouchMove)
    highlight(null)
  }

  /** Outside of the list of its sheet, the card goes to the end of the column, or above the list to its start. */
  #moved(x: number, y: number): void {
    const column = columnAt(x, y)
    highlight(column)
    if (!column || !this.#origin) return
    const { item, sheet } = this.#origin
    const list = column.querySelector<HTMLElement>(`.tasks[data-sheet="${CSS.escape(sheet)}"]`)
    if (!list) return
    const side = sideOf(list.getBoundingClientRect(), y)
    if (side === 'above' && list.firstElementChild !== item) list.prepend(item)
    else if (side === 'below' && list.lastElementChild !== item) list.append(item)
  }

  #drop(item: HTMLElement, to: HTMLElement): void {
    const before = nextCard(item)?.dataset['key'] ?? null
    this.#origin?.list.insertBefore(item, this.#origin.next)
    this.#origin = null
    this.#droppedAt = performance.now()
    this.#unfollowPointer()
    this.#handlers.end()
    const key = item.dataset['key']
    const status = STATUSES.find((name) => name === to.dataset['status'])
    if (key && status) this.#handlers.drop({ key, status, before })
  }
}

/** The column below the pointer. Not `elementFromPoint`: the dragged copy of the card is there. */
function columnAt(x: number, y: number): HTMLElement | null {
  const hit = document.elementsFromPoint(x, y).find((element) => element.closest('.column'))
  return hit?.closest<HTMLElement>('.column') ?? null
}

function highlight(column: HTMLElement | null): void {
  for (const other of document.querySelectorAll('.column.drop')) {
    if (other !== column) other.classList.remove('drop')
  }
  column?.classList.add('drop')
}

function sideOf({ top, bottom }: DOMRect, y: number): 'above' | 'inside' | 'below' {
  if (y < top) return 'above'
  return y > bottom ? 'below' : 'inside'
}

function nextCard(item: Element): HTMLElement | null {
  const next = item.nextElementSibling
  if (!next) return null
  return next instanceof HTMLElement && next.matches('.task') ? next : nextCard(next)
}
