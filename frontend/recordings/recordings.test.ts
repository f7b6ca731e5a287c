// Recordings: which are running, and the list.
import assert from 'node:assert/strict'
import { test } from 'vitest'

import type { RecordingOut, RecordingsUpdated } from '../core/generated/socket'
import { Store } from '../core/store'
import { belongs, lengthOf, newestFirst } from './recording-list'

const row = (key: string, more: Partial<RecordingOut> = {}): RecordingOut => ({
  key,
  paneId: '%1',
  state: 'recording',
  version: 1,
  startedAt: `2026-11-16T04:00:0${key.length}Z`,
  endedAt: null,
  duration: 0,
  size: 0,
  columns: 80,
  rows: 24,
  window: 'w',
  windowId: '@1',
  windowName: 'shell',
  session: 'work',
  project: 'Work',
  title: '',
  by: '',
  problem: '',
  ...more,
})
const updated = (...recordings: RecordingOut[]): RecordingsUpdated => ({
  type: 'recordings-updated',
  recordings,
  gone: [],
})

test('the store knows which panes are being recorded', () => {
  const store = new Store()
  store.takeRecordings({ recordings: [row('a')] })
  store.take(updated(row('bb', { paneId: '%2' })))
  assert.deepEqual([...store.recordings.keys()], ['%1', '%2'])
  store.take(updated(row('a', { state: 'done', version: 2 })))
  assert.deepEqual([...store.recordings.keys()], ['%2'])
  store.take({ type: 'recordings-updated', recordings: [], gone: ['bb'] })
  assert.equal(store.recordings.size, 0)
})

test('a late update does not restart an ended recording', () => {
  const store = new Store()
  store.take(updated(row('a', { version: 2 })))
  store.take(updated(row('a', { state: 'done', version: 3 })))
  store.take(updated(row('a', { version: 2, size: 5 })))
  assert.equal(store.recordings.size, 0)
})

test('the end of an older recording of a pane keeps the newer one', () => {
  const store = new Store()
  store.take(updated(row('new')))
  store.take(updated(row('old', { state: 'done', version: 9 })))
  assert.equal(store.recordings.get('%1')?.key, 'new')
})

test('the store has each recording once, in its newest state, until it is deleted', () => {
  const store = new Store()
  store.keepRecordings([row('a'), row('bb')])
  store.keepRecordings([row('ccc'), row('a', { version: 0, title: 'late' }), row('bb', { size: 7 })])
  const list = newestFirst([...store.savedRecordings.values()])
  assert.deepEqual(
    list.map(({ key }) => key),
    ['ccc', 'bb', 'a'],
  )
  assert.equal(list[1]?.size, 7)
  assert.equal(list[2]?.title, '')
  store.take({ ...updated(), gone: ['bb'] })
  assert.deepEqual([...store.savedRecordings.keys()], ['a', 'ccc'])
})

test('a recording that ended while the connection was lost is not shown as running', () => {
  const store = new Store()
  store.keepRecordings([row('a'), row('done', { state: 'done' })])
  store.takeRecordings({ recordings: [] })
  assert.deepEqual([...store.savedRecordings.keys()], ['done'])
})

test('the list of a window contains only its recordings', () => {
  assert.ok(belongs(row('a'), ''))
  assert.ok(belongs(row('a'), 'w'))
  assert.ok(!belongs(row('a'), 'x'))
})

test('the length of a running recording grows', () => {
  const start = Date.parse(row('a').startedAt)
  assert.equal(lengthOf(row('a'), start + 61_000), 61)
  assert.equal(lengthOf(row('a', { state: 'done', duration: 3 }), start + 61_000), 3)
})
