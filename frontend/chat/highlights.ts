// Finds the matches of a search in a text, with the same word rules as the search of the server. Pure.

const TERM = /"([^"]*)"?|([^\s"]+)/g
const EXCERPT = 160 // characters

/** Words, "phrases" and prefixes (`wor*`) as one pattern; null for an empty query. */
export function pattern(query: string): RegExp | null {
  const terms = [...query.matchAll(TERM)].map(([, phrase, word = '']) =>
    phrase === undefined
      ? { text: word.replace(/\*+$/, ''), open: word.endsWith('*') }
      : { text: phrase, open: false },
  )
  const words = terms
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map(({ text, open }) => {
      const parts = text.match(/[\p{L}\p{N}_]+/gu) ?? []
      return parts.join('[^\\p{L}\\p{N}_]+') + (open ? '[\\p{L}\\p{N}_]*' : '')
    })
  if (!words.length) return null
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
}

/** Treats the last word as a prefix: while the user types it may be incomplete. */
export function asTyped(query: string): string {
  const text = query.trim()
  return /[\p{L}\p{N}_]$/u.test(text) && (text.match(/"/g)?.length ?? 0) % 2 === 0 ? `${text}*` : text
}

export interface Piece {
  text: string
  hit: boolean
}

/** Splits the text, without empty parts. */
export function pieces(text: string, searched: RegExp | null): Piece[] {
  if (!searched) return [{ text, hit: false }]
  const parts: Piece[] = []
  let end = 0
  for (const match of text.matchAll(searched)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), hit: false })
    parts.push({ text: match[0], hit: true })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end), hit: false })
  return parts
}

/** One line around the first match. */
export function excerpt(text: string, searched: RegExp | null, length = EXCERPT): string {
  const line = text.replace(/[\s\u2500-\u259f]+/g, ' ').trim() // without line breaks and box drawing
  const index = searched ? Math.max(0, line.search(new RegExp(searched.source, 'iu'))) : 0
  const from = Math.max(0, Math.min(index - Math.round(length / 3), line.length - length))
  const cut = line.slice(from, from + length)
  return `${from > 0 ? '…' : ''}${cut}${from + length < line.length ? '…' : ''}`
}
