// tmux's layouts as panes and borders. The layouts are those of a real tmux 3.3a.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { bordersOf, parseLayout, shapeOf, sizeAfter } from '../../frontend/terminals/layouts.js'

const ONE = 'b25d,80x24,0,0,0'
const NESTED = 'd099,120x40,0,0{60x40,0,0,0,59x40,61,0[59x20,61,0,1,59x19,61,21{29x19,61,21,2,29x19,91,21,3}]}'
const TILED = '81a9,120x40,0,0[120x19,0,0{59x19,0,0,0,60x19,60,0,1},120x20,0,20{59x20,0,20,2,60x20,60,20,3}]'
const ROWS = '14ed,120x40,0,0[120x19,0,0{29x19,0,0,0,29x19,30,0,4,30x19,60,0,1,29x19,91,0,5},120x20,0,20{59x20,0,20,2,60x20,60,20,3}]'

const pane = (id, active, left, top, width, height) => ({ paneId: id, active, left, top, width, height })
const borders = (layout) => bordersOf(parseLayout(layout))

test('a window of one pane has no border', () => {
  assert.deepEqual(parseLayout(ONE), { left: 0, top: 0, width: 80, height: 24, pane: '%0' })
  assert.deepEqual(borders(ONE), [])
})

test('nested splits are a tree', () => {
  const root = parseLayout(NESTED)
  assert.deepEqual([root.axis, root.cells[0].pane, root.cells[1].axis], ['x', '%0', 'y'])
  assert.deepEqual(root.cells[1].cells[1].cells.map(({ pane: id, left, top, width }) => [id, left, top, width]), [['%2', 61, 21, 29], ['%3', 91, 21, 29]])
})

test('every border stands in the cell that tmux leaves between two panes', () => {
  const lines = borders(NESTED).map(({ axis, left, top, width, height }) => [axis, left, top, width, height])
  assert.deepEqual(lines, [['x', 60, 0, 1, 40], ['y', 61, 20, 59, 1], ['x', 90, 21, 1, 19]])
})

test('a border knows the pane that tmux resizes to move it', () => {
  const handles = borders(NESTED).map(({ pane: id, size, sign, room }) => [id, size, sign, room])
  assert.deepEqual(handles, [['%0', 60, 1, 119], ['%1', 20, 1, 39], ['%2', 29, 1, 58]])
})

test('rows of columns are moved by any pane in them', () => {
  const found = borders(ROWS)
  assert.deepEqual(found.map(({ axis, pane: id }) => axis + id), ['y%0', 'x%0', 'x%4', 'x%1', 'x%2'])
  assert.equal(borders(TILED).length, 3)
})

test('where only the last cell leads to the border, its pane grows as the border goes back', () => {
  const inner = '40x20,0,0{20x20,0,0,1,19x20,21,0,2},40x20,0,21{20x20,0,21,3,19x20,21,21,4}'
  const [border] = borders(`0000,81x41,0,0{40x41,0,0[${inner}],40x41,41,0,9}`)
  assert.deepEqual([border.pane, border.sign, border.size], ['%9', -1, 40])
})

test('a border that tmux has no word for is not offered', () => {
  const grid = (left, id) => `40x41,${left},0[40x20,${left},0{20x20,${left},0,${id},19x20,${left + 21},0,${id + 1}},40x20,${left},21{20x20,${left},21,${id + 2},19x20,${left + 21},21,${id + 3}}]`
  const found = borders(`0000,81x41,0,0{${grid(0, 1)},${grid(41, 5)}}`)
  assert.equal(found.some(({ left, axis }) => axis === 'x' && left === 40), false)
  assert.equal(found.length, 6)
})

test('both sides of a border keep one cell', () => {
  const border = { size: 60, sign: 1, room: 119 }
  assert.deepEqual([5, -5, -500, 500].map((cells) => sizeAfter(border, cells)), [65, 55, 1, 118])
  assert.equal(sizeAfter({ ...border, sign: -1 }, 5), 55)
})

test('a zoomed window shows its active pane over all of it', () => {
  const panes = [pane('%0', false, 0, 0, 60, 40), pane('%3', true, 0, 0, 120, 40)]
  const shape = shapeOf({ layout: NESTED, zoomed: true, panes })
  assert.deepEqual(shape.panes, [{ id: '%3', left: 0, top: 0, width: 120, height: 40 }])
  assert.deepEqual(shape.borders, [])
})

test('a row that tmux takes for the title of a pane is not part of the pane', () => {
  const shape = shapeOf({ layout: ONE, zoomed: false, panes: [pane('%0', true, 0, 1, 80, 23)] })
  assert.deepEqual(shape.panes, [{ id: '%0', left: 0, top: 1, width: 80, height: 23 }])
})

test('a pane whose size is of another moment stands where the layout says', () => {
  const shape = shapeOf({ layout: ONE, zoomed: false, panes: [pane('%0', true, 0, 0, 200, 50)] })
  assert.deepEqual(shape.panes, [{ id: '%0', left: 0, top: 0, width: 80, height: 24 }])
})

test('what is no layout is none', () => {
  const deep = `0000,${'9x9,0,0{'.repeat(500)}`
  for (const text of ['', 'b25d', 'b25d,80x24', '80x24,0,0,0', `${ONE}x`, NESTED.slice(0, -1), NESTED.replace(']', '}'), deep]) {
    assert.equal(parseLayout(text), null, text)
  }
})
