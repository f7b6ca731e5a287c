// Keyboard shortcuts, in the notation of the actions: `Mod+K`, `Shift+N`, `F2`, `?`. Pure except for
// `listenForKeys`. Keys that a terminal or a text field may need are left to it, except those with Mod.
import type { Store } from './store'

/** What a shortcut needs of an action (shell/actions.ts). */
export interface KeyAction {
  name: string
  keys?: string | undefined
  needs?: ((store: Store) => boolean) | undefined
}
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const NAMES: Record<string, string> = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const FIELDS = 'input, textarea, select, [contenteditable=""], [contenteditable="true"], tmux-adapter-web'
const isLetter = (key: string) => /^[a-z]$/i.test(key)

/** The name of a pressed key. Shift is part of it for letters and named keys only: `?` implies it. */
export function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string {
  const mods: string[] = []
  if (ctrlKey || metaKey) mods.push('Mod')
  if (altKey) mods.push('Alt')
  if (shiftKey && (isLetter(key) || key.length > 1)) mods.push('Shift')
  return [...mods, isLetter(key) && mods.length ? key.toUpperCase() : (NAMES[key] ?? key)].join('+')
}

/** The available action for a key, or null. */
export function actionFor<Action extends KeyAction>(
  name: string,
  actions: readonly Action[],
  store: Store,
): Action | null {
  return actions.find((action) => action.keys === name && (action.needs?.(store) ?? true)) ?? null
}

/** One readable label per key. */
export function readable(keys: string, mac = false): string[] {
  return keys.split('+').map((word) => (word === 'Mod' ? (mac ? '⌘' : 'Ctrl') : word))
}

/**
 * Whether the user is typing text. `path` is the composed path of the event. Hidden fields are ignored:
 * a field of a dialog that has just closed keeps the focus for a moment.
 */
export function isTyping(path: readonly EventTarget[]): boolean {
  // Not `instanceof Element`: documents and shadow roots are in the path too, and have no `matches`.
  return path.some((node) => {
    const { matches } = node as Partial<Element>
    return matches !== undefined && (node as Element).matches(FIELDS) && (node as Element).checkVisibility()
  })
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

/**
 * Ctrl/⌘+K is handled before a terminal receives it, all others only if nothing else handled them.
 * While a dialog is open, shortcuts of the page are off.
 */
export function listenForKeys(
  store: Store,
  actions: ReadonlyMap<string, KeyAction>,
  act: (name: string) => void,
): void {
  const handle = (event: KeyboardEvent, candidates: () => KeyAction[]) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog:modal')) return
    const action = actionFor(nameOf(event), candidates(), store)
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    act(action.name)
  }
  const all = () => [...actions.values()].filter((action) => action.keys)
  const palette = () => all().filter(({ keys }) => keys === 'Mod+K')
  addEventListener('keydown', (event) => handle(event, palette), { capture: true })
  addEventListener('keydown', (event) => {
    if (!isTyping(event.composedPath())) handle(event, all)
  })
}
