// What the keys of the key row send, with Ctrl and Alt applied. Pure: no element, no socket.

export interface Modifiers {
  ctrl: boolean
  alt: boolean
}

/** The final byte of an arrow sequence, or the number of a `~` sequence: both take modifiers. */
const ARROWS = new Map([
  ['up', 'A'],
  ['down', 'B'],
  ['right', 'C'],
  ['left', 'D'],
  ['home', 'H'],
  ['end', 'F'],
])
const NUMBERED = new Map([
  ['delete', 3],
  ['page-up', 5],
  ['page-down', 6],
])
const PLAIN = new Map([
  ['escape', '\x1b'],
  ['tab', '\t'],
  ['enter', '\r'],
  ['backtab', '\x1b[Z'],
  ['interrupt', '\x03'],
  ['end-of-file', '\x04'],
])
// What terminals send for Ctrl with characters outside the range of letters.
const CONTROLS = new Map([
  [' ', 0x00],
  ['/', 0x1f],
  ['-', 0x1f],
  ['~', 0x1e],
  ['|', 0x1c],
  ['?', 0x7f],
  ['\r', 0x0a],
  ['\x7f', 0x08],
])

/** What `key` (a name from the tables above, or one character) sends with `{ctrl, alt}`. */
export function encode(key: string, { ctrl = false, alt = false }: Partial<Modifiers> = {}): string {
  const modifier = 1 + (alt ? 2 : 0) + (ctrl ? 4 : 0)
  const arrow = ARROWS.get(key)
  if (arrow !== undefined) return modifier === 1 ? `\x1b[${arrow}` : `\x1b[1;${modifier}${arrow}`
  const number = NUMBERED.get(key)
  if (number !== undefined) return modifier === 1 ? `\x1b[${number}~` : `\x1b[${number};${modifier}~`
  return modified(PLAIN.get(key) ?? key, { ctrl, alt })
}

/** Applies modifiers to typed text. More than one character is not a key press and is left unchanged. */
export function modified(text: string, { ctrl = false, alt = false }: Partial<Modifiers>): string {
  if (!isKeyPress(text)) return text
  return (alt ? '\x1b' : '') + (ctrl ? control(text) : text)
}

/** Whether typed text is one character. */
export function isKeyPress(text: string): boolean {
  return [...text].length === 1
}

function control(character: string): string {
  const known = CONTROLS.get(character)
  if (known !== undefined) return String.fromCharCode(known)
  const code = character.toUpperCase().charCodeAt(0)
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : character
}

// --- modifiers that apply to the next key, or stay locked ---

export const OFF = ''
export const NEXT = 'next'
export const LOCKED = 'locked'
export type ModifierState = typeof OFF | typeof NEXT | typeof LOCKED
// Two taps within this time lock the modifier; a later second tap releases it.
export const DOUBLE_TAP_MS = 400

export function afterTap(state: ModifierState, sinceLastTap: number): ModifierState {
  if (state === OFF) return NEXT
  return state === NEXT && sinceLastTap <= DOUBLE_TAP_MS ? LOCKED : OFF
}

/** The state after a key was sent. */
export function afterKey(state: ModifierState): ModifierState {
  return state === LOCKED ? LOCKED : OFF
}
