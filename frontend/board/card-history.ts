// Sentences about the changes of one task, for the history of a card. Pure.
import type { TaskDifference } from '../core/generated/api'
import { LABELS, STATUSES } from './tasks'

/** `moved it from Not started to In progress, changed the description` */
export function describeTask(changes: readonly TaskDifference[]): string {
  return changes.map((change) => SENTENCES[change.kind](change)).join(', ')
}

const SENTENCES: Record<TaskDifference['kind'], (change: TaskDifference) => string> = {
  added: () => 'added it',
  status: ({ before, after }) => `moved it from ${labelOf(before)} to ${labelOf(after)}`,
  text: ({ before, after }) => `renamed it from “${before}” to “${after}”`,
  description: ({ before, after }) => {
    if (!before) return 'added a description'
    return after ? 'changed the description' : 'removed the description'
  },
  handed: ({ after }) => `handed it to ${after}`,
  judged: ({ after }) => (after === 'done' ? 'accepted the work' : 'asked for more work'),
  changed: () => 'changed notes that mention it',
}

function labelOf(name: string): string {
  const status = STATUSES.find((other) => other === name)
  return status ? LABELS[status] : name
}
