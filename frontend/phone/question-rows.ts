// Where the dialog of an agent is on its screen. Pure.
import type { OptionOut, QuestionOut } from '../core/generated/socket'

/** The first and the last row of the dialog, from 0. */
export interface RowRange {
  first: number
  last: number
}

// Long texts are wrapped or cut by the agent: the beginning identifies them.
const PREFIX = 16

/** Null if the screen does not show the options: it may be older than the question. */
export function questionRows(
  screen: readonly string[],
  question: Pick<QuestionOut, 'title'> | null,
  options: Pick<OptionOut, 'number' | 'label'>[],
): RowRange | null {
  const rows = screen.map(normalized)
  const isOption = (row: string) =>
    options.some(({ number, label }) => row.includes(prefix(`${number}. ${label}`)))
  const last = rows.findLastIndex(isOption)
  if (last < 0) return null
  const start = prefix(question?.title.split('\n')[0] ?? '')
  const asked = start ? rows.findLastIndex((row, index) => index < last && row.includes(start)) : -1
  const firstOption = rows.findIndex((row, index) => index > asked && isOption(row))
  return { first: asked >= 0 ? asked : firstOption, last: endOfBlock(rows, last) }
}

/** The option may continue on the next rows, up to an empty one or the border of the dialog. */
function endOfBlock(rows: readonly string[], from: number): number {
  let last = from
  while (/\p{Letter}|\p{Number}/u.test(rows[last + 1] ?? '')) last += 1
  return last
}

function prefix(text: string): string {
  return normalized(text).slice(0, PREFIX).trim()
}

function normalized(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
