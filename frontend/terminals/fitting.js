// How many columns and rows fit, and how small the letters get before that costs columns.
// Not about when to look: that is the element's.

// Below it nothing can be read; the terminal is then wider than its place and scrolls sideways.
export const SMALLEST_FONT = 5

/**
 * Gives `terminal` the size of its place. Where fewer than `minCols` columns fit, the letters shrink
 * instead: a screen laid out for 80 columns falls to pieces on 40.
 */
export function fit(terminal, addon, { fontSize, minCols }) {
  let font = fontSize
  let size = sizeAt(terminal, addon, font)
  while (size && size.cols < minCols && font > SMALLEST_FONT) {
    font = smallerFont(font, size.cols, minCols)
    size = sizeAt(terminal, addon, font)
  }
  if (size) terminal.resize(Math.max(size.cols, Math.round(minCols)), size.rows)
}

/** Half a pixel at least: letters do not shrink evenly, and the loop above must end. */
export function smallerFont(font, cols, minCols) {
  const scaled = Math.floor((font * cols * 2) / minCols) / 2
  return Math.max(SMALLEST_FONT, Math.min(font - 0.5, scaled))
}

function sizeAt(terminal, addon, font) {
  if (terminal.options.fontSize !== font) terminal.options.fontSize = font
  return addon.proposeDimensions()
}
