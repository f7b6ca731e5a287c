// What a terminal showed, cut into prose and what must keep its columns: code, tables, trees. Pure.

export const SHOWN_LINES = 40 // of a message until the rest is asked for
const SHOWN_CHARACTERS = 6000
const DRAWN = /[\u2500-\u259f\u2800-\u28ff]/ // boxes, blocks, braille
const TABLE = /^\s*\|.*\|\s*$/
const COLUMNS = /\S {2,}\S/ // words with more than a space between them
const INDENTED = /^(\t| {2,})\S/
const LIST = /^\s*([-*•·●○☐☒✓✔✗]|\d+[.)])\s/
const PATCH = /^\s*\d*\s*[+-]\s/
const PROMPT = /^\s*[$#%❯>]\s/

/** [{kind: 'prose' | 'code', text}], in order; nothing of the text is lost but blank lines between. */
export function blocks(text) {
  const found = []
  let fenced = false
  let lines = []
  const flush = (kind) => {
    const indented = lines.join('\n').trimEnd()
    const whole = dedent(lines).join('\n').replace(/^\n+|\s+$/g, '')
    lines = []
    if (whole) add(found, kind ?? kindOf(indented), whole)
  }
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) {
      flush(fenced ? 'code' : undefined)
      fenced = !fenced
    } else if (!fenced && !line.trim()) flush()
    else lines.push(line)
  }
  flush(fenced ? 'code' : undefined)
  return found
}

/** The beginning of a long text, and how many lines are left out. */
export function cut(text, lines = SHOWN_LINES) {
  const every = text.split('\n')
  if (every.length <= lines * 1.25 && text.length <= SHOWN_CHARACTERS) return { text, hidden: 0 }
  const shown = every.slice(0, lines).join('\n').slice(0, SHOWN_CHARACTERS)
  return { text: shown, hidden: every.length - shown.split('\n').length + 1 }
}

/** Without what all lines are indented by: agents set off what they say. */
function dedent(lines) {
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/))
  const shared = Math.min(...indents, 80)
  return lines.map((line) => line.slice(shared))
}

/** Two neighbours of one kind are one: a listing may hold blank lines. */
function add(found, kind, text) {
  const last = found.at(-1)
  if (last?.kind === 'code' && kind === 'code') last.text += `\n\n${text}`
  else found.push({ kind, text })
}

function kindOf(text) {
  const lines = text.split('\n')
  if (lines.some((line) => DRAWN.test(line) || TABLE.test(line) || PROMPT.test(line))) return 'code'
  const plain = lines.filter((line) => !LIST.test(line))
  const columns = plain.filter((line) => COLUMNS.test(line.trimEnd()) || PATCH.test(line))
  const indented = plain.filter((line, at) => INDENTED.test(line) && !(at > 0 && LIST.test(lines[0])))
  return columns.length * 2 > lines.length || indented.length * 2 > lines.length ? 'code' : 'prose'
}
