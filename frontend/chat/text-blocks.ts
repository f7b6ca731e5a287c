// Splits terminal text into prose and text that must keep its columns: code, tables, trees. Pure.

export const SHOWN_LINES = 40 // of a message until it is expanded
const SHOWN_CHARACTERS = 6000
const DRAWING = /[\u2500-\u259f\u2800-\u28ff]/ // boxes, blocks, braille
const TABLE = /^\s*\|.*\|\s*$/
const COLUMNS = /\S {2,}\S/ // words separated by several spaces
const INDENTED = /^(\t| {2,})\S/
const LIST = /^\s*([-*•·●○☐☒✓✔✗]|\d+[.)])\s/
const PATCH = /^\s*\d*\s*[+-]\s/
const PROMPT = /^\s*[$#%❯>]\s/

export type BlockKind = 'prose' | 'code'
export interface Block {
  kind: BlockKind
  text: string
}

/** The blocks in order; only blank lines in between are dropped. */
export function blocks(text: string): Block[] {
  const list: Block[] = []
  let fenced = false
  let lines: string[] = []
  const flush = (kind?: BlockKind) => {
    const indented = lines.join('\n').trimEnd()
    const content = dedent(lines)
      .join('\n')
      .replace(/^\n+|\s+$/g, '')
    lines = []
    if (content) add(list, kind ?? kindOf(indented), content)
  }
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) {
      flush(fenced ? 'code' : undefined)
      fenced = !fenced
    } else if (!fenced && !line.trim()) flush()
    else lines.push(line)
  }
  flush(fenced ? 'code' : undefined)
  return list
}

/** The start of a long text, and how many lines are left out. */
export function cut(text: string, lines = SHOWN_LINES): { text: string; hidden: number } {
  const all = text.split('\n')
  if (all.length <= lines * 1.25 && text.length <= SHOWN_CHARACTERS) return { text, hidden: 0 }
  const shown = all.slice(0, lines).join('\n').slice(0, SHOWN_CHARACTERS)
  return { text: shown, hidden: all.length - shown.split('\n').length + 1 }
}

/** Removes the common indentation: agents indent their answers. */
function dedent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/))
  const shared = Math.min(...indents, 80)
  return lines.map((line) => line.slice(shared))
}

/** Joins adjacent code blocks: a listing may contain blank lines. */
function add(list: Block[], kind: BlockKind, text: string): void {
  const last = list.at(-1)
  if (last?.kind === 'code' && kind === 'code') last.text += `\n\n${text}`
  else list.push({ kind, text })
}

function kindOf(text: string): BlockKind {
  const lines = text.split('\n')
  if (lines.some((line) => DRAWING.test(line) || TABLE.test(line) || PROMPT.test(line))) return 'code'
  const plain = lines.filter((line) => !LIST.test(line))
  const columns = plain.filter((line) => COLUMNS.test(line.trimEnd()) || PATCH.test(line))
  const indented = plain.filter(
    (line, index) => INDENTED.test(line) && !(index > 0 && LIST.test(lines[0] ?? '')),
  )
  return columns.length * 2 > lines.length || indented.length * 2 > lines.length ? 'code' : 'prose'
}
