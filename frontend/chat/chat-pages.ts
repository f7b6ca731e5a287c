// The loaded part of a window's chat: pages joined to one list, oldest first. Pure.
// Bounded: items far from where pages are added are dropped, and loaded again when they are scrolled to.
import type { ChatPageOut } from '../core/generated/api'
import type { ChatItem, ChatState } from '../core/store'

export type { ChatItem, ChatState }

/** A page as the server sends it, of messages or of records. */
export interface ChatPage extends Pick<ChatPageOut, 'hasMore' | 'hasNewer' | 'window'> {
  messages: readonly ChatItem[]
}

export type ChatRow =
  | { key: string; kind: 'begin' }
  | { key: string; kind: 'day'; ts: number }
  | { key: string; kind: 'message'; item: ChatItem }

export const ITEM_LIMIT = 4000 // messages or records

export const EMPTY: ChatState = { items: [], older: false, newer: false }

/** The state after loading one page. */
export function fromPage({
  messages,
  hasMore,
  hasNewer = false,
}: Pick<ChatPage, 'messages' | 'hasMore'> & Partial<Pick<ChatPage, 'hasNewer'>>): ChatState {
  return { items: messages, older: hasMore, newer: hasNewer }
}

export function withOlder(
  state: ChatState,
  { messages, hasMore }: Pick<ChatPage, 'messages' | 'hasMore'>,
): ChatState {
  const first = state.items[0]?.ts ?? Infinity
  const items = [...messages.filter((item) => item.ts < first), ...state.items]
  return {
    items: items.slice(0, ITEM_LIMIT),
    older: hasMore,
    newer: state.newer || items.length > ITEM_LIMIT,
  }
}

export function withNewer(
  state: ChatState,
  { messages, hasNewer }: Pick<ChatPage, 'messages' | 'hasNewer'>,
): ChatState {
  const last = state.items.at(-1)?.ts ?? -Infinity
  const items = [...state.items, ...messages.filter((item) => item.ts > last)]
  return {
    items: items.slice(-ITEM_LIMIT),
    older: state.older || items.length > ITEM_LIMIT,
    newer: hasNewer,
  }
}

/**
 * Merges a newer version of the last page: the last turn grows. It replaces the items that it covers.
 * Returns null if it does not reach back to the loaded items, because some in between are missing.
 */
export function withTail(
  state: ChatState,
  page: Pick<ChatPage, 'messages' | 'hasMore'> & Partial<Pick<ChatPage, 'hasNewer'>>,
): ChatState | null {
  const tail = fromPage(page)
  const last = state.items.at(-1)
  const start = tail.items[0]?.ts
  if (start === undefined) return state
  if (!last) return tail
  if (tail.older && last.ts < start) return null
  const before = state.items.filter((item) => item.ts < start)
  const items = [...before, ...tail.items]
  const older = items.length > ITEM_LIMIT || (before.length ? state.older : tail.older)
  return { items: items.slice(-ITEM_LIMIT), older, newer: false }
}

/** Adds a new record; one with the same `ts` is replaced. */
export function withRecord(state: ChatState, record: ChatItem): ChatState {
  if (state.newer) return state
  const index = state.items.findLastIndex((item) => item.ts <= record.ts)
  const replaced = state.items[index]?.ts === record.ts ? 1 : 0
  const items = state.items.toSpliced(index + 1 - replaced, replaced, record)
  return { ...state, items: items.slice(-ITEM_LIMIT), older: state.older || items.length > ITEM_LIMIT }
}

/**
 * The messages from the first prompt on: an answer before it may have started on the previous page, and
 * is loaded completely with that page.
 */
export function wholeTurns(messages: readonly ChatItem[], hasMore: boolean): readonly ChatItem[] {
  const first = hasMore ? messages.findIndex((message) => message.role === 'user') : 0
  return first > 0 ? messages.slice(first) : messages
}

/**
 * Rows with keys, and a row wherever a day starts. The key of a message (`turns`) stays the same while
 * an answer grows; the key of a record is its timestamp.
 */
export function rows(items: readonly ChatItem[], { older = false, turns = true } = {}): ChatRow[] {
  const list: ChatRow[] = older ? [] : [{ key: 'begin', kind: 'begin' }]
  let day = ''
  let turn = ''
  let answers = 0
  for (const item of items) {
    const itemDay = new Date(item.ts).toDateString()
    if (itemDay !== day) list.push({ key: `day ${itemDay}`, kind: 'day', ts: item.ts })
    day = itemDay
    if (item.role === 'user') [turn, answers] = [`${item.ts}`, 0]
    const key = item.role === 'user' || !turns ? `${item.ts}` : `${turn}+${++answers}`
    list.push({ key, kind: 'message', item })
  }
  return items.length ? list : []
}

/** The message at a timestamp: the one sent then, or the answer in progress. */
export function messageAt(items: readonly ChatItem[], ts: number): ChatItem | null {
  const index = items.findIndex((item) => item.ts >= ts)
  const next = items[index]
  if (!next) return items.at(-1) ?? null
  if (next.ts === ts || next.role === 'assistant') return next
  return items[index - 1] ?? next
}

/** How many items are newer than a timestamp. */
export function countSince(items: readonly ChatItem[], ts: number): number {
  return items.length - 1 - items.findLastIndex((item) => item.ts <= ts)
}
