// The chat: row geometry, joining of pages, prose and code, search matches.
import assert from 'node:assert/strict'
import { test } from 'vitest'

import {
  type ChatItem,
  type ChatState,
  countSince,
  ITEM_LIMIT,
  messageAt,
  EMPTY,
  fromPage,
  rows,
  wholeTurns,
  withNewer,
  withOlder,
  withRecord,
  withTail,
} from './chat-pages'
import { asTyped, excerpt, pattern, pieces } from './highlights'
import { Geometry } from './list-geometry'
import { recordingAt } from './recording-link'
import { blocks, cut } from './text-blocks'
import { ago, dayOf } from './times'

// --- row geometry ---

function geometry(count: number, estimate = 50) {
  const geometry = new Geometry()
  geometry.setRows(
    Array.from({ length: count }, (_, index) => `k${index}`),
    Array<number>(count).fill(estimate),
  )
  return geometry
}

test('rows that were not rendered have their estimated height', () => {
  const list = geometry(10)
  assert.equal(list.total, 500)
  assert.equal(list.top(3), 150)
  assert.equal(list.indexAt(149), 2)
  assert.equal(list.indexAt(150), 3)
  assert.equal(list.indexAt(-5), 0)
  assert.equal(list.indexAt(9999), 9)
})

test('a measured height moves only the rows below', () => {
  const list = geometry(10)
  assert.equal(list.measure('k2', 80), true)
  assert.equal(list.measure('k2', 80), false)
  assert.deepEqual([list.top(2), list.top(3), list.total], [100, 180, 530])
})

test('visible content stays in place when rows are added above', () => {
  const list = geometry(10)
  const anchor = list.anchorAt(170)
  assert.deepEqual(anchor, { key: 'k3', offset: 20 })
  const older = Array.from({ length: 5 }, (_, index) => `o${index}`)
  list.setRows(
    [...older, ...Array.from({ length: 10 }, (_, index) => `k${index}`)],
    Array<number>(15).fill(50),
  )
  assert.equal(list.scrollTo(anchor), 170 + 250)
  list.measure('o1', 90)
  assert.equal(list.scrollTo(anchor), 170 + 250 + 40)
})

test('an anchor whose row is gone has no position', () => {
  const list = geometry(3)
  assert.equal(list.scrollTo({ key: 'gone', offset: 0 }), null)
  assert.equal(geometry(0).anchorAt(0), null)
})

test('the range covers the view with overscan for any heights', () => {
  const list = geometry(1000)
  for (let index = 0; index < 1000; index += 7) list.measure(`k${index}`, 13 + (index % 90))
  for (let y = 0; y < list.total; y += 333) {
    const { first, end } = list.range(y, 400, 100)
    assert.ok(list.top(first) <= Math.max(0, y - 100) && list.top(end) >= Math.min(list.total, y + 500))
    assert.ok(end - first < 120)
  }
})

test('heights of removed rows are dropped', () => {
  const list = geometry(3)
  list.measure('k0', 99)
  list.setRows(['k1'], [50])
  list.setRows(['k0', 'k1'], [50, 50])
  assert.equal(list.total, 100)
})

test('the cost of measuring grows linearly with the number of rows', () => {
  const cost = (rows: number, turns: number) => {
    const list = geometry(rows)
    const start = performance.now()
    for (let turn = 0; turn < turns; turn++) {
      list.measure(`k${turn % 20}`, 51 + turn)
      list.top(rows)
    }
    return performance.now() - start
  }
  // The same amount of work if the cost is linear. The best of several runs is independent of the load.
  const best = (rows: number, turns: number) =>
    Math.min(...Array.from({ length: 7 }, () => cost(rows, turns)))
  const [few, many] = [best(1_000, 2_000), best(100_000, 20)]
  assert.ok(many < 20 * few, `${many} ms for many rows, ${few} ms for few`)
})

// --- joining pages ---

const user = (ts: number): ChatItem => ({ role: 'user', ts, text: `u${ts}` })
const assistant = (ts: number): ChatItem => ({ role: 'assistant', ts, text: `a${ts}` })
const times = (state: ChatState | null) => state?.items.map((item) => item.ts)

test('a page starts with a prompt if older messages exist', () => {
  assert.deepEqual(
    wholeTurns([assistant(1), user(2), assistant(3)], true).map(({ ts }) => ts),
    [2, 3],
  )
  assert.deepEqual(
    wholeTurns([assistant(1), user(2)], false).map(({ ts }) => ts),
    [1, 2],
  )
  assert.deepEqual(
    wholeTurns([assistant(1), assistant(2)], true).map(({ ts }) => ts),
    [1, 2],
  )
})

test('older pages are prepended, newer ones appended, without duplicates', () => {
  let state = fromPage({ messages: [user(10), assistant(11)], hasMore: true, hasNewer: true })
  state = withOlder(state, { messages: [user(5), assistant(6), user(10)], hasMore: false })
  state = withNewer(state, { messages: [assistant(11), user(12)], hasNewer: false })
  assert.deepEqual(times(state), [5, 6, 10, 11, 12])
  assert.deepEqual([state.older, state.newer], [false, false])
})

test('distant items are dropped and marked as available', () => {
  const many = (from: number) => Array.from({ length: ITEM_LIMIT }, (_, index) => user(from + index))
  const full = fromPage({ messages: many(10_000), hasMore: true })
  const up = withOlder(full, { messages: [user(1), user(2)], hasMore: true })
  assert.deepEqual([up.items.length, up.items[0]?.ts, up.newer], [ITEM_LIMIT, 1, true])
  const down = withNewer(full, { messages: [user(90_000)], hasNewer: false })
  assert.deepEqual([down.items.length, down.items.at(-1)?.ts, down.older], [ITEM_LIMIT, 90_000, true])
})

test('the newest page replaces the items that it covers', () => {
  const state = fromPage({ messages: [user(1), assistant(2), user(5), assistant(6)], hasMore: true })
  const grown = withTail(state, { messages: [user(5), assistant(9), user(12)], hasMore: true })
  assert.deepEqual(times(grown), [1, 2, 5, 9, 12])
  assert.equal(grown?.older, true)
})

test('a newest page with a gap is not merged', () => {
  const state = fromPage({ messages: [user(1), assistant(2)], hasMore: false })
  assert.equal(withTail(state, { messages: [user(50), assistant(51)], hasMore: true }), null)
  assert.deepEqual(times(withTail(state, { messages: [], hasMore: false })), [1, 2])
  const all = withTail(EMPTY, { messages: [user(50)], hasMore: false })
  assert.deepEqual([times(all), all?.older], [[50], false])
})

test('a repeated record is listed once, and a late one is inserted in order', () => {
  let state = fromPage({ messages: [user(1), assistant(5)], hasMore: false })
  state = withRecord(state, { ...assistant(5), text: 'grown' })
  state = withRecord(state, user(3))
  state = withRecord(state, user(9))
  assert.deepEqual(times(state), [1, 3, 5, 9])
  assert.equal(state.items[2]?.text, 'grown')
  assert.equal(withRecord({ ...state, newer: true }, user(10)).items.length, 4)
})

test('an answer keeps its key while it grows', () => {
  const keys = (items: ChatItem[]) =>
    rows(items)
      .filter(({ kind }) => kind === 'message')
      .map(({ key }) => key)
  assert.deepEqual(keys([user(1), assistant(2)]), keys([user(1), assistant(7)]))
  assert.equal(new Set(keys([user(1), assistant(2), assistant(3), user(4)])).size, 4)
})

test('records keep their keys when older ones of the same turn are added', () => {
  const keys = (items: ChatItem[]) =>
    rows(items, { turns: false, older: true })
      .filter(({ kind }) => kind === 'message')
      .map(({ key }) => key)
  assert.deepEqual(
    keys([assistant(1), assistant(2), assistant(3)]).slice(1),
    keys([assistant(2), assistant(3)]),
  )
})

test('each day has a heading, and the start is marked once it is loaded', () => {
  const noon = new Date(2026, 2, 1, 12).getTime()
  const list = rows([user(noon), assistant(noon + 1), user(noon + 86_400_000)])
  assert.deepEqual(
    list.map(({ kind }) => kind),
    ['begin', 'day', 'message', 'message', 'day', 'message'],
  )
  assert.equal(rows([user(noon)], { older: true })[0]?.kind, 'day')
  assert.deepEqual(rows([]), [])
})

test('a timestamp belongs to the message in progress', () => {
  const items = [user(10), assistant(19), user(20), assistant(29)]
  assert.equal(messageAt(items, 20)?.ts, 20)
  assert.equal(messageAt(items, 15)?.ts, 19)
  assert.equal(messageAt(items, 99)?.ts, 29)
  assert.equal(messageAt([], 1), null)
})

test('new messages are counted from the last visible one', () => {
  assert.equal(countSince([user(1), assistant(2), user(3)], 1), 2)
  assert.equal(countSince([user(1)], 5), 0)
})

// --- prose and code ---

const kinds = (text: string) => blocks(text).map(({ kind }) => kind)

test('prose with a list is prose', () => {
  assert.deepEqual(kinds('I fixed the bug.\nIt was in the parser.\n\n- one thing\n- another thing'), [
    'prose',
    'prose',
  ])
})

test('tables, trees, listings and fenced code keep their columns', () => {
  assert.deepEqual(kinds('┌───┬───┐\n│ a │ b │\n└───┴───┘'), ['code'])
  assert.deepEqual(kinds('| a | b |\n|---|---|'), ['code'])
  assert.deepEqual(kinds('drwxr-xr-x  2 root  root\n-rw-r--r--  1 root  root'), ['code'])
  assert.deepEqual(kinds('$ ls\nREADME'), ['code'])
  assert.deepEqual(kinds('Look:\n\n    def f():\n        return 1\n\n    f()\n\nDone.'), [
    'prose',
    'code',
    'prose',
  ])
})

test('fenced text is code, including blank lines', () => {
  assert.deepEqual(blocks('see\n```js\nlet a\n\nlet b\n```\nend'), [
    { kind: 'prose', text: 'see' },
    { kind: 'code', text: 'let a\n\nlet b' },
    { kind: 'prose', text: 'end' },
  ])
})

test('a long text is shortened and the hidden lines are counted', () => {
  const long = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')
  assert.equal(cut(long).text.split('\n').length, 40)
  assert.equal(cut(long).hidden, 61)
  assert.deepEqual(cut('short'), { text: 'short', hidden: 0 })
  assert.ok(cut('x'.repeat(50_000)).text.length < 10_000)
})

// --- search matches ---

test('words, phrases and prefixes match as on the server', () => {
  const marked = (query: string, text: string) =>
    pieces(text, pattern(query))
      .filter(({ hit }) => hit)
      .map(({ text }) => text)
  assert.deepEqual(marked('bug', 'A Bug, a debugger, bugs'), ['Bug'])
  assert.deepEqual(marked('bug*', 'A Bug, a debugger, bugs'), ['Bug', 'bugs'])
  assert.deepEqual(marked('"two words"', 'two  words and two'), ['two  words'])
  assert.deepEqual(marked('a.b(c', 'x a.b(c y'), ['a.b(c'])
  assert.equal(pattern('  "" *'), null)
})

test('the pieces add up to the text', () => {
  const text = 'one two one'
  assert.equal(
    pieces(text, pattern('one'))
      .map((piece) => piece.text)
      .join(''),
    text,
  )
  assert.deepEqual(pieces(text, null), [{ text, hit: false }])
})

test('the last word is a prefix while typing', () => {
  assert.equal(asTyped('fix par'), 'fix par*')
  assert.equal(asTyped('"fix par'), '"fix par')
  assert.equal(asTyped('fix*'), 'fix*')
})

test('an excerpt shows the match', () => {
  const text = `${'before '.repeat(60)}needle ${'after '.repeat(60)}`
  const line = excerpt(text, pattern('needle'))
  assert.ok(line.includes('needle') && line.startsWith('…') && line.endsWith('…') && line.length <= 162)
  assert.equal(excerpt('short', pattern('none')), 'short')
})

// --- timestamps ---

test('a timestamp is linked to the recording that covers it', () => {
  const recordings = [
    { key: 'two', startedAt: '2026-03-01T12:00:00Z', endedAt: null },
    { key: 'one', startedAt: '2026-03-01T10:00:00Z', endedAt: '2026-03-01T11:00:00Z' },
  ]
  const at = (text: string) => recordingAt(recordings, Date.parse(text), Date.parse('2026-03-01T13:00:00Z'))
  assert.equal(at('2026-03-01T10:00:30Z'), '/recordings/one?t=28')
  assert.equal(at('2026-03-01T12:00:01Z'), '/recordings/two?t=0')
  assert.equal(at('2026-03-01T11:30:00Z'), null)
})

test('times are formatted relative to now', () => {
  const now = new Date(2026, 2, 2, 12).getTime()
  assert.deepEqual(
    [ago(now, now), ago(now - 150_000, now), ago(now - 7_300_000, now)],
    ['just now', '2 min ago', '2 h ago'],
  )
  assert.deepEqual([dayOf(now, now), dayOf(now - 86_400_000, now)], ['Today', 'Yesterday'])
})
