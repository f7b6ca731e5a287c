// Which of many names a person means by a few letters. Pure; for the palette.

const WORD_START = 8
const IN_A_ROW = 5
const LETTER = 1
const GAP = 0.4
const isStart = (text, at) => at === 0 || /[\s·:/._\-(]/.test(text[at - 1])

/** `{score, places}` where all letters of `query` are in `text` in their order; null where not. */
export function match(query, text) {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  const given = text.toLowerCase()
  if (!wanted) return { score: 0, places: [] }
  let best = null
  for (let start = given.indexOf(wanted[0]); start >= 0; start = given.indexOf(wanted[0], start + 1)) {
    const found = matchFrom(wanted, given, start)
    if (!found) break // what is missing here is missing further on too
    if (!best || found.score > best.score) best = found
  }
  return best
}

/** Items whose `title` (or `words`, for less) fits, the best first; equals keep their order. */
export function rank(query, items) {
  return items.map((item) => fitted(query, item)).filter(Boolean).sort((one, other) => other.score - one.score)
}

/** `title` cut where letters were found: `[{text, hit}]`. */
export function pieces(title, places) {
  const hits = new Set(places)
  const found = []
  for (const [at, letter] of [...title].entries()) {
    const hit = hits.has(at)
    if (found.at(-1)?.hit === hit) found.at(-1).text += letter
    else found.push({ text: letter, hit })
  }
  return found
}

function fitted(query, item) {
  const title = match(query, item.title)
  if (title) return { ...item, ...title }
  const words = item.words ? match(query, item.words) : null
  return words && { ...item, score: words.score / 2, places: [] }
}

function matchFrom(wanted, text, start) {
  const places = [start]
  let score = LETTER + (isStart(text, start) ? WORD_START : 0)
  for (let number = 1; number < wanted.length; number += 1) {
    const last = places.at(-1)
    const at = next(wanted[number], text, last)
    if (at < 0) return null
    score += LETTER - Math.min(at - last - 1, 10) * GAP
    if (at === last + 1) score += IN_A_ROW
    else if (isStart(text, at)) score += WORD_START
    places.push(at)
  }
  return { score: score - text.length * 0.01, places }
}

/** The next letter, at the beginning of a word rather than in the middle of this one. */
function next(letter, text, last) {
  const first = text.indexOf(letter, last + 1)
  if (first === last + 1 || first < 0) return first
  for (let at = first; at >= 0; at = text.indexOf(letter, at + 1)) if (isStart(text, at)) return at
  return first
}
