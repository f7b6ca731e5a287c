// Whether a phone shows a window as text (the reader) or as a terminal. Pure.

export type WindowView = 'reader' | 'terminal'
/** The choices of the user: the address of a window and its view, the most recent last. */
export type ViewChoices = readonly (readonly [address: string, view: WindowView])[]

// Windows come and go; old choices are forgotten.
export const CHOICE_LIMIT = 200

/** Agents print prose, which the reader wraps to the width of the screen; other programs need a terminal. */
export function viewOf(choices: ViewChoices, address: string, hasAgent: boolean): WindowView {
  const choice = choices.find(([chosen]) => chosen === address)
  return choice?.[1] ?? (hasAgent ? 'reader' : 'terminal')
}

export function withChoice(choices: ViewChoices, address: string, view: WindowView): ViewChoices {
  const others = choices.filter(([chosen]) => chosen !== address)
  return [...others, [address, view] as const].slice(-CHOICE_LIMIT)
}
