// The differences between two states of the same tasks, and a sentence that describes them. Pure.
import { LABELS, type Task } from './tasks'

/** `moved` is to another column, `sorted` within its column. */
export type DifferenceKind = 'added' | 'removed' | 'renamed' | 'moved' | 'sorted'
export interface Difference extends Task {
  what: DifferenceKind
}

export function differences(before: readonly Task[], after: readonly Task[]): Difference[] {
  const previousByKey = new Map(before.map((task) => [task.key, task]))
  const currentKeys = new Set(after.map((task) => task.key))
  // A task added by this page has a temporary key (+1) until the server assigns one.
  const addedHere = new Set(before.filter((task) => task.key.startsWith('+')).map((task) => task.text))
  const changes: Difference[] = []
  for (const task of after) {
    const previous = previousByKey.get(task.key)
    if (!previous && !addedHere.has(task.text)) changes.push(entry(task, 'added'))
    else if (previous && previous.status !== task.status) changes.push(entry(task, 'moved'))
    else if (previous && previous.text !== task.text) changes.push(entry(task, 'renamed'))
  }
  for (const task of before) {
    if (!currentKeys.has(task.key) && !task.key.startsWith('+')) changes.push(entry(task, 'removed'))
  }
  return changes.length ? changes : sorted(before, after)
}

/** `Anna moved “Write tests” to Done`; for several changes only their number. */
export function describeChanges(changes: readonly Difference[], by: string): string {
  const [change] = changes
  if (!change) return ''
  if (changes.length > 1) return `${by} changed ${changes.length} tasks`
  return `${by} ${WORDS[change.what](change.text, LABELS[change.status])}`
}

const WORDS: Record<DifferenceKind, (text: string, column: string) => string> = {
  added: (text, column) => `added “${text}” to ${column}`,
  removed: (text) => `removed “${text}”`,
  renamed: (text) => `renamed a task to “${text}”`,
  moved: (text, column) => `moved “${text}” to ${column}`,
  sorted: (text, column) => `moved “${text}” within ${column}`,
}

/** The one task that moved while all others kept their order. */
function sorted(before: readonly Task[], after: readonly Task[]): Difference[] {
  const keys = after.map((task) => task.key)
  const first = keys.findIndex((key, index) => before[index]?.key !== key)
  if (first < 0 || before.length !== after.length) return []
  const moved = [before[first]?.key, keys[first]].find((key) => sameWithout(before, keys, key))
  return after.filter((task) => task.key === moved).map((task) => entry(task, 'sorted'))
}

function sameWithout(before: readonly Task[], keys: readonly string[], key: string | undefined): boolean {
  const rest = keys.filter((other) => other !== key)
  return before.filter((task) => task.key !== key).every((task, index) => task.key === rest[index])
}

const entry = ({ key, text, status }: Task, what: DifferenceKind): Difference => ({ key, what, text, status })
