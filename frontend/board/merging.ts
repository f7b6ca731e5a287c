// Three-way merge of a text by lines: the common base, our version and theirs. Pure.
//
// node-diff3 compares the lines. Its own merge is not used: it reports a conflict also where the changes
// of both only touch each other, for example when both add a line at the end.
import { diffIndices } from 'node-diff3'

// Pairs of equal lines; with more, comparing takes seconds (it is slow for repeated lines), and the user
// chooses instead.
const PAIRS_LIMIT = 250_000

/** The changes of both in one text, or a clash: both changed the same lines. */
export type Merged = { text: string; clash?: never } | { text?: never; clash: true }

/** Replaces the lines from `from` up to `to` of the base. */
interface Hunk {
  from: number
  to: number
  lines: string[]
}

export function merge(base: string, ours: string, theirs: string): Merged {
  if (ours === theirs || theirs === base) return { text: ours }
  if (ours === base) return { text: theirs }
  const lines = base.split('\n')
  const mine = hunks(lines, ours.split('\n'))
  const other = hunks(lines, theirs.split('\n'))
  if (!mine || !other) return { clash: true }
  const all = combine(mine, other)
  return all ? { text: applyAll(lines, all).join('\n') } : { clash: true }
}

/** The position of the caret after the text around it changed. */
export function caretAfter(before: string, after: string, caret: number): number {
  const { start, end } = shared(before, after)
  if (caret <= start) return caret
  if (caret >= before.length - end) return caret + after.length - before.length
  return Math.min(caret, after.length - end)
}

/** The changes to the base, in order; null if there is too much to compare. */
function hunks(base: string[], text: string[]): Hunk[] | null {
  const { start, end } = shared(base, text)
  const old = base.slice(start, base.length - end)
  const now = text.slice(start, text.length - end)
  if (equalPairs(old, now) > PAIRS_LIMIT) return null
  return diffIndices(old, now).map(({ buffer1: [offset, length], buffer2Content }) => ({
    from: start + offset,
    to: start + offset + length,
    lines: buffer2Content,
  }))
}

/** How many items (lines or characters) are equal at the start and at the end. */
function shared(a: ArrayLike<string>, b: ArrayLike<string>): { start: number; end: number } {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return { start, end }
}

function equalPairs(old: readonly string[], now: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of old) counts.set(line, (counts.get(line) ?? 0) + 1)
  return now.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0)
}

/** The changes of both in the order of the base; null if they change the same lines. */
function combine(mine: readonly Hunk[], other: readonly Hunk[]): Hunk[] | null {
  const all: Hunk[] = []
  for (const hunk of other) {
    const same = mine.find((own) => overlaps(own, hunk))
    if (same && !equal(same, hunk)) return null
    if (!same) all.push(hunk)
  }
  // Of two insertions at the same place theirs comes first: it was stored first.
  return [...all, ...mine].sort((a, b) => a.from - b.from || a.to - b.to)
}

/** Insertions next to a change do not overlap with it. */
function overlaps(a: Hunk, b: Hunk): boolean {
  return (a.from < b.to && b.from < a.to) || equal(a, b)
}

function equal(a: Hunk, b: Hunk): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join('\n') === b.lines.join('\n')
}

function applyAll(base: readonly string[], all: readonly Hunk[]): string[] {
  const lines: string[] = []
  let index = 0
  for (const { from, to, lines: inserted } of all) {
    lines.push(...base.slice(index, from), ...inserted)
    index = to
  }
  return [...lines, ...base.slice(index)]
}
