// Where tmux's panes are: `#{window_layout}` as rectangles of cells, and the borders between them.
// Pure; tests/js/layouts.test.mjs has layouts of a real tmux.

const CELL = /^(\d+)x(\d+),(\d+),(\d+)/
const ACROSS = { '{': 'x', '[': 'y' } // what a bracket divides
const CLOSING = { '{': '}', '[': ']' }
// A layout is some dozens of panes; one of a hostile name is no layout at all.
const DEEPEST = 100

/**
 * `b25d,80x24,0,0{…}` as a tree: `{left, top, width, height}` with either `pane` (%3) or `axis`
 * (x: side by side, y: one above the other) and `cells`. Null for what is no layout.
 */
export function parseLayout(text) {
  const comma = text.indexOf(',')
  try {
    const [cell, rest] = parseCell(text.slice(comma + 1), 0)
    return comma > 0 && rest === '' ? cell : null
  } catch {
    return null
  }
}

/** What a window shows: its size, its panes and the borders that can be moved. */
export function shapeOf({ layout, zoomed, panes }) {
  const root = parseLayout(layout)
  if (!root) return null
  const whole = { left: 0, top: 0, width: root.width, height: root.height }
  const active = panes.find((pane) => pane.active)
  if (zoomed && active) return { cols: root.width, rows: root.height, panes: [{ id: active.paneId, ...whole }], borders: [] }
  const known = new Map(panes.map((pane) => [pane.paneId, pane]))
  const shown = leaves(root).filter((cell) => known.has(cell.pane))
  return {
    cols: root.width, rows: root.height, borders: bordersOf(root),
    panes: shown.map((cell) => ({ id: cell.pane, ...inside(cell, known.get(cell.pane)) })),
  }
}

/**
 * Each `{axis, left, top, width, height, pane, size, sign, room}`: a line of cells, and how to move
 * it. Moved by n cells, `pane` has to become `size + sign * n` wide or high. `room` is what both
 * sides have together.
 */
export function bordersOf(cell) {
  if (!cell.cells) return []
  const own = cell.cells.slice(1).map((after, at) => between(cell, at, after)).filter((border) => border.pane)
  return [...own, ...cell.cells.flatMap(bordersOf)]
}

/** The size that the pane of a border gets when the border moves by `cells`; both sides keep one. */
export function sizeAfter({ size, sign, room }, cells) {
  return Math.min(room - 1, Math.max(1, size + sign * cells))
}

function parseCell(text, depth) {
  const found = CELL.exec(text)
  if (!found || depth > DEEPEST) throw new Error('no layout')
  const [width, height, left, top] = found.slice(1).map(Number)
  const place = { left, top, width, height }
  const rest = text.slice(found[0].length)
  if (rest[0] === ',') {
    const pane = /^,(\d+)/.exec(rest)
    return [{ ...place, pane: `%${pane[1]}` }, rest.slice(pane[0].length)]
  }
  return parseCells(place, rest, depth)
}

function parseCells(place, text, depth) {
  const axis = ACROSS[text[0]]
  const end = CLOSING[text[0]]
  if (!axis) throw new Error('no layout')
  const cells = []
  let rest = text
  do {
    const [cell, after] = parseCell(rest.slice(1), depth + 1)
    cells.push(cell)
    rest = after
  } while (rest[0] === ',')
  if (rest[0] !== end) throw new Error('no layout')
  return [{ ...place, axis, cells }, rest.slice(1)]
}

function leaves(cell) {
  return cell.cells ? cell.cells.flatMap(leaves) : [cell]
}

/** tmux may take a row of a cell for the pane's title (pane-border-status): the pane is what counts. */
function inside(cell, pane) {
  const fits = pane.left >= cell.left && pane.top >= cell.top
    && pane.left + pane.width <= cell.left + cell.width && pane.top + pane.height <= cell.top + cell.height
  const { left, top, width, height } = fits ? pane : cell
  return { left, top, width, height }
}

function between(parent, at, after) {
  const before = parent.cells[at]
  const isLast = at + 2 === parent.cells.length
  const length = parent.axis === 'x' ? 'width' : 'height'
  const line = parent.axis === 'x'
    ? { left: before.left + before.width, top: parent.top, width: 1, height: parent.height }
    : { left: parent.left, top: before.top + before.height, width: parent.width, height: 1 }
  // tmux resizes the nearest cell of that direction, at its far border; only of the last at its near one.
  const first = handle(before, parent.axis)
  const second = !first && isLast ? handle(after, parent.axis) : ''
  const side = first ? before : after
  return {
    axis: parent.axis, ...line, pane: first || second, size: side[length], sign: first ? 1 : -1,
    room: before[length] + after[length],
  }
}

/** A pane through which tmux resizes this very cell: with no other division of that direction between. */
function handle(cell, axis) {
  if (cell.pane) return cell.pane
  if (cell.axis === axis) return ''
  return cell.cells.map((inner) => handle(inner, axis)).find(Boolean) ?? ''
}
