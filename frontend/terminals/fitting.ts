// How many columns and rows fit, shrinking the font before columns are lost. The element decides when.
import type { GridSize } from './cells'

/** What is needed of a Terminal of xterm.js. */
interface Resizable {
  options: { fontSize?: number }
  resize(cols: number, rows: number): void
}
/** What is needed of its FitAddon. */
interface Proposer {
  proposeDimensions(): GridSize | undefined
}

// Smaller text is unreadable; the terminal is then wider than its container and scrolls horizontally.
export const SMALLEST_FONT = 5

/**
 * Fits `terminal` into its container. If fewer than `minCols` columns fit, the font shrinks instead:
 * programs laid out for 80 columns are unusable with 40.
 */
export function fitTerminal(
  terminal: Resizable,
  addon: Proposer,
  { fontSize, minCols }: { fontSize: number; minCols: number },
): void {
  let font = fontSize
  let size = sizeAt(terminal, addon, font)
  while (size && size.cols < minCols && font > SMALLEST_FONT) {
    font = smallerFont(font, size.cols, minCols)
    size = sizeAt(terminal, addon, font)
  }
  if (size) terminal.resize(Math.max(size.cols, Math.round(minCols)), size.rows)
}

/** At least half a pixel smaller: widths do not scale evenly, and the loop above must end. */
export function smallerFont(font: number, cols: number, minCols: number): number {
  const scaled = Math.floor((font * cols * 2) / minCols) / 2
  return Math.max(SMALLEST_FONT, Math.min(font - 0.5, scaled))
}

function sizeAt(terminal: Resizable, addon: Proposer, font: number): GridSize | undefined {
  if (terminal.options.fontSize !== font) terminal.options.fontSize = font
  return addon.proposeDimensions()
}
