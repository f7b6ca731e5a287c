// What the page knows and where it is, by value: store, tree, addresses.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { format, parse } from '../../frontend/page/router.js'
import { Store } from '../../frontend/page/store.js'
import { addressOf, allWindows, currentWindow, stateOf, tree, waiting } from '../../frontend/page/workspace.js'

const shown = (number, fields = {}) => ({
  windowId: `@${number}`, windowIndex: number, windowName: `w${number}`, session: 'work', sessionId: '$0',
  activity: 10, panes: [], ...fields,
})
const fact = (number, fields = {}) => ({
  key: `key${number}`, windowId: `@${number}`, session: 'work', project: 'Work', alive: true, version: 1, ...fields,
})
const agent = (name, fields = {}) => ({ name, windowId: '@1', paneId: '%1', state: 'idle', ...fields })

function filled() {
  const store = new Store()
  store.takeWorkspace({ windows: [shown(2), shown(1), shown(3, { session: 'a', sessionId: '$1' })], problem: '' })
  store.takeFacts({ windows: [fact(1), fact(2)] })
  store.takeAgents({ agents: [agent('work'), agent('work:1.2', { state: 'waiting' })], totalAgents: 2 })
  return store
}

test('the tree has projects by name, windows by index, and agents where they are', () => {
  const [first, second] = tree(filled())
  assert.deepEqual([first.project, second.project], ['a', 'Work'])
  assert.deepEqual(second.windows.map((window) => window.windowId), ['@1', '@2'])
  assert.deepEqual(second.windows[0].agents.map(({ name }) => name), ['work', 'work:1.2'])
  assert.equal(second.windows[0].state, 'waiting')
})

test('of several agents the most urgent gives the state', () => {
  assert.equal(stateOf({ agents: [{ state: 'idle' }, { state: 'working' }] }), 'working')
  assert.equal(stateOf({ agents: [{ state: 'unknown' }] }), '')
})

test('a window is current by its key, or by its id until the key is known', () => {
  const store = filled()
  store.place = { view: 'terminal', key: 'key2', project: '' }
  assert.equal(currentWindow(store).windowId, '@2')
  store.place = { view: 'terminal', key: '@3', project: '' }
  assert.equal(currentWindow(store).windowId, '@3')
  assert.equal(addressOf(currentWindow(store)), '@3')
  store.place = { view: 'home', key: '', project: '' }
  assert.equal(currentWindow(store), null)
})

test('output counts as unseen only after it was once seen, and never where one looks', () => {
  const store = filled()
  const unseen = () => allWindows(store).filter((window) => window.unseen).map((window) => window.windowId)
  assert.deepEqual(unseen(), [])
  store.seen.set('key1', 9).set('key2', 10)
  assert.deepEqual(unseen(), ['@1'])
  store.place = { view: 'terminal', key: 'key1', project: '' }
  assert.deepEqual(unseen(), [])
})

test('events change the state, and an older version changes nothing', () => {
  const store = filled()
  store.take({ type: 'workspace-updated', windows: [shown(1, { windowName: 'new' })], gone: ['@2'], problem: '' })
  assert.deepEqual([...store.windows.keys()], ['@1', '@3'])
  assert.equal(store.windows.get('@1').windowName, 'new')
  store.take({ type: 'windows-updated', windows: [fact(1, { project: 'Newer', version: 3 })], projects: [] })
  store.take({ type: 'windows-updated', windows: [fact(1, { project: 'Older', version: 2 })], projects: [] })
  assert.equal(store.facts.get('key1').project, 'Newer')
  store.take({ type: 'agent-removed', name: 'work:1.2' })
  assert.deepEqual(waiting(store), [])
  store.take({ type: 'something-else' })
})

test('listeners hear once of everything that changed in a moment', async () => {
  const store = filled()
  await Promise.resolve()
  const heard = []
  store.addEventListener('change', ({ detail }) => heard.push([...detail].sort()))
  store.set('latency', 3)
  store.set('latency', 3)
  store.touch('agents')
  await Promise.resolve()
  assert.deepEqual(heard, [['agents', 'latency']])
})

test('every place has one address that leads back to it', () => {
  for (const place of [
    { view: 'home', key: '', project: '' },
    { view: 'board', key: '', project: '' },
    { view: 'terminal', key: '4rfdg3ymzj', project: '' },
    { view: 'chat', key: '@7', project: '' },
    { view: 'timeline', key: '', project: 'a/b c%' },
    { view: 'chat', key: 'a2c', project: '', at: '1794801819201' },
  ]) assert.deepEqual(parse(format(place)), place)
})

test('an address that says nothing sensible is home', () => {
  const home = { view: 'home', key: '', project: '' }
  for (const fragment of ['', '#', '#/', '#/window', '#/nonsense/x', '#/%E0%A4%A']) assert.deepEqual(parse(fragment), home)
})
