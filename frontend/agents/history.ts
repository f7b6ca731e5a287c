// Prompts sent from this browser, newest first: stored, searched, and browsed with arrow keys. Pure, over
// a list that core/memory stores.

export interface Entry {
  readonly text: string
  /** The address of its window. */
  readonly address: string
  readonly at: number
}

/** The index of the shown entry (-1: the draft), and the unsent text. */
export interface Walk {
  readonly at: number
  readonly draft: string
}

export const ENTRY_LIMIT = 200
// Characters; a browser stores a few million per site.
export const TOTAL_LIMIT = 500_000

/** The entries with this one first; the same text is listed once. */
export function addEntry(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  if (!entry.text.trim() || entry.text.length > TOTAL_LIMIT / 10) return entries
  const kept: Entry[] = []
  let total = 0
  for (const each of [entry, ...entries.filter(({ text }) => text !== entry.text)].slice(0, ENTRY_LIMIT)) {
    total += each.text.length
    if (total > TOTAL_LIMIT) break
    kept.push(each)
  }
  return kept
}

/** Entries of this window first, then the others. */
export function ordered(entries: readonly Entry[], address: string): Entry[] {
  return [
    ...entries.filter((entry) => entry.address === address),
    ...entries.filter((entry) => entry.address !== address),
  ]
}

/** The entries that contain every word of the query, in order. */
export function search(entries: readonly Entry[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)))
}

/** One step with an arrow key; null at either end. `text` is the shown text. */
export function step(
  entries: readonly Entry[],
  walk: Walk,
  direction: 1 | -1,
  text: string,
): { walk: Walk; text: string } | null {
  const at = walk.at + direction
  const draft = walk.at === -1 ? text : walk.draft
  const shown = at === -1 ? draft : entries[at]?.text
  return shown === undefined ? null : { walk: { at, draft }, text: shown }
}

export const NO_WALK: Walk = Object.freeze({ at: -1, draft: '' })

/** What an arrow key does at this caret: `step`, `edge` (moves the caret to the edge first) or nothing. */
export function arrowAction(
  key: string,
  { text, start, end, walking }: { text: string; start: number; end: number; walking: boolean },
): 'step' | 'edge' | '' {
  if (start !== end) return ''
  const up = key === 'ArrowUp'
  const rest = up ? text.slice(0, start) : text.slice(end)
  if (rest.includes('\n')) return ''
  if (!up && !walking) return ''
  return walking || rest === '' ? 'step' : 'edge'
}
