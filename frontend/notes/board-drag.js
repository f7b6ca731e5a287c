// Cards dragged by mouse and by touch: SortableJS on lists that lit-html renders. A card that was
// dropped is put back where it came from, and the screen renders it at its new place: two may not
// own the same nodes.
import Sortable, { AutoScroll } from '../lib/sortablejs/sortable.js'

Sortable.mount(new AutoScroll())

const HOLD_MS = 180 // of a finger: shorter is a scroll

export class Drags {
  #lists = new Map() // <ul> → Sortable
  #hear
  #home = null

  /** `hear.start(sheet)`, `hear.end()`, and `hear.drop({key, status, before})` of a card that moved. */
  constructor(hear) { this.#hear = hear }

  /** The lists as they are now: `<ul data-sheet data-status>` with `<li class="task" data-key>`. */
  follow(lists) {
    const now = new Set(lists)
    for (const [list, sortable] of this.#lists) {
      if (now.has(list)) continue
      sortable.destroy()
      this.#lists.delete(list)
    }
    for (const list of now) {
      if (!this.#lists.has(list)) this.#lists.set(list, this.#sortable(list))
    }
  }

  end() { this.follow([]) }

  #sortable(list) {
    return Sortable.create(list, {
      group: list.dataset.sheet,
      draggable: '.task',
      filter: 'button, a, input, textarea',
      preventOnFilter: false,
      // The browser's own dragging has no touch, and looks different everywhere.
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
      onStart: ({ item }) => this.#start(item),
      onEnd: ({ item, to }) => this.#drop(item, to),
    })
  }

  #start(item) {
    this.#home = { list: item.parentNode, next: item.nextSibling }
    this.#hear.start(item.parentNode.dataset.sheet)
  }

  #drop(item, to) {
    const before = nextCard(item)?.dataset.key ?? null
    this.#home.list.insertBefore(item, this.#home.next)
    this.#hear.end()
    this.#hear.drop({ key: item.dataset.key, status: to.dataset.status, before })
  }
}

function nextCard(item) {
  let next = item.nextElementSibling
  while (next && !next.matches('.task')) next = next.nextElementSibling
  return next
}
