// The selected windows: for a prompt to several agents, and for closing several windows. Pure.

/** `active`: a click selects instead of opening. `anchor`: where a range starts. Windows by id (@1). */
export interface Selection {
  readonly active: boolean
  readonly ids: ReadonlySet<string>
  readonly anchor: string
}

export const NO_SELECTION: Selection = Object.freeze({ active: false, ids: new Set<string>(), anchor: '' })

/** The selection with this window added, or removed if it was selected. */
export function toggled({ active, ids, anchor }: Selection, id: string): Selection {
  const others = [...ids].filter((other) => other !== id)
  const isAdded = others.length === ids.size
  const next = new Set(isAdded ? [...others, id] : others)
  if (next.size === 0 && !active) return NO_SELECTION
  return { active, ids: next, anchor: isAdded ? id : anchor }
}

/** The selection with all windows of `order` from the anchor to this one. */
export function extended(selection: Selection, id: string, order: readonly string[]): Selection {
  const from = order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  if (from < 0 || to < 0) return toggled({ ...selection, ids: without(selection.ids, id) }, id)
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ...selection, ids: new Set([...selection.ids, ...range]) }
}

/** How a click on a window changes the selection; null if it opens the window. */
export function clicked(
  selection: Selection,
  id: string,
  keys: Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>,
  order: readonly string[],
): Selection | null {
  if (keys.shiftKey) return extended(selection, id, order)
  if (keys.ctrlKey || keys.metaKey || selection.active) return toggled(selection, id)
  return null
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((other) => other !== id))
}
