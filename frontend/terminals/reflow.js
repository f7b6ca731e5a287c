// A pane's text made readable at any width: lines that may wrap, and blocks that must keep their
// columns. Pure: text in, blocks out. Wrapped lines were joined by tmux already (`capture-pane -J`).

const RULE = /^[\s─━═┄┈╌–—_=*-]{4,}$/
// Of a box without walls inside; the edges of a table have crossings.
const EDGES = /^\s*[╭╰┌└├╔╚╠][─━═╌┄\s]*[╮╯┐┘┤╗╝╣]\s*$/
const BOXED = /^\s*[│┃║]\s?(.*?)\s*[│┃║]\s*$/
// A column: words with a gap between them. Two gaps, or a gap in each of several lines, make a table.
const GAP = /\S {2,}\S/g
const CODE = /^( {4,}|\t| *\d+ +[-+│|] ?|[+-]{1,3} |@@ |.*[│┃┼├└┬]|\|.*\|$)/

/** `{kind, text}`: `text` wraps (`indent`: how far in), `code` keeps its columns, `rule` is a line across. */
export function blocks(text) {
  const made = []
  for (const line of unboxed(text.trimEnd().split('\n'))) {
    const kind = kindOf(line)
    const last = made.at(-1)
    if (kind === 'blank' || kind === 'rule') {
      if (last && last.kind !== kind && !(kind === 'blank' && last.kind === 'rule')) made.push({ kind, text: '' })
    } else if (kind === 'code' && last?.kind === 'code') last.text += `\n${line}`
    else if (kind === 'code') made.push({ kind, text: line })
    else made.push({ kind, text: line.trimStart(), indent: line.length - line.trimStart().length })
  }
  return made.filter(({ kind }) => kind !== 'blank' && kind !== 'edge')
}

function kindOf(line) {
  if (line.trim() === '') return 'blank'
  if (EDGES.test(line)) return 'edge'
  if (RULE.test(line)) return 'rule'
  const gaps = line.trim().match(GAP)?.length ?? 0
  return gaps >= 2 || CODE.test(line) ? 'code' : 'text'
}

/** A box that holds plain text is only decoration: its sides go. A table has walls inside as well. */
function unboxed(lines) {
  return lines.map((line) => {
    const inside = line.trimEnd().match(BOXED)?.[1]
    return inside === undefined || /[│┃║]/.test(inside) ? line.trimEnd() : inside
  })
}

// How many lines must agree before two captures are taken to meet there.
const AGREE = 3

/** How many lines of `after` come below what `before` ended with; both are whole captures. */
export function newLines(before, after) {
  const old = full(before)
  const lines = full(after)
  const tail = old.slice(-AGREE)
  if (tail.length === 0) return lines.length
  for (let end = lines.length; end >= tail.length; end--) {
    if (tail.every((line, at) => line === lines[end - tail.length + at])) return lines.length - end
  }
  return Math.max(1, lines.length - old.length) // a screen that was painted over
}

function full(text) {
  return text.split('\n').filter((line) => line.trim() !== '')
}
