// The arithmetic of fingers on a terminal: how large the letters, which way, where it then stands. Pure.

// In pixels. The least shows a wide window whole, though nobody reads it; the most fills the screen.
export const SMALLEST = 3, LARGEST = 28
// What a double tap makes the letters, if they are too small to read.
export const READABLE = 12
const STEP = 0.5
// Below it a finger only trembles.
const SLACK_PX = 8

export function distance([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
}

export function middle([one, other]) {
  return { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 }
}

/** The font at which `cols` columns fill `width`; a letter is `share` of its font wide. */
export function wholeWidth(cols, width, share) {
  return limited(Math.floor(width / (cols * share * STEP)) * STEP)
}

/** The font after two fingers went from `before` pixels apart to `now`. */
export function pinched(font, before, now) {
  return before > 0 ? limited(Math.round((font * now) / (before * STEP)) * STEP) : font
}

/** A double tap: the whole width, or letters that can be read. */
export function toggled(font, whole) {
  return font > whole ? whole : Math.max(READABLE, whole)
}

/** `x` or `y`, once a finger has moved far enough to mean one of them. */
export function direction(dx, dy) {
  if (Math.max(Math.abs(dx), Math.abs(dy)) < SLACK_PX) return ''
  return Math.abs(dx) > Math.abs(dy) ? 'x' : 'y'
}

/** Where to scroll so that what was under `at` is still there after growing by `ratio`. */
export function anchored(scroll, at, ratio) {
  return Math.max(0, (scroll + at) * ratio - at)
}

/** How many of `by` pixels a place can still be moved; the rest is for the history. */
export function movable({ scroll, inner, outer }, by) {
  const most = Math.max(0, inner - outer)
  return Math.min(most, Math.max(0, scroll + by)) - Math.min(most, scroll)
}

function limited(font) {
  return Math.min(LARGEST, Math.max(SMALLEST, font))
}
