// The tasks of a sheet, and what a change does to them: how it is shown at once, and how it is requested
// from the server. Tasks are identified by their keys, because their positions shift. Pure.
import type { Status, TaskChange, TaskOut } from '../core/generated/api'

export type { Status }
export type Task = Pick<TaskOut, 'key' | 'text' | 'status' | 'description'>
type Tasks = readonly Task[]

// In all changes, `before` is the key of the task that follows it, null for the end of its column, and
// `was` is the text that the user saw.
export interface AddChange {
  kind: 'add'
  text: string
  status: Status
  before?: string | null
}
export interface MoveChange {
  kind: 'move'
  key: string
  status: Status
  before: string | null
  was: string
}
export interface EditChange {
  kind: 'edit'
  key: string
  text: string
  was: string
}
/** `description` and `wasDescription` may have several lines. */
export interface DescribeChange {
  kind: 'describe'
  key: string
  description: string
  wasDescription: string
  was: string
}
export interface RemoveChange {
  kind: 'remove'
  key: string
  was: string
}
/** A change of a task that exists. */
export type KeyedChange = MoveChange | EditChange | DescribeChange | RemoveChange
export type Change = AddChange | KeyedChange

/** `mark` is the temporary key of the task, `known` the keys that existed before it. */
export interface PendingAdd extends AddChange {
  mark: string
  known: ReadonlySet<string>
}
export type PendingChange = PendingAdd | KeyedChange

/** The task is gone, or `theirs` is its text by now. */
export interface Conflict {
  gone: boolean
  theirs: string
}

export const STATUSES = ['NS', 'WIP', 'BL', 'CM'] as const satisfies readonly Status[]
export const LABELS: Record<Status, string> = {
  NS: 'Not started',
  WIP: 'In progress',
  BL: 'Blocked',
  CM: 'Done',
}

export function columnOf<Item extends Task>(tasks: readonly Item[], status: Status): Item[] {
  return tasks.filter((task) => task.status === status)
}

/** The tasks after the change. If its task is gone, nothing changes. */
export function applied(tasks: Tasks, change: PendingChange): Tasks {
  switch (change.kind) {
    case 'add':
      return added(tasks, change)
    case 'move':
      return moved(tasks, change)
    case 'edit':
      return tasks.map((task) => (task.key === change.key ? { ...task, text: change.text } : task))
    case 'describe':
      return tasks.map((task) =>
        task.key === change.key ? { ...task, description: change.description } : task,
      )
    case 'remove':
      return without(tasks, change.key)
  }
}

function added(tasks: Tasks, change: PendingAdd): Tasks {
  if (isListed(tasks, change)) return tasks
  const position = indexOf(tasks, change.before)
  const task = { key: change.mark, text: change.text, status: change.status }
  return insertAt(tasks, task, position < 0 ? tasks.length : position)
}

function moved(tasks: Tasks, change: MoveChange): Tasks {
  const task = tasks.find((other) => other.key === change.key)
  if (!task) return tasks
  return insertAt(
    without(tasks, change.key),
    { ...task, status: change.status },
    indexAfterMove(tasks, change),
  )
}

/** The body of the `update_task` request for this list; null if nothing changes. */
export function requestBody(tasks: Tasks, change: Change): TaskChange | null {
  if (change.kind === 'add') return addRequest(tasks, change)
  const index = indexOf(tasks, change.key)
  const task = tasks[index]
  if (!task) return null
  switch (change.kind) {
    case 'move':
      return moveRequest(tasks, change, task, index)
    case 'edit':
      return task.text === change.text ? null : { action: 'set_text', index, text: change.text }
    case 'describe':
      return (task.description ?? '') === change.description
        ? null
        : { action: 'set_description', index, text: change.description }
    case 'remove':
      return { action: 'remove', index }
  }
}

function addRequest(tasks: Tasks, { text, status, before }: AddChange): TaskChange {
  const position = indexOf(tasks, before)
  return { action: 'add', text, status, ...(position < 0 ? {} : { toIndex: position }) }
}

function moveRequest(tasks: Tasks, change: MoveChange, task: Task, index: number): TaskChange | null {
  const { status } = change
  const toIndex = indexAfterMove(tasks, change)
  const same = task.status === status
  if (toIndex !== index) return { action: 'move', index, toIndex, ...(same ? {} : { status }) }
  return same ? null : { action: 'set_status', index, status }
}

/** Why a change conflicts with this list, or null. */
export function conflict(tasks: Tasks, change: Change): Conflict | null {
  if (change.kind === 'add') return null
  const task = tasks.find((other) => other.key === change.key)
  if (!task) return { gone: true, theirs: '' }
  if (change.kind === 'describe') {
    const current = task.description ?? ''
    const isKnown = current === change.wasDescription || current === change.description
    return isKnown ? null : { gone: false, theirs: current }
  }
  const isExpected = task.text === change.was || (change.kind === 'edit' && task.text === change.text)
  return isExpected ? null : { gone: false, theirs: task.text }
}

/** Its index in the whole list after the move. */
function indexAfterMove(tasks: Tasks, { key, status, before }: MoveChange): number {
  if (follows(columnOf(tasks, status), key, before)) return indexOf(tasks, key)
  const rest = without(tasks, key)
  const next = indexOf(rest, before)
  if (next >= 0) return next
  const last = rest.findLastIndex((task) => task.status === status)
  return last >= 0 ? last + 1 : indexOf(tasks, key)
}

/** Whether it is there already: tasks of other columns may be in between. */
function follows(column: Tasks, key: string, before: string | null): boolean {
  const position = indexOf(column, key)
  return position >= 0 && (column[position + 1]?.key ?? null) === before
}

/** Whether the server already lists the added task: the event may arrive before the response. */
function isListed(tasks: Tasks, { text, status, known }: PendingAdd): boolean {
  return tasks.some((task) => !known.has(task.key) && task.text === text && task.status === status)
}

const indexOf = (tasks: Tasks, key: string | null | undefined) => tasks.findIndex((task) => task.key === key)
const without = (tasks: Tasks, key: string) => tasks.filter((task) => task.key !== key)
const insertAt = (tasks: Tasks, task: Task, position: number) => tasks.toSpliced(position, 0, task)
