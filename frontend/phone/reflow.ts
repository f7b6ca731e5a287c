// Makes the text of a pane readable at any width: splits it into lines that may wrap and blocks that must
// keep their columns. Pure. tmux has already joined wrapped lines (`capture-pane -J`).

/** `text` wraps (`indent`: its indentation), `code` keeps its columns, `rule` is a separator. */
export type Block =
  | { kind: 'text'; text: string; indent: number }
  | { kind: 'code'; text: string }
  | { kind: 'rule'; text: '' }
/** Blank lines and the edges of boxes separate blocks. */
type Entry = Block | { kind: 'blank'; text: '' } | { kind: 'edge'; text: string }

const RULE = /^[\s─━═┄┈╌–—_=*-]{4,}$/
// The edge of a box without inner borders; edges of tables have crossings.
const EDGES = /^\s*[╭╰┌└├╔╚╠][─━═╌┄\s]*[╮╯┐┘┤╗╝╣]\s*$/
const BOXED = /^\s*[│┃║]\s?(.*?)\s*[│┃║]\s*$/
// A gap between columns. A line with two or more gaps is part of a table.
const GAP = /\S {2,}\S/g
const CODE = /^( {4,}|\t| *\d+ +[-+│|] ?|[+-]{1,3} |@@ |.*[│┃┼├└┬]|\|.*\|$)/

export function blocks(text: string): Block[] {
  const list: Entry[] = []
  for (const line of withoutBoxes(text.trimEnd().split('\n'))) {
    const kind = kindOf(line)
    const last = list.at(-1)
    if (kind === 'blank' || kind === 'rule') {
      if (last && last.kind !== kind && !(kind === 'blank' && last.kind === 'rule'))
        list.push({ kind, text: '' })
    } else if (kind === 'code' && last?.kind === 'code') last.text += `\n${line}`
    else if (kind === 'text') list.push({ kind, text: line.trimStart(), indent: indentOf(line) })
    else list.push({ kind, text: line })
  }
  return list.flatMap((entry) => (entry.kind === 'blank' || entry.kind === 'edge' ? [] : [entry]))
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function kindOf(line: string): Entry['kind'] {
  if (line.trim() === '') return 'blank'
  if (EDGES.test(line)) return 'edge'
  if (RULE.test(line)) return 'rule'
  const gaps = line.trim().match(GAP)?.length ?? 0
  return gaps >= 2 || CODE.test(line) ? 'code' : 'text'
}

/** Removes the sides of a box with plain text. A table has inner borders as well and is kept. */
function withoutBoxes(lines: readonly string[]): string[] {
  return lines.map((line) => {
    const inside = line.trimEnd().match(BOXED)?.[1]
    return inside === undefined || /[│┃║]/.test(inside) ? line.trimEnd() : inside
  })
}

// How many equal lines show where two captures overlap.
const OVERLAP_LINES = 3

/** How many lines of `after` follow the end of `before`; both are complete captures. */
export function newLines(before: string, after: string): number {
  const old = nonBlankLines(before)
  const lines = nonBlankLines(after)
  const tail = old.slice(-OVERLAP_LINES)
  if (tail.length === 0) return lines.length
  for (let end = lines.length; end >= tail.length; end--) {
    if (tail.every((line, index) => line === lines[end - tail.length + index])) return lines.length - end
  }
  return Math.max(1, lines.length - old.length) // the screen was redrawn
}

function nonBlankLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '')
}
