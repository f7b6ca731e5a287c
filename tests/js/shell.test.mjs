// The shell of the page, as far as it needs no browser: keys, palette, titles, notices, notifications.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { joined, seenAfter, titleOf } from '../../frontend/page/attention.js'
import { trouble } from '../../frontend/page/connection.js'
import { match, pieces, rank } from '../../frontend/page/fuzzy.js'
import { happenings, idOf, wordsOf } from '../../frontend/page/happenings.js'
import { actionFor, isWriting, nameOf, readable } from '../../frontend/page/keys.js'
import { landing } from '../../frontend/page/landing.js'
import { notice } from '../../frontend/page/notices.js'
import { RECENT_LIMIT, items, recentFirst, remembered } from '../../frontend/page/palette-items.js'
import { viewsOf, whatIs } from '../../frontend/page/places.js'
import { Store } from '../../frontend/page/store.js'

const key = (name, mods = {}) => ({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...mods })
const pane = { paneId: '%1', paneIndex: 0, active: true, command: 'sh', path: '/srv', title: '' }
const shown = (number, more = {}) => ({
  windowId: `@${number}`, windowIndex: number, windowName: `w${number}`, session: 'shop', sessionId: '$1', active: false, activity: 10, panes: [pane], ...more,
})
const fact = (number, more = {}) => ({ key: `k${number}`, windowId: `@${number}`, windowName: `w${number}`, project: 'Shop', alive: true, version: 1, ...more })
const agent = (state, more = {}) => ({ name: 'shop', runtime: 'claude', windowId: '@1', paneId: '%1', state, question: '', workDir: '/srv', ...more })

function filled({ place = {}, agents = [], windows = [shown(1), shown(2, { activity: 20, active: true })] } = {}) {
  const store = new Store()
  store.takeWorkspace({ windows, problem: '' })
  store.takeFacts({ windows: [fact(1), fact(2)] })
  store.takeAgents({ agents, totalAgents: agents.length })
  store.place = { view: 'terminal', key: '', project: '', ...place }
  return store
}

test('a key is called as actions call it', () => {
  assert.equal(nameOf(key('k', { ctrlKey: true })), 'Mod+K')
  assert.equal(nameOf(key('k', { metaKey: true })), 'Mod+K')
  assert.equal(nameOf(key('?', { shiftKey: true })), '?')
  assert.equal(nameOf(key('N', { shiftKey: true })), 'Shift+N')
  assert.equal(nameOf(key('h')), 'h')
  assert.equal(nameOf(key('F2')), 'F2')
  assert.equal(nameOf(key('K', { ctrlKey: true, shiftKey: true })), 'Mod+Shift+K')
})

test('a key asks only for an action that makes sense now', () => {
  const actions = [{ name: 'a', keys: 'x', needs: ({ yes }) => yes }, { name: 'b', keys: 'y' }]
  assert.equal(actionFor('x', actions, { yes: false }), null)
  assert.equal(actionFor('x', actions, { yes: true }).name, 'a')
  assert.equal(actionFor('y', actions, {}).name, 'b')
})

test('keys are read as they stand on the keyboard', () => {
  assert.deepEqual(readable('Mod+K'), ['Ctrl', 'K'])
  assert.deepEqual(readable('Mod+K', true), ['⌘', 'K'])
})

test('whoever is in a field is writing, unless the field is hidden', () => {
  const node = (isField, isShown = true) => ({ matches: () => isField, checkVisibility: () => isShown })
  assert.equal(isWriting([node(false), node(true), {}]), true)
  assert.equal(isWriting([node(false), {}]), false)
  assert.equal(isWriting([node(true, false)]), false)
})

test('letters are found in their order, at the beginnings of words first', () => {
  assert.deepEqual(match('nw', 'New window').places, [0, 4])
  assert.deepEqual(match('rec', 'All recordings').places, [4, 5, 6])
  assert.equal(match('xyz', 'New window'), null)
  assert.equal(match('wn', 'new'), null)
  assert.equal(match('', 'anything').score, 0)
})

test('the name that was meant comes before those that only hold its letters', () => {
  const titles = (query, list) => rank(query, list.map((title) => ({ title }))).map(({ title }) => title)
  assert.equal(titles('spr', ['Show the previous', 'Split right', 'Rename project'])[0], 'Split right')
  assert.equal(titles('web', ['shop · worker be', 'shop · web'])[0], 'shop · web')
  assert.deepEqual(titles('', ['b', 'a']), ['b', 'a'])
})

test('words beside the title find an item too, but later', () => {
  const found = rank('srv', [{ title: 'bot', words: '/srv' }, { title: 'srv' }])
  assert.deepEqual(found.map(({ title }) => title), ['srv', 'bot'])
  assert.deepEqual(found[1].places, [])
})

test('found letters are told apart from the others', () => {
  assert.deepEqual(pieces('abc', [1]), [{ text: 'a', hit: false }, { text: 'b', hit: true }, { text: 'c', hit: false }])
})

test('the palette offers windows, agents, projects, views, and actions that make sense', () => {
  const actions = [{ name: 'one', title: 'One', keys: '1' }, { name: 'two', title: 'Two', needs: () => false }, { name: 'three', title: 'Three', hidden: true }]
  const found = items(filled({ agents: [agent('waiting')], place: { key: 'k1' } }), actions)
  const ids = found.map(({ id }) => id)
  for (const id of ['window:k1', 'window:k2', 'agent:shop', 'action:one', 'view:chat', 'project:shop:timeline']) assert.ok(ids.includes(id), id)
  for (const id of ['action:two', 'action:three', 'view:terminal']) assert.ok(!ids.includes(id), id)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(found.find(({ id }) => id === 'agent:shop').act, { name: 'go', place: { view: 'terminal', key: 'k1', project: '' } })
})

test('what was used last is offered first, and not remembered for ever', () => {
  assert.deepEqual(recentFirst([{ id: 'a' }, { id: 'b' }, { id: 'c' }], ['c', 'b']).map(({ id }) => id), ['c', 'b', 'a'])
  assert.deepEqual(remembered(['a', 'b'], 'b'), ['b', 'a'])
  assert.equal(remembered(Array.from({ length: 50 }, (_, at) => `${at}`), 'x').length, RECENT_LIMIT)
})

test('the title counts those who wait and says where one is', () => {
  assert.equal(titleOf(filled({ place: { view: 'home' } })), 'webtmux')
  assert.equal(titleOf(filled({ place: { key: 'k1' }, agents: [agent('waiting')] })), '(1) Shop · w1 — webtmux')
  assert.equal(titleOf(filled({ place: { view: 'board', project: 'Shop' } })), 'Shop — webtmux')
})

test('the window that is looked at is seen, a new one counts as seen, another stays unseen', () => {
  const windows = [{ key: 'a', activity: 5 }, { key: 'b', activity: 5 }, { key: 'c', activity: 5 }, { key: '', activity: 9 }]
  const seen = new Map([['a', 1], ['b', 1]])
  assert.deepEqual([...seenAfter(seen, windows, ['a', ''])], [['a', 5], ['b', 1], ['c', 5]])
  const after = new Map([['a', 5], ['b', 1], ['c', 5]])
  assert.equal(seenAfter(after, windows, ['a']), after)
})

test('what one page has seen the other has seen too', () => {
  assert.deepEqual([...joined([['a', 1], ['b', 7]], [['a', 3]])], [['b', 7], ['a', 3]])
  assert.equal(joined(Array.from({ length: 900 }, (_, at) => [`k${at}`, at]), []).size, 500)
})

test('trouble is told in words with the way out', () => {
  const known = { connected: true, tmux: true }
  const say = (state, seen = known) => trouble({ status: 'open', problem: '', retryAt: 0, ...state }, seen, 1000)
  assert.equal(say({}), null)
  assert.match(say({ status: 'lost', retryAt: 4500 }).text, /Next try in 4 s/)
  assert.equal(say({ status: 'lost' }).way, 'retry')
  assert.equal(say({ status: 'refused' }).way, 'sign-in')
  assert.match(say({ problem: 'no server' }).text, /no server.*comes back by itself/)
  assert.equal(say({ status: 'connecting' }, { connected: false, tmux: false }), null)
  assert.equal(say({ problem: 'no server' }, { connected: true, tmux: false }), null)
})

test('the stage says why it shows nothing', () => {
  const store = filled({ place: { key: 'k1' } })
  assert.equal(notice(store), '')
  assert.equal(notice(filled({ place: { key: 'nobody' } })), 'gone')
  assert.equal(notice(filled({ place: { view: 'chat', key: 'nobody' } })), '')
  assert.equal(notice(filled({ windows: [] })), 'empty')
  assert.equal(notice(filled({ place: { view: 'home' } })), '')
  const fresh = new Store()
  assert.equal(notice(fresh), 'loading')
  fresh.takeWorkspace({ windows: [shown(1)], problem: '' })
  fresh.place = { view: 'terminal', key: 'k1', project: '' }
  assert.equal(notice(fresh), 'loading')
})

test('a page without an address begins where it was, else at the active window', () => {
  assert.equal(landing(filled(), 'k1'), '#/window/k1')
  assert.equal(landing(filled(), 'gone'), '#/window/k2')
  assert.equal(landing(filled({ windows: [] }), 'k1'), '')
})

test('a place has a name and views', () => {
  assert.equal(whatIs(filled({ place: { key: 'k1' } })).name, 'w1')
  const ended = filled({ place: { view: 'chat', key: 'k9' } })
  ended.facts.set('k9', fact(9, { alive: false }))
  assert.deepEqual(whatIs(ended), { project: 'Shop', name: 'w9', window: null, pane: null })
  assert.deepEqual(viewsOf(filled({ place: { key: 'k1' } })).map(({ name }) => name), ['Terminal', 'Board', 'Notes', 'Chat', 'Recordings'])
  assert.deepEqual(viewsOf(filled({ place: { project: 'Shop', view: 'board' } })).map(({ current }) => current), [true, false, false])
  assert.deepEqual(viewsOf(filled({ place: { view: 'home' } })), [])
})

test('beginning to wait and finishing are told, anything else is not', () => {
  const kinds = (before, after) => happenings(new Map(before && [['shop', before]]), new Map([['shop', after]])).map(({ kind }) => kind)
  assert.deepEqual(kinds(agent('working'), agent('waiting', { question: 'a?' })), ['waiting'])
  assert.deepEqual(kinds(agent('waiting', { question: 'a?' }), agent('waiting', { question: 'b?' })), ['waiting'])
  assert.deepEqual(kinds(agent('waiting'), agent('waiting')), [])
  assert.deepEqual(kinds(agent('working'), agent('idle')), ['finished'])
  assert.deepEqual(kinds(agent('waiting'), agent('idle')), [])
  assert.deepEqual(kinds(null, agent('waiting')), [])
})

test('the same question has the same name on every page, another one has another', () => {
  const asks = (question) => idOf({ kind: 'waiting', agent: agent('waiting', { question }) })
  assert.equal(asks('a?'), asks('a?'))
  assert.notEqual(asks('a?'), asks('b?'))
  assert.match(wordsOf({ kind: 'finished', agent: agent('idle') }).title, /shop has finished/)
})
