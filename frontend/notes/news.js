// What is different between two states of the same tasks, and how that is said. Pure.
import { LABELS } from './tasks.js'

/** [{key, what, text, status}]: what is added, removed, renamed, moved (to a column) or sorted. */
export function differences(before, after) {
  const old = new Map(before.map((task) => [task.key, task]))
  const now = new Set(after.map((task) => task.key))
  // What this page has added itself stands under a mark until the server tells its key.
  const marked = new Set(before.filter((task) => task.key.startsWith('+')).map((task) => task.text))
  const found = []
  for (const task of after) {
    const was = old.get(task.key)
    if (!was && !marked.has(task.text)) found.push(told(task, 'added'))
    else if (was && was.status !== task.status) found.push(told(task, 'moved'))
    else if (was && was.text !== task.text) found.push(told(task, 'renamed'))
  }
  for (const task of before) {
    if (!now.has(task.key) && !task.key.startsWith('+')) found.push(told(task, 'removed'))
  }
  return found.length ? found : sorted(before, after)
}

/** «Anna moved “Write tests” to Done». Of many changes at once only the number. */
export function said(changes, by) {
  if (changes.length === 0) return ''
  if (changes.length > 1) return `${by} changed ${changes.length} tasks`
  const [{ what, text, status }] = changes
  return `${by} ${WORDS[what](text, LABELS[status])}`
}

const WORDS = {
  added: (text, column) => `added “${text}” to ${column}`,
  removed: (text) => `removed “${text}”`,
  renamed: (text) => `renamed a task to “${text}”`,
  moved: (text, column) => `moved “${text}” to ${column}`,
  sorted: (text, column) => `moved “${text}” within ${column}`,
}

/** The one task whose place is another, where the rest stayed in order. */
function sorted(before, after) {
  const keys = after.map((task) => task.key)
  const first = keys.findIndex((key, place) => before[place]?.key !== key)
  if (first < 0 || before.length !== after.length) return []
  const moved = [before[first].key, keys[first]].find((key) => sameWithout(before, keys, key))
  return after.filter((task) => task.key === moved).map((task) => told(task, 'sorted'))
}

function sameWithout(before, keys, key) {
  const rest = keys.filter((each) => each !== key)
  return before.filter((task) => task.key !== key).every((task, place) => task.key === rest[place])
}

const told = ({ key, text, status }, what) => ({ key, what, text, status })
