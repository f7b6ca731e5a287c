// <key-row>: the keys that a soft keyboard lacks. Tells `row-key {key}`; joined by page/phone.js.
// Ctrl and Alt stay for the next key, of the row or of the keyboard; tapped twice they are locked.
import { View, html, nothing, states, svg } from '../page/view.js'
import { NEXT, OFF, spent, tapped } from './row-keys.js'

// As a person expects of a held key: a pause, then about twenty in a second.
const HOLD_MS = 400
const REPEAT_MS = 50
const KEYBOARD = html`<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${svg`
  <rect x="1" y="3.5" width="14" height="9" rx="2"/><path d="M4 6.5h.01M7 6.5h.01M10 6.5h.01M12.5 6.5h.01M4 9.5h.01M6.5 9.5h4M12.5 9.5h.01"/>`}</svg>`
const FIRST = [
  ['escape', 'Esc'], ['interrupt', '^C', 'Control C'], ['end-of-file', '^D', 'Control D'], ['/', '/', 'Slash'],
  ['-', '-', 'Dash'], ['enter', '⏎', 'Enter'], ['up', '↑', 'Up'], ['keyboard', KEYBOARD, 'Type into the terminal'],
  ['tab', 'Tab'], ['ctrl', 'Ctrl'], ['alt', 'Alt'], ['|', '|', 'Pipe'],
  ['~', '~', 'Tilde'], ['left', '←', 'Left'], ['down', '↓', 'Down'], ['right', '→', 'Right'],
]
const SECOND = [
  ['home', 'Home'], ['page-up', 'PgUp', 'Page up'], ['backtab', '⇧Tab', 'Shift Tab'],
  ['end', 'End'], ['page-down', 'PgDn', 'Page down'], ['delete', 'Del', 'Delete'],
]
const REPEATED = new Set(['up', 'down', 'left', 'right', 'page-up', 'page-down', 'delete'])

class KeyRow extends View {
  #tappedAt = { ctrl: 0, alt: 0 }
  #hold = 0
  #repeats = false // the finger that is down has repeated its key: its click is none

  /** `{ctrl, alt}` for a key that is sent now; those that are not locked are let go. */
  useModifiers() {
    const used = { ctrl: this.ctrl !== OFF, alt: this.alt !== OFF }
    this.ctrl = spent(this.ctrl)
    this.alt = spent(this.alt)
    return used
  }

  disconnectedCallback() { this.#release() }

  view() {
    return html`
      <div class="keys" role="toolbar" aria-label="Keys of the terminal"
        @mousedown=${keepFocus} @contextmenu=${keepFocus} @pointerdown=${this.#press} @click=${this.#click}
        @pointerup=${this.#release} @pointercancel=${this.#release} @pointerleave=${this.#release}>
        <div class="part">${FIRST.map(this.#key)}</div>
        <div class="part more">${SECOND.map(this.#key)}</div>
      </div>`
  }

  #key = ([key, label, name = label]) => {
    const state = { ctrl: this.ctrl, alt: this.alt, keyboard: this.raw ? NEXT : OFF }[key]
    return html`<button type="button" data-key=${key} data-state=${state ?? ''} aria-label=${name}
      aria-pressed=${state === undefined ? nothing : String(state !== OFF)}>${label}</button>`
  }

  #press = (event) => {
    const key = keyOf(event)
    this.#release()
    this.#repeats = false
    if (!REPEATED.has(key)) return
    this.#hold = setTimeout(() => {
      this.#repeats = true
      const modifiers = this.useModifiers()
      this.#hold = setInterval(() => this.#send(key, modifiers), REPEAT_MS)
    }, HOLD_MS)
  }

  #release = () => clearTimeout(this.#hold) // also an interval: browsers number both together

  #click = (event) => {
    const key = keyOf(event)
    if (!key || this.#repeats) return
    navigator.vibrate?.(8)
    if (key === 'keyboard') this.tell('raw-typing', { raw: !this.raw })
    else if (key === 'ctrl' || key === 'alt') this.#tapModifier(key)
    else this.#send(key, this.useModifiers())
  }

  #tapModifier(key) {
    const now = performance.now()
    this[key] = tapped(this[key], now - this.#tappedAt[key])
    this.#tappedAt[key] = now
  }

  #send(key, modifiers) { this.tell('row-key', { key, modifiers }) }
}

// `raw`: the soft keyboard types into the terminal. `ctrl`, `alt`: states of row-keys.js.
states(KeyRow, { raw: false, ctrl: OFF, alt: OFF })

/** The soft keyboard stays only while the focus does. */
function keepFocus(event) {
  event.preventDefault()
}

function keyOf(event) {
  return event.target.closest('button')?.dataset.key ?? ''
}

customElements.define('key-row', KeyRow)
