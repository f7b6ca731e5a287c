// How large a cell is at a font's size, and which size lets a window fit its place.
// The arithmetic of xterm.js; pure but for `measure`.

// Below it nothing can be read: the window is then larger than its place, which scrolls.
export const READABLE_FONT = 8
const STEP = 0.5
// What a window can be asked for (docs/protocol.md), and what is too little to be meant.
const MOST = { cols: 1000, rows: 500 }
const LEAST = { cols: 20, rows: 5 }

let context = null

/** Width and height of a letter in CSS pixels, as xterm.js measures it. */
export function measure(family, size) {
  context ??= new OffscreenCanvas(1, 1).getContext('2d')
  context.font = `${size}px ${family}`
  const letter = context.measureText('W')
  return { width: letter.width, height: letter.fontBoundingBoxAscent + letter.fontBoundingBoxDescent }
}

/** The cell of a letter; `whole`: of whole device pixels in width too, as WebGL draws it. */
export function cellOf({ width, height }, ratio, whole = false) {
  const wide = whole ? Math.floor(width * ratio) / ratio : width
  return { width: wide, height: Math.ceil(height * ratio) / ratio }
}

/** The largest font up to `wished` at which the window fits; `cellAt(font)` is its cell. */
export function fittingFont(cellAt, { cols, rows }, place, wished, least = READABLE_FONT) {
  let font = wished
  while (font > least && !fits(cellAt(font), cols, rows, place)) font -= STEP
  return Math.max(font, Math.min(least, wished))
}

/** How many columns and rows a place has; null where that is too little to ask for. */
export function sizeIn(place, cell) {
  const cols = Math.min(MOST.cols, Math.floor(place.width / cell.width))
  const rows = Math.min(MOST.rows, Math.floor(place.height / cell.height))
  return cols >= LEAST.cols && rows >= LEAST.rows ? { cols, rows } : null
}

function fits(cell, cols, rows, place) {
  return cell.width * cols <= place.width && cell.height * rows <= place.height
}
