// Fuzzy matching for the command palette: ranks items by the letters of a query. Pure.

export interface Match {
  score: number
  // Indexes of the matched letters.
  positions: number[]
}
export interface Searchable {
  title: string
  // Matched at half the score.
  words?: string
}
export interface Piece {
  text: string
  hit: boolean
}

const WORD_START = 8
const CONSECUTIVE = 5
const LETTER = 1
const GAP = 0.4
const isStart = (text: string, index: number) => index === 0 || /[\s·:/._\-(]/.test(text.charAt(index - 1))

/** The match if all letters of `query` occur in `text` in order, else null. */
export function match(query: string, text: string): Match | null {
  const letters = query.toLowerCase().replace(/\s+/g, '')
  const haystack = text.toLowerCase()
  if (!letters) return { score: 0, positions: [] }
  const first = letters.charAt(0)
  let best: Match | null = null
  for (let start = haystack.indexOf(first); start >= 0; start = haystack.indexOf(first, start + 1)) {
    const candidate = matchFrom(letters, haystack, start)
    if (!candidate) break // a letter that is missing from here on is missing for later starts too
    if (!best || candidate.score > best.score) best = candidate
  }
  return best
}

/** Items whose `title` or `words` match; best first, stable for equal scores. */
export function rank<Item extends Searchable>(query: string, items: readonly Item[]): (Item & Match)[] {
  return items.flatMap((item) => matchItem(query, item) ?? []).sort((a, b) => b.score - a.score)
}

/** Splits `title` into matched and other parts. */
export function pieces(title: string, positions: readonly number[]): Piece[] {
  const hits = new Set(positions)
  const parts: Piece[] = []
  for (const [index, letter] of [...title].entries()) {
    const hit = hits.has(index)
    const last = parts.at(-1)
    if (last?.hit === hit) last.text += letter
    else parts.push({ text: letter, hit })
  }
  return parts
}

function matchItem<Item extends Searchable>(query: string, item: Item): (Item & Match) | null {
  const title = match(query, item.title)
  if (title) return { ...item, ...title }
  const words = item.words ? match(query, item.words) : null
  return words && { ...item, score: words.score / 2, positions: [] }
}

function matchFrom(letters: string, text: string, start: number): Match | null {
  const positions = [start]
  let last = start
  let score = LETTER + (isStart(text, start) ? WORD_START : 0)
  for (const letter of letters.slice(1)) {
    const index = next(letter, text, last)
    if (index < 0) return null
    score += LETTER - Math.min(index - last - 1, 10) * GAP
    if (index === last + 1) score += CONSECUTIVE
    else if (isStart(text, index)) score += WORD_START
    positions.push(index)
    last = index
  }
  return { score: score - text.length * 0.01, positions }
}

/** The position of the next letter; prefers the start of a word over the middle of this one. */
function next(letter: string, text: string, last: number): number {
  const first = text.indexOf(letter, last + 1)
  if (first === last + 1 || first < 0) return first
  for (let index = first; index >= 0; index = text.indexOf(letter, index + 1)) {
    if (isStart(text, index)) return index
  }
  return first
}
