// What was looked for, found again in a text: the same words that the server's search takes. Pure.

const TERM = /"([^"]*)"?|([^\s"]+)/g
const EXCERPT = 160 // characters

/** Words, "phrases" and beginnings (`wor*`) as one pattern; null where nothing is looked for. */
export function pattern(query) {
  const terms = [...query.matchAll(TERM)].map(([, phrase, word]) => phrase === undefined
    ? { text: word.replace(/\*+$/, ''), open: word.endsWith('*') }
    : { text: phrase, open: false })
  const words = terms.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).map(({ text, open }) =>
    text.match(/[\p{L}\p{N}_]+/gu).join('[^\\p{L}\\p{N}_]+') + (open ? '[\\p{L}\\p{N}_]*' : ''))
  if (!words.length) return null
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
}

/** While somebody types, the last word may not be whole. */
export function asTyped(query) {
  const text = query.trim()
  return /[\p{L}\p{N}_]$/u.test(text) && (text.match(/"/g)?.length ?? 0) % 2 === 0 ? `${text}*` : text
}

/** The text in pieces, [{text, hit}], with no piece empty. */
export function pieces(text, wanted) {
  if (!wanted) return [{ text, hit: false }]
  const found = []
  let done = 0
  for (const match of text.matchAll(wanted)) {
    if (match.index > done) found.push({ text: text.slice(done, match.index), hit: false })
    found.push({ text: match[0], hit: true })
    done = match.index + match[0].length
  }
  if (done < text.length) found.push({ text: text.slice(done), hit: false })
  return found
}

/** One line around the first place that fits. */
export function excerpt(text, wanted, length = EXCERPT) {
  const line = text.replace(/[\s\u2500-\u259f]+/g, ' ').trim() // neither breaks nor boxes
  const at = wanted ? Math.max(0, line.search(new RegExp(wanted.source, 'iu'))) : 0
  const from = Math.max(0, Math.min(at - Math.round(length / 3), line.length - length))
  const cut = line.slice(from, from + length)
  return `${from > 0 ? '…' : ''}${cut}${from + length < line.length ? '…' : ''}`
}
