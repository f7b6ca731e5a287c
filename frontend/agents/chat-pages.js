// The stretch of a window's chat that is loaded: pages joined to one list, oldest first. Pure.
// `older` and `newer` say whether the server has more at either end. Bounded: what is far from where
// pages are added is let go, and loaded again when it is looked at.

export const KEPT = 4000 // messages or records

export const NOTHING = { items: [], older: false, newer: false }

/** A page that was asked for by itself. */
export function opened({ messages, hasMore, hasNewer = false }) {
  return { items: messages, older: hasMore, newer: hasNewer }
}

export function withOlder(state, { messages, hasMore }) {
  const first = state.items[0]?.ts ?? Infinity
  const items = [...messages.filter((item) => item.ts < first), ...state.items]
  return { items: items.slice(0, KEPT), older: hasMore, newer: state.newer || items.length > KEPT }
}

export function withNewer(state, { messages, hasNewer }) {
  const last = state.items.at(-1)?.ts ?? -Infinity
  const items = [...state.items, ...messages.filter((item) => item.ts > last)]
  return { items: items.slice(-KEPT), older: state.older || items.length > KEPT, newer: hasNewer }
}

/**
 * The newest messages once more: the last turn grows. They take the place of what they cover; null
 * where they do not reach back to what is loaded, since between the two something is missing.
 */
export function withTail(state, page) {
  const tail = opened(page)
  if (!state.items.length || !tail.items.length) return tail.items.length ? tail : state
  const begin = tail.items[0].ts
  if (tail.older && state.items.at(-1).ts < begin) return null
  const kept = state.items.filter((item) => item.ts < begin)
  const items = [...kept, ...tail.items]
  const older = items.length > KEPT || (kept.length ? state.older : tail.older)
  return { items: items.slice(-KEPT), older, newer: false }
}

/** A record that was just told; one with a known `ts` takes the other's place. */
export function withRecord(state, record) {
  if (state.newer) return state
  const at = state.items.findLastIndex((item) => item.ts <= record.ts)
  const items = [...state.items]
  if (at >= 0 && items[at].ts === record.ts) items[at] = record
  else items.splice(at + 1, 0, record)
  return { ...state, items: items.slice(-KEPT), older: state.older || items.length > KEPT }
}

/**
 * Messages from the first prompt on: the answer before it may have begun on the page before, and would come
 * again, whole, with that.
 */
export function wholeTurns(messages, hasMore) {
  const first = hasMore ? messages.findIndex((message) => message.role === 'user') : 0
  return first > 0 ? messages.slice(first) : messages
}

/**
 * With a key for each, and a row wherever a day begins. Of messages (`turns`) the key stays while an
 * answer grows; records have their moment.
 */
export function rows(items, { older = false, turns = true } = {}) {
  const told = older ? [] : [{ key: 'begin', kind: 'begin' }]
  let day = ''
  let turn = ''
  let answers = 0
  for (const item of items) {
    const its = new Date(item.ts).toDateString()
    if (its !== day) told.push({ key: `day ${its}`, kind: 'day', ts: item.ts })
    day = its
    if (item.role === 'user') [turn, answers] = [`${item.ts}`, 0]
    const key = item.role === 'user' || !turns ? `${item.ts}` : `${turn}+${++answers}`
    told.push({ key, kind: 'message', item })
  }
  return items.length ? told : []
}

/** Which message a moment belongs to: at it, or the answer that was being given then. */
export function messageAt(items, ts) {
  const next = items.findIndex((item) => item.ts >= ts)
  if (next < 0) return items.at(-1) ?? null
  if (items[next].ts === ts || items[next].role === 'assistant') return items[next]
  return items[next - 1] ?? items[next]
}

/** How many came after a moment. */
export function countSince(items, ts) {
  let count = 0
  while (count < items.length && items[items.length - 1 - count].ts > ts) count++
  return count
}
