// Whether a finger on a terminal opens the soft keyboard. Not by default: prompts are written in the
// composer, and a keyboard over half of the screen hides what one came to read.

/** A terminal that may be focused (hardware keys work) without a soft keyboard, unless `raw`. */
export function allowKeyboard(terminal, raw) {
  const field = terminal.shadowRoot?.querySelector('textarea')
  if (field) field.inputMode = raw ? 'text' : 'none'
}

/** Opens or closes it now. A browser looks at `inputmode` only when the focus comes. */
export function useKeyboard(terminal, raw) {
  allowKeyboard(terminal, raw)
  terminal.blurTextarea()
  if (raw) terminal.focusTextarea()
}
