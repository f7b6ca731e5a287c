// The size of a cell for a font size, and the font size at which a window fits its container. Computes the
// same as xterm.js. Pure except for `measure`.

/** Width and height in CSS pixels. */
export interface Area {
  width: number
  height: number
}

/** Columns and rows. */
export interface GridSize {
  cols: number
  rows: number
}

// Smaller text is unreadable: the window is then larger than its container, which scrolls.
export const READABLE_FONT = 8
const STEP = 0.5
// The largest size that a window accepts (docs/protocol.md), and the smallest useful one.
const LARGEST: GridSize = { cols: 1000, rows: 500 }
const SMALLEST: GridSize = { cols: 20, rows: 5 }

let context: OffscreenCanvasRenderingContext2D | null = null

/** The size of a character, as xterm.js measures it. */
export function measure(family: string, size: number): Area {
  context ??= new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) throw new Error('This browser cannot measure text.')
  context.font = `${size}px ${family}`
  const character = context.measureText('W')
  return {
    width: character.width,
    height: character.fontBoundingBoxAscent + character.fontBoundingBoxDescent,
  }
}

/** The cell of a character; `whole`: the width is rounded to device pixels too, as for WebGL. */
export function cellOf({ width, height }: Area, ratio: number, whole = false): Area {
  const wide = whole ? Math.floor(width * ratio) / ratio : width
  return { width: wide, height: Math.ceil(height * ratio) / ratio }
}

/** The largest font size up to `preferred` at which the window fits; `cellAt(font)` is its cell. */
export function fittingFont(
  cellAt: (font: number) => Area,
  { cols, rows }: GridSize,
  area: Area,
  preferred: number,
  least = READABLE_FONT,
): number {
  let font = preferred
  while (font > least && !fits(cellAt(font), cols, rows, area)) font -= STEP
  return Math.max(font, Math.min(least, preferred))
}

/** How many columns and rows fit into an area; null if too few to be useful. */
export function sizeIn(area: Area, cell: Area): GridSize | null {
  const cols = Math.min(LARGEST.cols, Math.floor(area.width / cell.width))
  const rows = Math.min(LARGEST.rows, Math.floor(area.height / cell.height))
  return cols >= SMALLEST.cols && rows >= SMALLEST.rows ? { cols, rows } : null
}

function fits(cell: Area, cols: number, rows: number, area: Area): boolean {
  return cell.width * cols <= area.width && cell.height * rows <= area.height
}
