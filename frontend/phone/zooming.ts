// Calculations for touch gestures on a terminal: font size, direction, scroll position. Pure.

export interface Point {
  x: number
  y: number
}
/** The place of a finger: a Touch. */
type Finger = Pick<Touch, 'clientX' | 'clientY'>

// In pixels. The smallest shows a wide window completely, though unreadable; the largest fills the screen.
export const SMALLEST = 3
export const LARGEST = 28
// The font size after a double tap on unreadably small text.
export const READABLE = 12
const STEP = 0.5
// Smaller movements are ignored.
const SLACK_PX = 8

export function distance(a: Finger, b: Finger): number {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
}

export function middle(a: Finger, b: Finger): Point {
  return { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 }
}

/** The font size at which `cols` columns fill `width`; a character is `ratio` of the font size wide. */
export function fullWidthFont(cols: number, width: number, ratio: number): number {
  return clamp(Math.floor(width / (cols * ratio * STEP)) * STEP)
}

/** The font size after the distance of two fingers changed from `before` to `after` pixels. */
export function pinchedFont(font: number, before: number, after: number): number {
  return before > 0 ? clamp(Math.round((font * after) / (before * STEP)) * STEP) : font
}

/** The font size after a double tap: full width, or readable. */
export function toggledFont(font: number, fullWidth: number): number {
  return font > fullWidth ? fullWidth : Math.max(READABLE, fullWidth)
}

/** `x` or `y`, once the movement is far enough, else an empty string. */
export function direction(dx: number, dy: number): 'x' | 'y' | '' {
  if (Math.max(Math.abs(dx), Math.abs(dy)) < SLACK_PX) return ''
  return Math.abs(dx) > Math.abs(dy) ? 'x' : 'y'
}

/** The scroll position that keeps the content under `position` in place after scaling by `ratio`. */
export function anchoredScroll(scroll: number, position: number, ratio: number): number {
  return Math.max(0, (scroll + position) * ratio - position)
}

/** How many of `by` pixels the view can still scroll; the rest scrolls the terminal. */
export function scrollable(
  { scroll, inner, outer }: { scroll: number; inner: number; outer: number },
  by: number,
): number {
  const limit = Math.max(0, inner - outer)
  return Math.min(limit, Math.max(0, scroll + by)) - Math.min(limit, scroll)
}

/** The scroll position, moved as little as needed, that shows a range; of a larger range the end. */
export function revealed(
  { scroll, outer }: { scroll: number; outer: number },
  { start, end }: { start: number; end: number },
): number {
  const highest = Math.max(0, Math.ceil(end - outer))
  const lowest = Math.max(highest, Math.floor(start))
  return Math.min(lowest, Math.max(highest, scroll))
}

function clamp(font: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, font))
}
