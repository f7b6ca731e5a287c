// Keyboard control of a board: arrows, Alt with arrows, and one letter per command.
import type { PlainCommand } from './board-actions'
import type { BoardScreen } from './board-screen'
import { type Arrow, cardOf, moveTarget, neighbour } from './columns'

const ARROWS: readonly Arrow[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']
const COMMANDS: ReadonlyMap<string, PlainCommand['what']> = new Map([
  ['e', 'edit'],
  ['Enter', 'open'],
  ['d', 'remove'],
  ['Delete', 'remove'],
  ['h', 'handoff'],
  ['a', 'start'],
  ['n', 'add'],
  ['/', 'filter'],
])

/** Only while a card has the focus: text fields keep their keys. */
export function boardKey(event: KeyboardEvent, screen: BoardScreen): void {
  const { target } = event
  if (event.ctrlKey || event.metaKey || !(target instanceof HTMLElement) || !target.matches('.task')) return
  if (!run(event, screen, target.dataset['key'] ?? '')) return
  event.preventDefault()
  event.stopPropagation()
}

/** Returns false if the key has no meaning on a board. */
function run({ key: pressed, altKey }: KeyboardEvent, screen: BoardScreen, key: string): boolean {
  const { board } = screen
  const card = cardOf(board, key)
  if (!card) return false
  const arrow = ARROWS.find((name) => name === pressed)
  const command = altKey ? undefined : COMMANDS.get(pressed)
  if (arrow && altKey) {
    const target = moveTarget(board, key, arrow)
    if (target) screen.actions.choose({ what: 'move', card, ...target })
  } else if (arrow) screen.focusCard(neighbour(board, key, arrow))
  else if (command) screen.actions.choose({ what: command, card })
  else return false
  return true
}
