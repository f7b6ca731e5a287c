// Three versions of a text made one, line by line: what both had, what we made of it, what they
// did. Pure.

// Lines compared with lines; beyond, comparing takes seconds, and the person chooses.
const CELLS_LIMIT = 4_000_000

/** {text} with the changes of both, or {clash: true} where both changed the same lines. */
export function merge(base, ours, theirs) {
  if (ours === theirs || theirs === base) return { text: ours }
  if (ours === base) return { text: theirs }
  const lines = base.split('\n')
  const mine = hunks(lines, ours.split('\n'))
  const other = hunks(lines, theirs.split('\n'))
  if (!mine || !other) return { clash: true }
  const all = joined(mine, other)
  return all ? { text: rewritten(lines, all).join('\n') } : { clash: true }
}

/** Where the caret stands after somebody else's change of the text around it. */
export function caretAfter(before, after, caret) {
  const shared = Math.min(before.length, after.length)
  let start = 0
  while (start < shared && before[start] === after[start]) start++
  if (caret <= start) return caret
  let end = 0
  while (end < shared - start && before.at(-1 - end) === after.at(-1 - end)) end++
  if (caret >= before.length - end) return caret + after.length - before.length
  return Math.min(caret, after.length - end)
}

/** What became of the base: [{from, to, lines}], in order; null if it is too much to compare. */
function hunks(base, text) {
  let start = 0
  while (start < base.length && start < text.length && base[start] === text[start]) start++
  let end = 0
  while (end < Math.min(base.length, text.length) - start && base.at(-1 - end) === text.at(-1 - end)) end++
  const old = base.slice(start, base.length - end)
  const now = text.slice(start, text.length - end)
  if (old.length * now.length > CELLS_LIMIT) return null
  const found = []
  let from = 0
  let at = 0
  for (const [same, place] of [...common(old, now), [old.length, now.length]]) {
    if (same > from || place > at) found.push({ from: start + from, to: start + same, lines: now.slice(at, place) })
    from = same + 1
    at = place + 1
  }
  return found
}

/** The places of a longest run of equal lines, in both. */
function common(old, now) {
  const width = now.length + 1
  const length = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      length[i * width + j] = old[i] === now[j] ? length[(i + 1) * width + j + 1] + 1
        : Math.max(length[(i + 1) * width + j], length[i * width + j + 1])
    }
  }
  const pairs = []
  for (let i = 0, j = 0; i < old.length && j < now.length;) {
    if (old[i] === now[j]) pairs.push([i++, j++])
    else if (length[(i + 1) * width + j] >= length[i * width + j + 1]) i++
    else j++
  }
  return pairs
}

/** The changes of both in the order of the base; null where they change the same lines. */
function joined(mine, other) {
  const all = []
  for (const hunk of other) {
    const same = mine.find((each) => overlaps(each, hunk))
    if (same && !equal(same, hunk)) return null
    if (!same) all.push(hunk)
  }
  // Of two that were put in at one place theirs comes first: it was there first.
  return [...all, ...mine].sort((one, two) => one.from - two.from || one.to - two.to)
}

/** Lines that are put in beside a change disturb nobody. */
const overlaps = (one, two) => (one.from < two.to && two.from < one.to) || equal(one, two)

const equal = (one, two) => one.from === two.from && one.to === two.to && one.lines.join('\n') === two.lines.join('\n')

function rewritten(base, all) {
  const lines = []
  let at = 0
  for (const { from, to, lines: put } of all) {
    lines.push(...base.slice(at, from), ...put)
    at = to
  }
  return [...lines, ...base.slice(at)]
}
