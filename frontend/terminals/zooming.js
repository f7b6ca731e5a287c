// The arithmetic of fingers on a terminal: how large, which way, and where it then stands. Pure.
// A scale of 1 shows the whole width of the window.

export const SMALLEST = 1, LARGEST = 6
// Below it a finger only trembles.
const SLACK_PX = 8

export function distance([one, other]) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
}

export function middle([one, other]) {
  return { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 }
}

/** The scale after two fingers went from `before` pixels apart to `now`. */
export function pinched(scale, before, now) {
  return limited(before > 0 ? scale * (now / before) : scale)
}

/** A double tap: the whole width, or letters that can be read; `readable` is the scale for those. */
export function toggled(scale, readable) {
  return scale > SMALLEST + 0.05 ? SMALLEST : limited(readable)
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

/** How far a place can still be moved by `by` pixels: the rest is for the history. */
export function movable({ scroll, inner, outer }, by) {
  const most = Math.max(0, inner - outer)
  return Math.min(most, Math.max(0, scroll + by)) - Math.min(most, scroll)
}

function limited(scale) {
  return Math.min(LARGEST, Math.max(SMALLEST, scale))
}
