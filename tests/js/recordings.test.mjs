// Recordings as pages know them: which run, which are listed; late words change nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Store } from '../../frontend/page/store.js'
import { belongs, lengthOf, merge, without } from '../../frontend/terminals/recording-list.js'

const row = (key, more = {}) => ({
  key, paneId: '%1', state: 'recording', version: 1, startedAt: `2026-11-16T04:00:0${key.length}Z`, duration: 0, window: 'w', ...more,
})
const told = (...recordings) => ({ type: 'recordings-updated', recordings, gone: [] })

test('the store knows which panes are being recorded', () => {
  const store = new Store()
  store.takeRecordings({ recordings: [row('a')] })
  store.take(told(row('bb', { paneId: '%2' })))
  assert.deepEqual([...store.recordings.keys()], ['%1', '%2'])
  store.take(told(row('a', { state: 'done', version: 2 })))
  assert.deepEqual([...store.recordings.keys()], ['%2'])
  store.take({ type: 'recordings-updated', recordings: [], gone: ['bb'] })
  assert.equal(store.recordings.size, 0)
})

test('a late word of growth does not bring an ended recording back', () => {
  const store = new Store()
  store.take(told(row('a', { version: 2 })))
  store.take(told(row('a', { state: 'done', version: 3 })))
  store.take(told(row('a', { version: 2, size: 5 })))
  assert.equal(store.recordings.size, 0)
})

test('the end of an older recording of a pane leaves the newer one', () => {
  const store = new Store()
  store.take(told(row('new')))
  store.take(told(row('old', { state: 'done', version: 9 })))
  assert.equal(store.recordings.get('%1').key, 'new')
})

test('the list has each once, the newest first and in its newest state', () => {
  const list = merge([row('a'), row('bb')], [row('ccc'), row('a', { version: 0, title: 'late' }), row('bb', { size: 7 })])
  assert.deepEqual(list.map(({ key }) => key), ['ccc', 'bb', 'a'])
  assert.equal(list[1].size, 7)
  assert.equal(list[2].title, undefined)
  assert.deepEqual(without(list, ['bb']).map(({ key }) => key), ['ccc', 'a'])
})

test('a list of one window takes only what was recorded there', () => {
  assert.ok(belongs(row('a'), ''))
  assert.ok(belongs(row('a'), 'w'))
  assert.ok(!belongs(row('a'), 'x'))
})

test('one that runs is as long as it runs', () => {
  const start = Date.parse(row('a').startedAt)
  assert.equal(lengthOf(row('a'), start + 61_000), 61)
  assert.equal(lengthOf(row('a', { state: 'done', duration: 3 }), start + 61_000), 3)
})
