// What the keys of the row send, and what Ctrl and Alt make of a key. Pure: no element, no socket.

/** The final of an arrow's sequence, or the number of a `~` sequence: both take modifiers. */
const ARROWS = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' }
const NUMBERED = { delete: 3, 'page-up': 5, 'page-down': 6 }
const PLAIN = { escape: '\x1b', tab: '\t', enter: '\r', backtab: '\x1b[Z', interrupt: '\x03', 'end-of-file': '\x04' }
// What a terminal has always sent for Ctrl and a sign that is not in the column of letters.
const CONTROLS = { ' ': 0x00, '/': 0x1f, '-': 0x1f, '~': 0x1e, '|': 0x1c, '?': 0x7f, '\r': 0x0a, '\x7f': 0x08 }

/** The text that `key` (a name of the tables above, or one character) sends under `{ctrl, alt}`. */
export function encode(key, { ctrl = false, alt = false } = {}) {
  const modifier = 1 + (alt ? 2 : 0) + (ctrl ? 4 : 0)
  if (key in ARROWS) return modifier === 1 ? `\x1b[${ARROWS[key]}` : `\x1b[1;${modifier}${ARROWS[key]}`
  if (key in NUMBERED) return modifier === 1 ? `\x1b[${NUMBERED[key]}~` : `\x1b[${NUMBERED[key]};${modifier}~`
  return modified(PLAIN[key] ?? key, { ctrl, alt })
}

/** What the keyboard typed, with the row's modifiers. More than one character is no key: left as it is. */
export function modified(text, { ctrl = false, alt = false }) {
  if ([...text].length !== 1) return text
  return (alt ? '\x1b' : '') + (ctrl ? control(text) : text)
}

function control(character) {
  if (character in CONTROLS) return String.fromCharCode(CONTROLS[character])
  const code = character.toUpperCase().charCodeAt(0)
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : character
}

// --- modifiers that stay for the next key, or until they are tapped again ---

export const OFF = '', NEXT = 'next', LOCKED = 'locked'
// Two taps within it lock; a slower second one lets go.
export const DOUBLE_TAP_MS = 400

export function tapped(state, sinceLastTap) {
  if (state === OFF) return NEXT
  return state === NEXT && sinceLastTap <= DOUBLE_TAP_MS ? LOCKED : OFF
}

/** After a key was sent. */
export function spent(state) {
  return state === LOCKED ? LOCKED : OFF
}
