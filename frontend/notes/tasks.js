// The tasks of a sheet, and what a change does to them: what it looks like at once, and how the
// server is asked for it. Tasks are named by their keys, for places shift. Pure.
//
// A change is {kind: 'add', text, status, before?, mark, known}, {kind: 'move', key, status, before,
// was}, {kind: 'edit', key, text, was} or {kind: 'remove', key, was}. `before` is the key of the task
// that it shall stand before, null for the end of its column; `was` is the text that the person saw.

export const STATUSES = ['NS', 'WIP', 'BL', 'CM']
export const LABELS = { NS: 'Not started', WIP: 'In progress', BL: 'Blocked', CM: 'Done' }

export const columnOf = (tasks, status) => tasks.filter((task) => task.status === status)

/** The tasks as they will be. One whose task is gone changes nothing. */
export function applied(tasks, change) {
  return APPLIED[change.kind](tasks, change)
}

const APPLIED = {
  add(tasks, change) {
    if (arrived(tasks, change)) return tasks
    return inserted(tasks, { key: change.mark, text: change.text, status: change.status }, change.before)
  },
  move(tasks, { key, status, before }) {
    const task = tasks.find((each) => each.key === key)
    if (!task) return tasks
    return spliced(without(tasks, key), { ...task, status }, placeFor(tasks, key, status, before))
  },
  edit: (tasks, { key, text }) => tasks.map((task) => (task.key === key ? { ...task, text } : task)),
  remove: (tasks, { key }) => without(tasks, key),
}

/** The body of `update_task` for this list; null where nothing is to be done. */
export function asked(tasks, change) {
  return ASKED[change.kind](tasks, change, tasks.findIndex((task) => task.key === change.key))
}

const ASKED = {
  add(tasks, { text, status, before }) {
    const place = tasks.findIndex((task) => task.key === before)
    return { action: 'add', text, status, ...(place < 0 ? {} : { toIndex: place }) }
  },
  move(tasks, { key, status, before }, index) {
    const toIndex = placeFor(tasks, key, status, before)
    const same = tasks[index].status === status
    if (toIndex !== index) return { action: 'move', index, toIndex, ...(same ? {} : { status }) }
    return same ? null : { action: 'set_status', index, status }
  },
  edit: (tasks, { text }, index) => (tasks[index].text === text ? null : { action: 'set_text', index, text }),
  remove: (tasks, change, index) => ({ action: 'remove', index }),
}

/** Why a change may not be done to this list: its task is gone, or says something else by now. */
export function conflict(tasks, change) {
  if (change.kind === 'add') return null
  const task = tasks.find((each) => each.key === change.key)
  if (!task) return { gone: true, theirs: '' }
  return task.text === change.was || task.text === change.text ? null : { gone: false, theirs: task.text }
}

/** Where it stands in the whole list afterwards. */
function placeFor(tasks, key, status, before) {
  if (follows(columnOf(tasks, status), key, before)) return tasks.findIndex((task) => task.key === key)
  const rest = without(tasks, key)
  const next = rest.findIndex((task) => task.key === before)
  if (next >= 0) return next
  const last = rest.findLastIndex((task) => task.status === status)
  return last >= 0 ? last + 1 : tasks.findIndex((task) => task.key === key)
}

/** Whether it is there already: tasks of other columns may stand between the two. */
function follows(column, key, before) {
  const place = column.findIndex((task) => task.key === key)
  return place >= 0 && (column[place + 1]?.key ?? null) === before
}

/** Whether what was added is in the list that the server told: the answer may come after the news. */
function arrived(tasks, { text, status, known }) {
  return tasks.some((task) => !known.has(task.key) && task.text === text && task.status === status)
}

function inserted(tasks, task, before) {
  const place = tasks.findIndex((each) => each.key === before)
  return spliced(tasks, task, place < 0 ? tasks.length : place)
}

const without = (tasks, key) => tasks.filter((task) => task.key !== key)
const spliced = (tasks, task, place) => [...tasks.slice(0, place), task, ...tasks.slice(place)]
