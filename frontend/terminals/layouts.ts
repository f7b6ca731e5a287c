// The geometry of tmux panes: parses `#{window_layout}` into rectangles of cells and the borders between
// them. Pure; layouts.test.ts has layouts of a real tmux.
import type { ShownPaneOut, ShownWindowOut } from '../core/generated/socket'

/** x: side by side, y: stacked. */
export type Axis = 'x' | 'y'

/** A rectangle of cells. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

interface Leaf extends Box {
  // %3
  pane: string
}
interface Split extends Box {
  axis: Axis
  cells: LayoutCell[]
}
export type LayoutCell = Leaf | Split

/**
 * A line of cells, and how to move it: to move it by n cells, resize `pane` to `size + sign * n`. `room` is
 * the size of both sides together.
 */
export interface Border extends Box {
  axis: Axis
  pane: string
  size: number
  sign: 1 | -1
  room: number
}

export interface Shape {
  cols: number
  rows: number
  panes: (Box & { id: string })[]
  borders: Border[]
}

type PlacedPane = Pick<ShownPaneOut, 'paneId' | 'active' | keyof Box>
export type LaidOut = Pick<ShownWindowOut, 'layout' | 'zoomed'> & { panes: readonly PlacedPane[] }

const CELL = /^(\d+)x(\d+),(\d+),(\d+)/
// The axis that a bracket divides, and the bracket that ends it.
const BRACKETS = new Map<string | undefined, { axis: Axis; end: string }>([
  ['{', { axis: 'x', end: '}' }],
  ['[', { axis: 'y', end: ']' }],
])
// Real layouts are a few levels deep; a deeper one is hostile input.
const DEPTH_LIMIT = 100

/** `b25d,80x24,0,0{…}` as a tree; null for an invalid layout. */
export function parseLayout(text: string): LayoutCell | null {
  const comma = text.indexOf(',')
  try {
    const [cell, rest] = parseCell(text.slice(comma + 1), 0)
    return comma > 0 && rest === '' ? cell : null
  } catch {
    return null
  }
}

/** The size of a window, its visible panes and its movable borders. */
export function shapeOf({ layout, zoomed, panes }: LaidOut): Shape | null {
  const root = parseLayout(layout)
  if (!root) return null
  const size = { cols: root.width, rows: root.height }
  const whole = { left: 0, top: 0, width: root.width, height: root.height }
  const active = panes.find((pane) => pane.active)
  if (zoomed && active) return { ...size, panes: [{ id: active.paneId, ...whole }], borders: [] }
  const known = new Map(panes.map((pane) => [pane.paneId, pane]))
  const shown = leaves(root).flatMap((cell) => {
    const pane = known.get(cell.pane)
    return pane ? [{ id: cell.pane, ...inside(cell, pane) }] : []
  })
  return { ...size, borders: bordersOf(root), panes: shown }
}

/** The borders that tmux can move. */
export function bordersOf(cell: LayoutCell): Border[] {
  if (!('cells' in cell)) return []
  const own = cell.cells.slice(1).flatMap((after, index) => {
    const before = cell.cells[index]
    const border = before && between(cell, before, after, index + 2 === cell.cells.length)
    return border?.pane ? [border] : []
  })
  return [...own, ...cell.cells.flatMap(bordersOf)]
}

/** The size of the pane after its border moved by `cells`; both sides keep at least one cell. */
export function sizeAfter(
  { size, sign, room }: Pick<Border, 'size' | 'sign' | 'room'>,
  cells: number,
): number {
  return Math.min(room - 1, Math.max(1, size + sign * cells))
}

function parseCell(text: string, depth: number): [LayoutCell, string] {
  const match = CELL.exec(text)
  if (!match || depth > DEPTH_LIMIT) throw new Error('Invalid layout.')
  const [all, width, height, left, top] = match
  const box = { left: Number(left), top: Number(top), width: Number(width), height: Number(height) }
  const rest = text.slice(all.length)
  if (rest[0] !== ',') return parseCells(box, rest, depth)
  const pane = /^,(\d+)/.exec(rest)
  if (!pane) throw new Error('Invalid layout.')
  return [{ ...box, pane: `%${pane[1]}` }, rest.slice(pane[0].length)]
}

function parseCells(box: Box, text: string, depth: number): [Split, string] {
  const bracket = BRACKETS.get(text[0])
  if (!bracket) throw new Error('Invalid layout.')
  const cells: LayoutCell[] = []
  let rest = text
  do {
    const [cell, after] = parseCell(rest.slice(1), depth + 1)
    cells.push(cell)
    rest = after
  } while (rest[0] === ',')
  if (rest[0] !== bracket.end) throw new Error('Invalid layout.')
  return [{ ...box, axis: bracket.axis, cells }, rest.slice(1)]
}

function leaves(cell: LayoutCell): Leaf[] {
  return 'cells' in cell ? cell.cells.flatMap(leaves) : [cell]
}

/** tmux may use a row of a cell for the pane title (pane-border-status), so the pane size counts. */
function inside(cell: Box, pane: Box): Box {
  const fits =
    pane.left >= cell.left &&
    pane.top >= cell.top &&
    pane.left + pane.width <= cell.left + cell.width &&
    pane.top + pane.height <= cell.top + cell.height
  const { left, top, width, height } = fits ? pane : cell
  return { left, top, width, height }
}

/** The border between two neighbours; its pane is empty if tmux cannot move it. */
function between(parent: Split, before: LayoutCell, after: LayoutCell, isLast: boolean): Border {
  const { axis } = parent
  const length = axis === 'x' ? 'width' : 'height'
  const line =
    axis === 'x'
      ? { left: before.left + before.width, top: parent.top, width: 1, height: parent.height }
      : { left: parent.left, top: before.top + before.height, width: parent.width, height: 1 }
  // tmux moves the far border of the nearest cell on that axis; only for the last cell the near one.
  const first = paneOf(before, axis)
  const second = !first && isLast ? paneOf(after, axis) : ''
  const side = first ? before : after
  return {
    axis,
    ...line,
    pane: first || second,
    size: side[length],
    sign: first ? 1 : -1,
    room: before[length] + after[length],
  }
}

/** A pane whose resize changes exactly this cell: with no other split on that axis in between. */
function paneOf(cell: LayoutCell, axis: Axis): string {
  if ('pane' in cell) return cell.pane
  if (cell.axis === axis) return ''
  return cell.cells.map((inner) => paneOf(inner, axis)).find(Boolean) ?? ''
}
