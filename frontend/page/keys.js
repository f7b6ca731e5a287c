// The page's own keys, as actions name them: `Mod+K`, `Shift+N`, `F2`, `?`. Pure but for `listenForKeys`.
// A key that a terminal or a field could want is never taken, but for those with Mod.

const NAMES = { ' ': 'Space', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }
const FIELDS = 'input, textarea, select, [contenteditable=""], [contenteditable="true"], tmux-adapter-web'
const isLetter = (key) => /^[a-z]$/i.test(key)

/** The name of what was pressed. Shift counts for letters and named keys: `?` has it in itself. */
export function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const mods = []
  if (ctrlKey || metaKey) mods.push('Mod')
  if (altKey) mods.push('Alt')
  if (shiftKey && (isLetter(key) || key.length > 1)) mods.push('Shift')
  return [...mods, isLetter(key) && mods.length ? key.toUpperCase() : NAMES[key] ?? key].join('+')
}

/** The action that a key asks for, if any. */
export function actionFor(name, actions, store) {
  return actions.find((action) => action.keys === name && (action.needs?.(store) ?? true)) ?? null
}

/** As a person reads it: one word for each key. */
export function readable(keys, mac = false) {
  return keys.split('+').map((word) => (word === 'Mod' ? (mac ? '⌘' : 'Ctrl') : word))
}

/**
 * Whether somebody who presses a key there means to write. `path` is the event's, from within. A
 * field of a dialog that has just closed has the focus for a moment more.
 */
export function isWriting(path) {
  return path.some((node) => node.matches?.(FIELDS) && node.checkVisibility())
}

export const isMac = () => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

/**
 * Ctrl/⌘+K is taken before a terminal gets it; all others only when nobody else wanted them.
 * While a dialog is open the page below it has no keys.
 */
export function listenForKeys(store, actions, act) {
  const take = (event, wanted) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog:modal')) return
    const action = actionFor(nameOf(event), wanted(), store)
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    act(action.name)
  }
  const all = () => [...actions.values()].filter((action) => action.keys)
  addEventListener('keydown', (event) => take(event, () => all().filter(({ keys }) => keys === 'Mod+K')), { capture: true })
  addEventListener('keydown', (event) => {
    if (!isWriting(event.composedPath())) take(event, all)
  })
}
