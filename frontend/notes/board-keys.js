// The keys of a board: arrows, Alt and arrows, and one letter for each deed.
import { cardOf, carried, neighbour } from './columns.js'

const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']
const DEEDS = { e: 'edit', Enter: 'edit', d: 'remove', Delete: 'remove', h: 'hand', n: 'add', '/': 'filter' }

/** On a card only: a field has its own keys. */
export function boardKey(event, screen) {
  const { key: pressed, ctrlKey, metaKey, altKey, target } = event
  if (ctrlKey || metaKey || !target.matches('.task')) return
  const board = screen.board
  const card = cardOf(board, target.dataset.key)
  if (!card) return
  if (ARROWS.includes(pressed)) {
    if (altKey) carry(screen, board, card, pressed)
    else screen.focusCard(neighbour(board, card.key, pressed))
  } else if (!altKey && DEEDS[pressed]) screen.hands.choose({ what: DEEDS[pressed], card })
  else return
  event.preventDefault()
  event.stopPropagation()
}

function carry(screen, board, card, arrow) {
  const place = carried(board, card.key, arrow)
  if (place) screen.hands.choose({ what: 'move', card, ...place })
}
