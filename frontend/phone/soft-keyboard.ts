// Whether a tap on a terminal opens the soft keyboard. Not by default: prompts are written in the composer,
// and a keyboard would hide half of the screen.
import type { TmuxAdapterWeb } from '../terminals/tmux-adapter-web'

/** Lets the terminal be focused (for hardware keys) without a soft keyboard, unless `raw`. */
export function allowKeyboard(terminal: TmuxAdapterWeb, raw: boolean): void {
  const field = terminal.shadowRoot?.querySelector('textarea')
  if (field) field.inputMode = raw ? 'text' : 'none'
}

/** Opens or closes it now. Browsers read `inputmode` only when an element gets the focus. */
export function useKeyboard(terminal: TmuxAdapterWeb, raw: boolean): void {
  allowKeyboard(terminal, raw)
  terminal.blurTextarea()
  if (raw) terminal.focusTextarea()
}
