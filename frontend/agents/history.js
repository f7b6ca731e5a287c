// Prompts that were sent from this browser, newest first: kept, searched, walked through by arrow
// keys. Pure, over a list that memory.js keeps. An entry is `{text, address, at}`.

export const ENTRIES = 200
export const TOTAL_LIMIT = 500_000 // characters: what a browser keeps for one site is some millions

/** The entries with this one in front; the same text stands there once. */
export function remembered(entries, entry) {
  if (!entry.text.trim() || entry.text.length > TOTAL_LIMIT / 10) return entries
  const kept = []
  let total = 0
  for (const one of [entry, ...entries.filter(({ text }) => text !== entry.text)].slice(0, ENTRIES)) {
    total += one.text.length
    if (total > TOTAL_LIMIT) break
    kept.push(one)
  }
  return kept
}

/** This window's first, then those of the others. */
export function ordered(entries, address) {
  return [...entries.filter((one) => one.address === address), ...entries.filter((one) => one.address !== address)]
}

/** Those with every word, in the order that they have. */
export function found(entries, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ text }) => wanted.every((word) => text.toLowerCase().includes(word)))
}

/**
 * One step with an arrow key. `walk` is `{at, draft}`: which entry is shown (-1: the draft), and what
 * was written before. Returns `{walk, text}`, or null where there is no way on.
 */
export function step(entries, walk, direction, text) {
  const at = walk.at + direction
  if (at < -1 || at >= entries.length) return null
  const draft = walk.at === -1 ? text : walk.draft
  return { walk: { at, draft }, text: at === -1 ? draft : entries[at].text }
}

export const NO_WALK = Object.freeze({ at: -1, draft: '' })

/** What an arrow key means at this caret: `step`, `edge` (first to the end of the text) or nothing. */
export function arrow(key, { text, start, end, walking }) {
  if (start !== end) return ''
  const up = key === 'ArrowUp'
  const rest = up ? text.slice(0, start) : text.slice(end)
  if (rest.includes('\n')) return ''
  if (!up && !walking) return ''
  return walking || rest === '' ? 'step' : 'edge'
}
