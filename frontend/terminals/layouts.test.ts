// Layouts of tmux as panes and borders. The layouts are from a real tmux 3.3a.
import { expect, test } from 'vitest'

import { bordersOf, type LaidOut, parseLayout, shapeOf, sizeAfter } from './layouts'

const ONE = 'b25d,80x24,0,0,0'
const NESTED =
  'd099,120x40,0,0{60x40,0,0,0,59x40,61,0[59x20,61,0,1,59x19,61,21{29x19,61,21,2,29x19,91,21,3}]}'
const TILED = '81a9,120x40,0,0[120x19,0,0{59x19,0,0,0,60x19,60,0,1},120x20,0,20{59x20,0,20,2,60x20,60,20,3}]'
const ROWS =
  '14ed,120x40,0,0[120x19,0,0{29x19,0,0,0,29x19,30,0,4,30x19,60,0,1,29x19,91,0,5},120x20,0,20{59x20,0,20,2,60x20,60,20,3}]'

const pane = (
  id: string,
  active: boolean,
  left: number,
  top: number,
  width: number,
  height: number,
): LaidOut['panes'][number] => ({ paneId: id, active, left, top, width, height })

function tree(layout: string) {
  const root = parseLayout(layout)
  if (!root) throw new Error(`Invalid layout: ${layout}`)
  return root
}

const borders = (layout: string) => bordersOf(tree(layout))

test('a window with one pane has no border', () => {
  expect(parseLayout(ONE)).toStrictEqual({ left: 0, top: 0, width: 80, height: 24, pane: '%0' })
  expect(borders(ONE)).toStrictEqual([])
})

test('nested splits form a tree', () => {
  expect(tree(NESTED)).toMatchObject({
    axis: 'x',
    cells: [
      { pane: '%0' },
      {
        axis: 'y',
        cells: [
          { pane: '%1' },
          {
            axis: 'x',
            cells: [
              { pane: '%2', left: 61, top: 21, width: 29 },
              { pane: '%3', left: 91, top: 21, width: 29 },
            ],
          },
        ],
      },
    ],
  })
})

test('every border is in the cell that tmux leaves between two panes', () => {
  const lines = borders(NESTED).map(({ axis, left, top, width, height }) => [axis, left, top, width, height])
  expect(lines).toStrictEqual([
    ['x', 60, 0, 1, 40],
    ['y', 61, 20, 59, 1],
    ['x', 90, 21, 1, 19],
  ])
})

test('a border has the pane to resize for moving it', () => {
  const handles = borders(NESTED).map(({ pane: id, size, sign, room }) => [id, size, sign, room])
  expect(handles).toStrictEqual([
    ['%0', 60, 1, 119],
    ['%1', 20, 1, 39],
    ['%2', 29, 1, 58],
  ])
})

test('rows of columns are resized by any of their panes', () => {
  const list = borders(ROWS)
  expect(list.map(({ axis, pane: id }) => axis + id)).toStrictEqual(['y%0', 'x%0', 'x%4', 'x%1', 'x%2'])
  expect(borders(TILED).length).toBe(3)
})

test('a border that only the last cell can move has a negative sign', () => {
  const inner = '40x20,0,0{20x20,0,0,1,19x20,21,0,2},40x20,0,21{20x20,0,21,3,19x20,21,21,4}'
  const [border] = borders(`0000,81x41,0,0{40x41,0,0[${inner}],40x41,41,0,9}`)
  expect(border).toMatchObject({ pane: '%9', sign: -1, size: 40 })
})

test('a border that tmux cannot move is left out', () => {
  const grid = (left: number, id: number) =>
    `40x41,${left},0[40x20,${left},0{20x20,${left},0,${id},19x20,${left + 21},0,${id + 1}},40x20,${left},21{20x20,${left},21,${id + 2},19x20,${left + 21},21,${id + 3}}]`
  const list = borders(`0000,81x41,0,0{${grid(0, 1)},${grid(41, 5)}}`)
  expect(list.some(({ left, axis }) => axis === 'x' && left === 40)).toBe(false)
  expect(list.length).toBe(6)
})

test('both sides of a border keep at least one cell', () => {
  const border = { size: 60, sign: 1, room: 119 } as const
  expect([5, -5, -500, 500].map((cells) => sizeAfter(border, cells))).toStrictEqual([65, 55, 1, 118])
  expect(sizeAfter({ ...border, sign: -1 }, 5)).toBe(55)
})

test('a zoomed window shows only its active pane', () => {
  const panes = [pane('%0', false, 0, 0, 60, 40), pane('%3', true, 0, 0, 120, 40)]
  const shape = shapeOf({ layout: NESTED, zoomed: true, panes })
  expect(shape?.panes).toStrictEqual([{ id: '%3', left: 0, top: 0, width: 120, height: 40 }])
  expect(shape?.borders).toStrictEqual([])
})

test('a title row of tmux is not part of the pane', () => {
  const shape = shapeOf({ layout: ONE, zoomed: false, panes: [pane('%0', true, 0, 1, 80, 23)] })
  expect(shape?.panes).toStrictEqual([{ id: '%0', left: 0, top: 1, width: 80, height: 23 }])
})

test('a pane with an outdated size is placed by the layout', () => {
  const shape = shapeOf({ layout: ONE, zoomed: false, panes: [pane('%0', true, 0, 0, 200, 50)] })
  expect(shape?.panes).toStrictEqual([{ id: '%0', left: 0, top: 0, width: 80, height: 24 }])
})

test('an invalid layout is null', () => {
  const deep = `0000,${'9x9,0,0{'.repeat(500)}`
  for (const text of [
    '',
    'b25d',
    'b25d,80x24',
    '80x24,0,0,0',
    `${ONE}x`,
    NESTED.slice(0, -1),
    NESTED.replace(']', '}'),
    deep,
  ]) {
    expect(parseLayout(text), text).toBe(null)
  }
})
