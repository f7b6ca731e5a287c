// A board of one or more sheets: its columns, and where arrow keys lead. Pure.
import { LABELS, STATUSES, type Status, type Task } from './tasks'

export interface ColumnSheet {
  id: string
  title: string
  tasks: readonly Task[]
}

/** A task with the id of its sheet. */
export interface Card extends Task {
  sheet: string
}

/** The cards of one sheet in a column. */
export interface Group<Sheet extends ColumnSheet = ColumnSheet> {
  sheet: Sheet
  total: number
  cards: Card[]
}

export interface Column<Sheet extends ColumnSheet = ColumnSheet> {
  status: Status
  label: string
  groups: Group<Sheet>[]
  cards: Card[]
  total: number
}

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End'
export interface MoveTarget {
  status: Status
  before: string | null
}
type Board = readonly Column[]

/** The text or the title must contain every word of `query`. */
export function columns<Sheet extends ColumnSheet>(sheets: readonly Sheet[], query = ''): Column<Sheet>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return STATUSES.map((status) => {
    const groups = sheets.map((sheet) => groupOf(sheet, status, words))
    return {
      status,
      label: LABELS[status],
      groups,
      cards: groups.flatMap((group) => group.cards),
      total: groups.reduce((sum, group) => sum + group.total, 0),
    }
  })
}

/** The key of the card that an arrow leads to; left and right skip empty columns. */
export function neighbour(board: Board, key: string, arrow: Arrow): string {
  const { across, down, column } = positionOf(board, key)
  if (!column) return board.flatMap(({ cards }) => cards)[0]?.key ?? ''
  if (arrow === 'Home') return column.cards[0]?.key ?? key
  if (arrow === 'End') return column.cards.at(-1)?.key ?? key
  if (arrow === 'ArrowUp') return column.cards[down - 1]?.key ?? key
  if (arrow === 'ArrowDown') return column.cards[down + 1]?.key ?? key
  const others = arrow === 'ArrowLeft' ? board.slice(0, across).reverse() : board.slice(across + 1)
  const next = others.find(({ cards }) => cards.length > 0)
  return next?.cards[Math.min(down, next.cards.length - 1)]?.key ?? key
}

/** The card that gets the focus when this one is removed: the one below, else above, else nearby. */
export function focusAfter(board: Board, key: string): string {
  const arrows: Arrow[] = ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight']
  return arrows.map((arrow) => neighbour(board, key, arrow)).find((other) => other !== key) ?? ''
}

/** Where Alt with an arrow moves a card, or null at an edge. */
export function moveTarget(board: Board, key: string, arrow: Arrow): MoveTarget | null {
  const { across, down: place, column } = positionOf(board, key)
  const sheet = column?.cards[place]?.sheet
  if (!column || sheet === undefined) return null
  const { status } = column
  const cards = cardsOf(column, sheet)
  const down = cards.findIndex((card) => card.key === key)
  if (arrow === 'ArrowUp') {
    const previous = cards[down - 1]
    return previous ? { status, before: previous.key } : null
  }
  if (arrow === 'ArrowDown') {
    return down < cards.length - 1 ? { status, before: cards[down + 2]?.key ?? null } : null
  }
  const next = board[across + (arrow === 'ArrowLeft' ? -1 : 1)]
  return next ? { status: next.status, before: cardsOf(next, sheet)[down]?.key ?? null } : null
}

export function cardOf(board: Board, key: string): Card | null {
  return board.flatMap((column) => column.cards).find((card) => card.key === key) ?? null
}

function groupOf<Sheet extends ColumnSheet>(sheet: Sheet, status: Status, words: string[]): Group<Sheet> {
  const all = sheet.tasks.filter((task) => task.status === status)
  const shown = all.filter((task) => matches(`${task.text} ${sheet.title}`, words))
  return { sheet, total: all.length, cards: shown.map((task) => ({ ...task, sheet: sheet.id })) }
}

/** The cards of a column from one sheet: a card moves only among those of its own. */
function cardsOf(column: Column, sheet: string): Card[] {
  return column.cards.filter((card) => card.sheet === sheet)
}

function positionOf(board: Board, key: string): { across: number; down: number; column: Column | undefined } {
  const across = board.findIndex((column) => column.cards.some((card) => card.key === key))
  const column = board[across]
  return { across, down: column?.cards.findIndex((card) => card.key === key) ?? -1, column }
}

function matches(text: string, words: readonly string[]): boolean {
  const lowercase = text.toLowerCase()
  return words.every((word) => lowercase.includes(word))
}
