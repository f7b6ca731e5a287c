// The text and the links of a timeline item, and how pages are merged. Pure.
import type { TimelineItemOut, TimelineKind, TimelineOut } from '../core/generated/api'
import { format } from '../core/router'
import { blocks } from './text-blocks'

export const KINDS: readonly { kind: TimelineKind; name: string }[] = [
  { kind: 'prompt', name: 'Prompts' },
  { kind: 'turn', name: 'Turns' },
  { kind: 'task', name: 'Tasks' },
  { kind: 'call', name: 'Tool calls' },
  { kind: 'attachment', name: 'Files' },
]

const ACTIONS: Readonly<Record<string, string>> = {
  add: 'Task added',
  set_status: 'Task moved',
  set_text: 'Task renamed',
  remove: 'Task removed',
  move: 'Task reordered',
  write_notes: 'Notes written',
}
const TASK_ACTIONS = new Set(['add', 'set_status', 'remove'])
const STATUS: Readonly<Record<string, string>> = {
  NS: 'not started',
  WIP: 'in progress',
  BL: 'blocked',
  CM: 'done',
}
const TASK_LINE = /^[+-] \s*(?:[-*]\s+)?(?:\[(\w+)\]\s*)?(.*)$/

export function title({ kind, action }: TimelineItemOut): string {
  if (kind === 'prompt') return 'Prompt'
  if (kind === 'turn') return 'Turn ended'
  if (kind === 'call') return action
  if (kind === 'attachment') return 'File attached'
  return ACTIONS[action] ?? action.replaceAll('_', ' ')
}

/** The author; for text typed in a terminal it is unknown. */
export function author({ kind, by }: TimelineItemOut): string {
  if (by) return `by ${by}`
  return kind === 'prompt' ? 'typed in the window' : ''
}

/** The text, and whether it needs a monospaced font. */
export interface Content {
  text: string
  mono: boolean
}

export function content({ kind, action, text, detail }: TimelineItemOut): Content {
  if (kind === 'task') return (TASK_ACTIONS.has(action) && taskMove(text)) || { text, mono: true }
  if (kind === 'attachment') return { text: `${text} (${size(detail)})`, mono: false }
  if (kind === 'call') return { text: [text, detail].filter(Boolean).join(' · '), mono: true }
  if (kind === 'turn') return { text: prose(text), mono: false }
  return { text, mono: true }
}

/** The prose of a text, without drawings and code. */
function prose(text: string): string {
  const paragraphs = blocks(text)
    .filter((block) => block.kind === 'prose')
    .map((block) => block.text)
  return paragraphs.join('\n') || text
}

/** "Fix the parser: in progress → done" if one task changed its status or was added, else null. */
export function taskMove(lines: string): Content | null {
  const [before, after, ...rest] = lines.split('\n').map((line) => line.match(TASK_LINE))
  const label = (status = 'NS') => STATUS[status] ?? status // a line without a status is not started
  if (!before || after === null || rest.length) return null
  if (!after) return { text: `${before[2]}: ${label(before[1])}`, mono: false }
  if (before[2] !== after[2] || before[1] === after[1]) return null
  return { text: `${after[2]}: ${label(before[1])} → ${label(after[1])}`, mono: false }
}

/** [{name, href}]: links to the board or the chat. */
export function links(
  { kind, ts, window }: TimelineItemOut,
  project: string,
): { name: string; href: string }[] {
  if (kind === 'task')
    return [
      {
        name: 'Open board',
        href: format(window ? { view: 'board', key: window } : { view: 'board', project }),
      },
    ]
  return window ? [{ name: 'Open chat', href: format({ view: 'chat', key: window, at: String(ts) }) }] : []
}

/** Merges a new first page (newest first) into the loaded items; `alone` if there is a gap in between. */
export function withNewest(
  items: readonly TimelineItemOut[],
  page: Pick<TimelineOut, 'items' | 'hasMore'>,
): { items: TimelineItemOut[]; alone: boolean } {
  const known = new Set(items.map(({ key }) => key))
  const fresh = page.items.filter(({ key }) => !known.has(key))
  if (fresh.length === page.items.length && page.hasMore) return { items: page.items, alone: true }
  // A turn in progress moves up: loaded items within the range of the page but not on it are outdated.
  const end = page.items.at(-1)
  const covered = new Set(page.items.map(({ key }) => key))
  const last = end ? items.findIndex(({ key }) => key === end.key) : -1
  const kept = items.filter(({ key }, index) => !covered.has(key) && index > last)
  return { items: [...page.items, ...kept], alone: false }
}

export type TimelineRow =
  | { key: string; kind: 'day'; ts: number }
  | { key: string; kind: 'event'; item: TimelineItemOut }

/** The rows of the list, with a heading wherever a day starts. */
export function rows(items: readonly TimelineItemOut[]): TimelineRow[] {
  const list: TimelineRow[] = []
  let day = ''
  for (const item of items) {
    const itemDay = new Date(item.ts).toDateString()
    if (itemDay !== day) list.push({ key: `day ${itemDay}`, kind: 'day', ts: item.ts })
    day = itemDay
    list.push({ key: item.key, kind: 'event', item })
  }
  return list
}

function size(detail: string): string {
  const bytes = Number.parseInt(detail, 10)
  if (!(bytes >= 1024)) return `${bytes || 0} bytes`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
