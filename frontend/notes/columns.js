// A board of one sheet or many: its columns, and where arrows lead on it. Pure.
import { LABELS, STATUSES } from './tasks.js'

/**
 * Columns with groups (one for each sheet) with cards. A card is a task with `sheet`, the id of its
 * sheet. `sheets`: [{id, title, tasks, ...}]; `words` must all be in the text or the title.
 */
export function columns(sheets, words = '') {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return STATUSES.map((status) => {
    const groups = sheets.map((sheet) => {
      const all = sheet.tasks.filter((task) => task.status === status)
      const cards = all.filter((task) => fits(`${task.text} ${sheet.title}`, wanted))
      return { sheet, total: all.length, cards: cards.map((task) => ({ ...task, sheet: sheet.id })) }
    })
    return {
      status, label: LABELS[status], groups,
      cards: groups.flatMap((group) => group.cards),
      total: groups.reduce((sum, group) => sum + group.total, 0),
    }
  })
}

/** The key of the card that an arrow leads to from `key`; sideways over empty columns. */
export function neighbour(board, key, arrow) {
  const [across, down] = placeOf(board, key)
  if (across < 0) return board.flatMap((column) => column.cards)[0]?.key ?? ''
  if (arrow === 'Home') return board[across].cards[0].key
  if (arrow === 'End') return board[across].cards.at(-1).key
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown') {
    return board[across].cards[down + (arrow === 'ArrowUp' ? -1 : 1)]?.key ?? key
  }
  const step = arrow === 'ArrowLeft' ? -1 : 1
  for (let at = across + step; board[at]; at += step) {
    const { cards } = board[at]
    if (cards.length) return cards[Math.min(down, cards.length - 1)].key
  }
  return key
}

/** Who gets the focus when this card goes: the one below, else above, else nearby. */
export function heir(board, key) {
  return ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight'].map((arrow) => neighbour(board, key, arrow))
    .find((other) => other !== key) ?? ''
}

/** What Alt and an arrow do to a card: {status, before}, or null at an edge. */
export function carried(board, key, arrow) {
  const [across] = placeOf(board, key)
  if (across < 0) return null
  const cards = kin(board[across], key, board)
  const down = cards.findIndex((card) => card.key === key)
  if (arrow === 'ArrowUp') return down > 0 ? { status: board[across].status, before: cards[down - 1].key } : null
  if (arrow === 'ArrowDown') {
    return down < cards.length - 1 ? { status: board[across].status, before: cards[down + 2]?.key ?? null } : null
  }
  const column = board[across + (arrow === 'ArrowLeft' ? -1 : 1)]
  return column ? { status: column.status, before: kin(column, key, board)[down]?.key ?? null } : null
}

export function cardOf(board, key) {
  return board.flatMap((column) => column.cards).find((card) => card.key === key) ?? null
}

/** The cards of a column that are of the same sheet as this one: only among them has it a place. */
function kin(column, key, board) {
  const { sheet } = cardOf(board, key)
  return column.cards.filter((card) => card.sheet === sheet)
}

function placeOf(board, key) {
  const across = board.findIndex((column) => column.cards.some((card) => card.key === key))
  return [across, across < 0 ? -1 : board[across].cards.findIndex((card) => card.key === key)]
}

function fits(text, words) {
  const low = text.toLowerCase()
  return words.every((word) => low.includes(word))
}
