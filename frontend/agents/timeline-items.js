// What an item of a timeline says and where it leads. Pure: values in, words and addresses out.
import { format } from '../page/router.js'
import { blocks } from './text-blocks.js'

export const KINDS = [
  { kind: 'prompt', name: 'Prompts' },
  { kind: 'turn', name: 'Turns' },
  { kind: 'task', name: 'Tasks' },
  { kind: 'call', name: 'Tool calls' },
  { kind: 'attachment', name: 'Files' },
]

const ACTIONS = {
  add: 'Task added', set_status: 'Task moved', set_text: 'Task renamed', remove: 'Task removed', move: 'Task reordered',
  write_notes: 'Notes written',
}
const TASK_ACTIONS = new Set(['add', 'set_status', 'remove'])
const STATUS = { NS: 'not started', WIP: 'in progress', BL: 'blocked', CM: 'done' }
const TASK_LINE = /^[+-] \s*(?:[-*]\s+)?(?:\[(\w+)\]\s*)?(.*)$/

export function title({ kind, action }) {
  if (kind === 'prompt') return 'Prompt'
  if (kind === 'turn') return 'Turn ended'
  if (kind === 'call') return action
  if (kind === 'attachment') return 'File attached'
  return ACTIONS[action] ?? action.replaceAll('_', ' ')
}

/** `by` in words: who typed at a terminal of their own is not known. */
export function author({ kind, by }) {
  if (by) return `by ${by}`
  return kind === 'prompt' ? 'typed in the window' : ''
}

/** The text, and whether it must keep its columns. */
export function content({ kind, action, text, detail }) {
  if (kind === 'task') return (TASK_ACTIONS.has(action) && taskMove(text)) || { text, mono: true }
  if (kind === 'attachment') return { text: `${text} (${size(detail)})`, mono: false }
  if (kind === 'call') return { text: [text, detail].filter(Boolean).join(' · '), mono: true }
  if (kind === 'turn') return { text: prose(text), mono: false }
  return { text, mono: true }
}

/** What was said, without what was drawn. */
function prose(text) {
  const said = blocks(text).filter((block) => block.kind === 'prose').map((block) => block.text)
  return said.join('\n') || text
}

/** "Fix the parser: in progress → done", where that, or one task, is all that changed. */
export function taskMove(lines) {
  const [old, young, ...rest] = lines.split('\n').map((line) => line.match(TASK_LINE))
  const called = (status = 'NS') => STATUS[status] ?? status // a line without a mark is not started
  if (!old || young === null || rest.length) return null
  if (!young) return { text: `${old[2]}: ${called(old[1])}`, mono: false }
  if (old[2] !== young[2] || old[1] === young[1]) return null
  return { text: `${young[2]}: ${called(old[1])} → ${called(young[1])}`, mono: false }
}

/** [{name, href}]: where it can be seen. */
export function links({ kind, ts, window }, project) {
  if (kind === 'task') return [{ name: 'On the board', href: format(window ? { view: 'board', key: window } : { view: 'board', project }) }]
  return window ? [{ name: 'In the chat', href: format({ view: 'chat', key: window, at: String(ts) }) }] : []
}

/** Newest first: the first page once more, before what is loaded; alone where something is between. */
export function withNewest(items, page) {
  const known = new Set(items.map(({ key }) => key))
  const fresh = page.items.filter(({ key }) => !known.has(key))
  if (fresh.length === page.items.length && page.hasMore) return { items: page.items, hasMore: true, alone: true }
  // A turn that still goes on moves: what stands among the page's items but is not one of them is old.
  const end = page.items.at(-1)
  const covered = new Set(page.items.map(({ key }) => key))
  const last = end ? items.findIndex(({ key }) => key === end.key) : -1
  const kept = items.filter(({ key }, at) => !covered.has(key) && at > last)
  return { items: [...page.items, ...kept], alone: false }
}

/** Rows of the list: a heading wherever a day begins. */
export function rows(items) {
  const told = []
  let day = ''
  for (const item of items) {
    const its = new Date(item.ts).toDateString()
    if (its !== day) told.push({ key: `day ${its}`, kind: 'day', ts: item.ts })
    day = its
    told.push({ key: item.key, kind: 'event', item })
  }
  return told
}

function size(detail) {
  const bytes = Number.parseInt(detail, 10)
  if (!(bytes >= 1024)) return `${bytes || 0} bytes`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
