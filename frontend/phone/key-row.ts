// <key-row>: keys that a soft keyboard lacks. Emits `row-key` and `raw-typing`; connected by phone.ts. Ctrl
// and Alt apply to the next key, of the row or the keyboard; a double tap locks them.
import type { KeyModifier } from '../core/services'
import { customElement, html, nothing, property, state, svg, type TemplateResult, View } from '../core/view'
import {
  afterKey,
  afterTap,
  isKeyPress,
  type ModifierState,
  type Modifiers,
  modified,
  NEXT,
  OFF,
} from './row-keys'

/** The name of a key (row-keys.ts), its label, and its accessible name. */
type KeyLabel = readonly [key: string, label: string | TemplateResult, name: string]

/** A key that was pressed. */
export interface RowKey {
  key: string
  modifiers: Modifiers
}

// Like a held key: a pause, then about twenty per second.
const HOLD_MS = 400
const REPEAT_MS = 50
const KEYBOARD = html`<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${svg`
  <rect x="1" y="3.5" width="14" height="9" rx="2"/><path d="M4 6.5h.01M7 6.5h.01M10 6.5h.01M12.5 6.5h.01M4 9.5h.01M6.5 9.5h4M12.5 9.5h.01"/>`}</svg>`
const FIRST: readonly KeyLabel[] = [
  ['escape', 'Esc', 'Esc'],
  ['interrupt', '^C', 'Control C'],
  ['end-of-file', '^D', 'Control D'],
  ['/', '/', 'Slash'],
  ['-', '-', 'Dash'],
  ['enter', '⏎', 'Enter'],
  ['up', '↑', 'Up'],
  ['keyboard', KEYBOARD, 'Type into the terminal'],
  ['tab', 'Tab', 'Tab'],
  ['ctrl', 'Ctrl', 'Ctrl'],
  ['alt', 'Alt', 'Alt'],
  ['|', '|', 'Pipe'],
  ['~', '~', 'Tilde'],
  ['left', '←', 'Left'],
  ['down', '↓', 'Down'],
  ['right', '→', 'Right'],
]
const SECOND: readonly KeyLabel[] = [
  ['home', 'Home', 'Home'],
  ['page-up', 'PgUp', 'Page up'],
  ['backtab', '⇧Tab', 'Shift Tab'],
  ['end', 'End', 'End'],
  ['page-down', 'PgDn', 'Page down'],
  ['delete', 'Del', 'Delete'],
]
const REPEATED = new Set(['up', 'down', 'left', 'right', 'page-up', 'page-down', 'delete'])
const decoder = new TextDecoder()
const encoder = new TextEncoder()

@customElement('key-row')
export class KeyRow extends View implements KeyModifier {
  /** The soft keyboard types into the terminal. */
  @property({ attribute: false }) raw = false
  @state() private ctrl: ModifierState = OFF
  @state() private alt: ModifierState = OFF
  #tappedAt = { ctrl: 0, alt: 0 }
  #hold: ReturnType<typeof setTimeout> | undefined
  // The held key was repeated, so its click is ignored.
  #repeats = false

  /** Applies the modifiers to one typed character. Other input is not a key press and stays as it is. */
  modify(data: Uint8Array): Uint8Array {
    if (this.ctrl === OFF && this.alt === OFF) return data
    const text = decoder.decode(data)
    return isKeyPress(text) ? encoder.encode(modified(text, this.#useModifiers())) : data
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#release()
  }

  override render(): TemplateResult {
    return html`
      <div class="keys" role="toolbar" aria-label="Terminal keys"
        @mousedown=${keepFocus} @contextmenu=${keepFocus} @pointerdown=${this.#press} @click=${this.#click}
        @pointerup=${this.#release} @pointercancel=${this.#release} @pointerleave=${this.#release}>
        <div class="part">${FIRST.map((key) => this.#key(key))}</div>
        <div class="part more">${SECOND.map((key) => this.#key(key))}</div>
      </div>`
  }

  #key([key, label, name]: KeyLabel): TemplateResult {
    const pressed = this.#stateOf(key)
    return html`<button type="button" data-key=${key} data-state=${pressed ?? ''} aria-label=${name}
      aria-pressed=${pressed === undefined ? nothing : String(pressed !== OFF)}>${label}</button>`
  }

  /** Undefined for a key that is not a switch. */
  #stateOf(key: string): ModifierState | undefined {
    if (key === 'ctrl' || key === 'alt') return this[key]
    if (key === 'keyboard') return this.raw ? NEXT : OFF
    return undefined
  }

  #press(event: PointerEvent): void {
    const key = keyOf(event)
    this.#release()
    this.#repeats = false
    if (!REPEATED.has(key)) return
    this.#hold = setTimeout(() => {
      this.#repeats = true
      const modifiers = this.#useModifiers()
      this.#hold = setInterval(() => this.#send(key, modifiers), REPEAT_MS)
    }, HOLD_MS)
  }

  /** Also clears the interval: browsers share ids between both. */
  #release(): void {
    clearTimeout(this.#hold)
  }

  #click(event: MouseEvent): void {
    const key = keyOf(event)
    if (!key || this.#repeats) return
    navigator.vibrate?.(8)
    if (key === 'keyboard') this.emit('raw-typing', { raw: !this.raw })
    else if (key === 'ctrl' || key === 'alt') this.#tapModifier(key)
    else this.#send(key, this.#useModifiers())
  }

  #tapModifier(key: 'ctrl' | 'alt'): void {
    const now = performance.now()
    this[key] = afterTap(this[key], now - this.#tappedAt[key])
    this.#tappedAt[key] = now
  }

  /** The modifiers for a key that is sent now; releases those that are not locked. */
  #useModifiers(): Modifiers {
    const used = { ctrl: this.ctrl !== OFF, alt: this.alt !== OFF }
    this.ctrl = afterKey(this.ctrl)
    this.alt = afterKey(this.alt)
    return used
  }

  #send(key: string, modifiers: Modifiers): void {
    this.emit('row-key', { key, modifiers } satisfies RowKey)
  }
}

/** Keeps the focus in place, so that the soft keyboard stays open. */
function keepFocus(event: Event): void {
  event.preventDefault()
}

function keyOf({ target }: Event): string {
  return target instanceof Element ? (target.closest('button')?.dataset['key'] ?? '') : ''
}

declare global {
  interface HTMLElementTagNameMap {
    'key-row': KeyRow
  }
  interface HTMLElementEventMap {
    'row-key': CustomEvent<RowKey>
    'raw-typing': CustomEvent<{ raw: boolean }>
  }
}
