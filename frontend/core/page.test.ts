// The state of the page: store, tree, addresses.
import assert from 'node:assert/strict'
import { test } from 'vitest'

import type { SocketEvent } from './generated/socket'
import { format, type Place, parse } from './router'
import { agentOf as agent, savedWindow as saved, shownWindow as shown } from './samples'
import { Store } from './store'
import { addressOf, allWindows, currentWindow, stateOf, tree, waiting } from './workspace'

function filled() {
  const store = new Store()
  store.takeWorkspace({
    windows: [shown(2), shown(1), shown(3, { session: 'a', sessionId: '$1' })],
    problem: '',
  })
  store.takeSavedWindows({ windows: [saved(1), saved(2)] })
  store.takeAgents({ agents: [agent('work'), agent('work:1.2', { state: 'waiting' })], totalAgents: 2 })
  return store
}

test('the tree has projects by name, windows by index, and their agents', () => {
  const [first, second] = tree(filled())
  assert.ok(first && second)
  assert.deepEqual([first.project, second.project], ['a', 'Work'])
  assert.deepEqual(
    second.windows.map((window) => window.windowId),
    ['@1', '@2'],
  )
  assert.deepEqual(
    second.windows[0]?.agents.map(({ name }) => name),
    ['work', 'work:1.2'],
  )
  assert.equal(second.windows[0]?.state, 'waiting')
})

test('the state of a window is that of its most urgent agent', () => {
  assert.equal(stateOf({ agents: [{ state: 'idle' }, { state: 'working' }] }), 'working')
  assert.equal(stateOf({ agents: [{ state: 'unknown' }] }), '')
})

test('the current window is found by its key, or by its id until the key is known', () => {
  const store = filled()
  store.place = { view: 'terminal', key: 'key2', project: '' }
  assert.equal(currentWindow(store)?.windowId, '@2')
  store.place = { view: 'terminal', key: '@3', project: '' }
  assert.equal(currentWindow(store)?.windowId, '@3')
  const shown3 = currentWindow(store)
  assert.ok(shown3)
  assert.equal(addressOf(shown3), '@3')
  store.place = { view: 'home', key: '', project: '' }
  assert.equal(currentWindow(store), null)
})

test('new output is marked only for known windows, and never for the current one', () => {
  const store = filled()
  const unseen = () =>
    allWindows(store)
      .filter((window) => window.unseen)
      .map((window) => window.windowId)
  assert.deepEqual(unseen(), [])
  store.seen.set('key1', 9).set('key2', 10)
  assert.deepEqual(unseen(), ['@1'])
  store.place = { view: 'terminal', key: 'key1', project: '' }
  assert.deepEqual(unseen(), [])
})

test('events update the state, and older versions are ignored', () => {
  const store = filled()
  store.take({
    type: 'workspace-updated',
    windows: [shown(1, { windowName: 'new' })],
    gone: ['@2'],
    problem: '',
  })
  assert.deepEqual([...store.windows.keys()], ['@1', '@3'])
  assert.equal(store.windows.get('@1')?.windowName, 'new')
  store.take({ type: 'windows-updated', windows: [saved(1, { project: 'Newer', version: 3 })], projects: [] })
  store.take({ type: 'windows-updated', windows: [saved(1, { project: 'Older', version: 2 })], projects: [] })
  assert.equal(store.savedWindows.get('key1')?.project, 'Newer')
  store.take({ type: 'agent-removed', name: 'work:1.2' })
  assert.deepEqual(waiting(store), [])
  store.take({ type: 'something-else' } as unknown as SocketEvent)
})

test('listeners are called once for several changes', async () => {
  const store = filled()
  await Promise.resolve()
  const received: string[][] = []
  store.addEventListener('change', ({ detail }) => received.push([...detail].sort()))
  store.set('latency', 3)
  store.set('latency', 3)
  store.markChanged('agents')
  await Promise.resolve()
  assert.deepEqual(received, [['agents', 'latency']])
})

test('every place has an address that parses back to it', () => {
  const places: Place[] = [
    { view: 'home', key: '', project: '' },
    { view: 'board', key: '', project: '' },
    { view: 'terminal', key: '4rfdg3ymzj', project: '' },
    { view: 'chat', key: '@7', project: '' },
    { view: 'timeline', key: '', project: 'a/b c%' },
    { view: 'chat', key: 'a2c', project: '', at: '1794801819201' },
  ]
  for (const place of places) assert.deepEqual(parse(format(place)), place)
})

test('an invalid address is home', () => {
  const home = { view: 'home', key: '', project: '' }
  for (const fragment of ['', '#', '#/', '#/window', '#/nonsense/x', '#/%E0%A4%A'])
    assert.deepEqual(parse(fragment), home)
})
