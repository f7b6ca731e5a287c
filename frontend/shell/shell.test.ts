// The frame of the page without a browser: shortcuts, palette, title, notices, notifications.
import assert from 'node:assert/strict'
import { test } from 'vitest'

import type { AgentOut, AgentState, ShownPaneOut, ShownWindowOut, WindowOut } from '../core/generated/socket'
import { actionFor, isTyping, type KeyPress, nameOf, readable } from '../core/keys'
import type { Place } from '../core/router'
import { agentOf, questionOf, savedWindow, shownWindow } from '../core/samples'
import { Store, type StoreState } from '../core/store'
import { agentEvents, idOf, notificationText } from './agent-events'
import { markSeen, mergeSeen, titleOf } from './attention'
import { connectionProblem } from './connection'
import { match, pieces, rank } from './fuzzy'
import { landingAddress } from './landing'
import { notice } from './notices'
import { addRecent, items, type ListedAction, RECENT_LIMIT, recentFirst } from './palette-items'
import { describePlace, viewsOf } from './places'

const key = (name: string, mods: Partial<KeyPress> = {}): KeyPress => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...mods,
})
const pane: ShownPaneOut = {
  paneId: '%1',
  paneIndex: 0,
  active: true,
  command: 'sh',
  path: '/srv',
  title: '',
  dead: false,
  deadStatus: 0,
  deadSignal: 0,
  alternate: false,
  inMode: false,
  left: 0,
  top: 0,
  width: 80,
  height: 24,
}
const shown = (number: number, fields: Partial<ShownWindowOut> = {}) =>
  shownWindow(number, { session: 'shop', sessionId: '$1', panes: [pane], ...fields })
const saved = (number: number, fields: Partial<WindowOut> = {}) =>
  savedWindow(number, { key: `k${number}`, session: 'shop', project: 'Shop', ...fields })
const agent = (state: AgentState, fields: Partial<AgentOut> = {}) =>
  agentOf('shop', { state, session: 'shop', workDir: '/srv', ...fields })

interface Filling {
  place?: Partial<Place>
  agents?: AgentOut[]
  windows?: ShownWindowOut[]
}

function filled({
  place = {},
  agents = [],
  windows = [shown(1), shown(2, { activity: 20, active: true })],
}: Filling = {}): Store {
  const store = new Store()
  store.takeWorkspace({ windows, problem: '' })
  store.takeSavedWindows({ windows: [saved(1), saved(2)] })
  store.takeAgents({ agents, totalAgents: agents.length })
  store.place = { view: 'terminal', key: '', project: '', ...place }
  return store
}

test('a key press is named in the notation of the actions', () => {
  assert.equal(nameOf(key('k', { ctrlKey: true })), 'Mod+K')
  assert.equal(nameOf(key('k', { metaKey: true })), 'Mod+K')
  assert.equal(nameOf(key('?', { shiftKey: true })), '?')
  assert.equal(nameOf(key('N', { shiftKey: true })), 'Shift+N')
  assert.equal(nameOf(key('h')), 'h')
  assert.equal(nameOf(key('F2')), 'F2')
  assert.equal(nameOf(key('K', { ctrlKey: true, shiftKey: true })), 'Mod+Shift+K')
})

test('a key runs only an available action', () => {
  const store = new Store()
  const actions = [
    { name: 'a', keys: 'x', needs: ({ rail }: Store) => rail },
    { name: 'b', keys: 'y' },
  ]
  assert.equal(actionFor('x', actions, store)?.name, 'a')
  assert.equal(actionFor('y', actions, store)?.name, 'b')
  store.rail = false
  assert.equal(actionFor('x', actions, store), null)
})

test('shortcuts are shown with the key names of the platform', () => {
  assert.deepEqual(readable('Mod+K'), ['Ctrl', 'K'])
  assert.deepEqual(readable('Mod+K', true), ['⌘', 'K'])
})

test('a focused visible field means typing', () => {
  const node = (isField: boolean, isShown = true) =>
    Object.assign(new EventTarget(), { matches: () => isField, checkVisibility: () => isShown })
  const other = new EventTarget()
  assert.equal(isTyping([node(false), node(true), other]), true)
  assert.equal(isTyping([node(false), other]), false)
  assert.equal(isTyping([node(true, false)]), false)
})

test('letters match in order and prefer word starts', () => {
  assert.deepEqual(match('nw', 'New window')?.positions, [0, 4])
  assert.deepEqual(match('rec', 'All recordings')?.positions, [4, 5, 6])
  assert.equal(match('xyz', 'New window'), null)
  assert.equal(match('wn', 'new'), null)
  assert.equal(match('', 'anything')?.score, 0)
})

test('better matches are ranked first', () => {
  const titles = (query: string, list: string[]) =>
    rank(
      query,
      list.map((title) => ({ title })),
    ).map(({ title }) => title)
  assert.equal(titles('spr', ['Show the previous', 'Split right', 'Rename project'])[0], 'Split right')
  assert.equal(titles('web', ['shop · worker be', 'shop · web'])[0], 'shop · web')
  assert.deepEqual(titles('', ['b', 'a']), ['b', 'a'])
})

test('matches in additional words are ranked lower', () => {
  const results = rank('srv', [{ title: 'bot', words: '/srv' }, { title: 'srv' }])
  assert.deepEqual(
    results.map(({ title }) => title),
    ['srv', 'bot'],
  )
  assert.deepEqual(results[1]?.positions, [])
})

test('matched letters are separated from the others', () => {
  assert.deepEqual(pieces('abc', [1]), [
    { text: 'a', hit: false },
    { text: 'b', hit: true },
    { text: 'c', hit: false },
  ])
})

test('the palette lists windows, agents, projects, views and available actions', () => {
  const actions: ListedAction[] = [
    { name: 'one', title: 'One', keys: '1' },
    { name: 'two', title: 'Two', needs: () => false },
    { name: 'three', title: 'Three', hidden: true },
  ]
  const list = items(filled({ agents: [agent('waiting')], place: { key: 'k1' } }), actions)
  const ids = list.map(({ id }) => id)
  for (const id of [
    'window:k1',
    'window:k2',
    'agent:shop',
    'action:one',
    'view:chat',
    'project:shop:timeline',
  ])
    assert.ok(ids.includes(id), id)
  for (const id of ['action:two', 'action:three', 'view:terminal']) assert.ok(!ids.includes(id), id)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(list.find(({ id }) => id === 'agent:shop')?.act, {
    name: 'go',
    place: { view: 'terminal', key: 'k1', project: '' },
  })
})

test('recently used items come first, and the list is limited', () => {
  assert.deepEqual(
    recentFirst([{ id: 'a' }, { id: 'b' }, { id: 'c' }], ['c', 'b']).map(({ id }) => id),
    ['c', 'b', 'a'],
  )
  assert.deepEqual(addRecent(['a', 'b'], 'b'), ['b', 'a'])
  assert.equal(
    addRecent(
      Array.from({ length: 50 }, (_, at) => `${at}`),
      'x',
    ).length,
    RECENT_LIMIT,
  )
})

test('the title shows the number of waiting agents and the place', () => {
  assert.equal(titleOf(filled({ place: { view: 'home' } })), 'webtmux')
  assert.equal(
    titleOf(filled({ place: { key: 'k1' }, agents: [agent('waiting')] })),
    '(1) shop · w1 — webtmux',
  )
  assert.equal(titleOf(filled({ place: { view: 'board', project: 'Shop' } })), 'Shop — webtmux')
})

test('the viewed window and new windows are seen, others stay unseen', () => {
  const windows = [
    { key: 'a', activity: 5 },
    { key: 'b', activity: 5 },
    { key: 'c', activity: 5 },
    { key: '', activity: 9 },
  ]
  const seen = new Map([
    ['a', 1],
    ['b', 1],
  ])
  assert.deepEqual(
    [...markSeen(seen, windows, ['a', ''])],
    [
      ['a', 5],
      ['b', 1],
      ['c', 5],
    ],
  )
  const after = new Map([
    ['a', 5],
    ['b', 1],
    ['c', 5],
  ])
  assert.equal(markSeen(after, windows, ['a']), after)
})

test('seen windows are merged between two pages', () => {
  assert.deepEqual(
    [
      ...mergeSeen(
        [
          ['a', 1],
          ['b', 7],
        ],
        [['a', 3]],
      ),
    ],
    [
      ['b', 7],
      ['a', 3],
    ],
  )
  assert.equal(
    mergeSeen(
      Array.from({ length: 900 }, (_, at) => [`k${at}`, at] as const),
      [],
    ).size,
    500,
  )
})

test('a connection problem has a text and a remedy', () => {
  const known = { connected: true, tmux: true }
  const problem = (state: Partial<StoreState>, history = known) =>
    connectionProblem({ status: 'open', problem: '', trouble: '', retryAt: 0, ...state }, history, 1000)
  assert.equal(problem({}), null)
  assert.match(problem({ status: 'lost', retryAt: 4500 })?.text ?? '', /Retrying in 4 s/)
  assert.equal(problem({ status: 'lost' })?.remedy, 'retry')
  assert.equal(problem({ status: 'refused' })?.remedy, 'sign-in')
  assert.match(problem({ problem: 'no server' })?.text ?? '', /No server\. .*reconnects automatically/)
  assert.deepEqual(problem({ trouble: 'window not found' }), {
    tone: 'warn',
    text: 'A part of this page is not up to date. Window not found.',
    remedy: 'reload',
  })
  assert.equal(problem({ status: 'lost', trouble: 'window not found' })?.remedy, 'retry')
  assert.equal(problem({ status: 'connecting' }, { connected: false, tmux: false }), null)
  assert.equal(problem({ problem: 'no server' }, { connected: true, tmux: false }), null)
})

test('a notice explains why nothing is shown', () => {
  const store = filled({ place: { key: 'k1' } })
  assert.equal(notice(store), '')
  assert.equal(notice(filled({ place: { key: 'missing' } })), 'gone')
  assert.equal(notice(filled({ place: { view: 'chat', key: 'missing' } })), '')
  assert.equal(notice(filled({ windows: [] })), 'empty')
  assert.equal(notice(filled({ place: { view: 'home' } })), '')
  const fresh = new Store()
  assert.equal(notice(fresh), 'loading')
  fresh.takeWorkspace({ windows: [shown(1)], problem: '' })
  fresh.place = { view: 'terminal', key: 'k1', project: '' }
  assert.equal(notice(fresh), 'loading')
})

test('a window of an address with its tmux id is shown before the keys are known', () => {
  const store = new Store()
  store.place = { view: 'terminal', key: '@1', project: '' }
  assert.equal(notice(store), 'loading')
  store.takeWorkspace({ windows: [shown(1)], problem: '' })
  assert.equal(notice(store), '')
  store.place = { view: 'home', key: '', project: '' }
  assert.equal(notice(store), 'loading')
})

test('a page without an address opens the last window, else the active one', () => {
  assert.equal(landingAddress(filled(), 'k1'), '#/window/k1')
  assert.equal(landingAddress(filled(), 'gone'), '#/window/k2')
  assert.equal(landingAddress(filled({ windows: [] }), 'k1'), '')
})

test('a place has a name and tabs', () => {
  assert.equal(describePlace(filled({ place: { key: 'k1' } })).name, 'w1')
  const ended = filled({ place: { view: 'chat', key: 'k9' } })
  ended.savedWindows.set('k9', saved(9, { alive: false }))
  assert.deepEqual(describePlace(ended), {
    session: 'shop',
    project: 'Shop',
    name: 'w9',
    window: null,
    pane: null,
  })
  assert.deepEqual(
    viewsOf(filled({ place: { key: 'k1' } })).map(({ name }) => name),
    ['Terminal', 'Board', 'Notes', 'Chat', 'Recordings'],
  )
  assert.deepEqual(
    viewsOf(filled({ place: { project: 'Shop', view: 'board' } })).map(({ current }) => current),
    [true, false, false],
  )
  assert.deepEqual(viewsOf(filled({ place: { view: 'home' } })), [])
})

test('only waiting and finishing cause events', () => {
  const kinds = (before: AgentOut | null, after: AgentOut) =>
    agentEvents(new Map(before && [['shop', before]]), new Map([['shop', after]])).map(({ kind }) => kind)
  assert.deepEqual(kinds(agent('working'), agent('waiting', { question: questionOf('a?') })), ['waiting'])
  assert.deepEqual(
    kinds(agent('waiting', { question: questionOf('a?') }), agent('waiting', { question: questionOf('b?') })),
    ['waiting'],
  )
  assert.deepEqual(kinds(agent('waiting'), agent('waiting')), [])
  assert.deepEqual(kinds(agent('working'), agent('idle')), ['finished'])
  assert.deepEqual(kinds(agent('waiting'), agent('idle')), [])
  assert.deepEqual(kinds(null, agent('waiting')), [])
})

test('an event has the same id on every page', () => {
  const id = (question: string) =>
    idOf({ kind: 'waiting', agent: agent('waiting', { question: questionOf(question) }) })
  assert.equal(id('a?'), id('a?'))
  assert.notEqual(id('a?'), id('b?'))
  assert.match(
    notificationText({ kind: 'finished', agent: agent('idle') }, 'shop · w1').title,
    /^shop · w1 finished/,
  )
})
