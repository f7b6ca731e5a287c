// What the rail says of windows, what a deletion ends, and what its menus offer.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { paneEnding, running, sessionEnding, windowEnding } from '../../frontend/terminals/endings.js'
import { ago, agentCount, filtered, runs, shortPath, stateWords } from '../../frontend/terminals/rail-rows.js'

const pane = (paneId, command, path = '/home/ann/shop') => ({ paneId, paneIndex: Number(paneId.slice(1)), command, path, title: '', active: true, dead: false })
const agent = (name, paneId, state = 'idle') => ({ name, runtime: 'claude', paneId, state })
const web = { windowId: '@1', windowName: 'web', session: 'shop', project: 'Shop', panes: [pane('%1', 'node'), pane('%2', 'sh')], agents: [] }
const bot = { windowId: '@2', windowName: 'bot', session: 'shop', project: 'Shop', panes: [pane('%3', 'claude', '/srv/bot')], agents: [agent('shop', '%3', 'waiting')] }
const shop = { session: 'shop', project: 'Shop', windows: [web, bot] }

test('a path is short where its end still tells it', () => {
  assert.equal(shortPath('/home/ann/code/shop'), '~/code/shop')
  assert.equal(shortPath('/root'), '~')
  assert.equal(shortPath('/rooted/x'), '/rooted/x')
  assert.equal(shortPath('/srv/a-very-long-directory/of/some/project/web'), '…/of/some/project/web')
  assert.equal(shortPath(''), '')
})

test('time is told in the fewest words', () => {
  const now = 1_000_000_000
  const told = (seconds) => ago(now / 1000 - seconds, now)
  assert.deepEqual([-5, 0, 59, 60, 3599, 3600, 86_400 * 3].map(told), ['now', 'now', 'now', '1 min', '59 min', '1 h', '3 d'])
})

test('a filter leaves windows that have every word somewhere', () => {
  const names = (filter) => filtered([shop], filter).flatMap(({ windows }) => windows.map(({ windowName }) => windowName))
  assert.deepEqual(names(''), ['web', 'bot'])
  assert.deepEqual(names('NODE shop'), ['web'])
  assert.deepEqual(names('waiting'), ['bot'])
  assert.deepEqual(names('/srv'), ['bot'])
  assert.deepEqual(filtered([shop], 'nobody'), [])
})

test('agents are counted, and with a filter out of all', () => {
  assert.equal(agentCount([shop], 1, ''), '1 agent')
  assert.equal(agentCount([shop], 3, ' '), '3 agents')
  assert.equal(agentCount(filtered([shop], 'web'), 3, 'web'), '0 of 3 agents')
})

test('a row says its state and what runs there', () => {
  assert.equal(stateWords({ state: 'working', unseen: true, bell: false }), 'working, new output')
  assert.equal(stateWords({ state: '', unseen: false, bell: false }), '')
  assert.deepEqual([runs(web), runs(bot)], ['node', 'claude'])
})

test('what runs is named: agents by name, programs, and no idle shells', () => {
  assert.deepEqual(running([web, bot]), ['shop (claude)', 'node'])
})

test('the question before an end names everything that ends', () => {
  const session = sessionEnding(shop)
  assert.match(session.title, /session shop/)
  assert.match(session.text, /2 windows will end: web, bot\.\nStops: shop \(claude\), node\./)
  assert.match(windowEnding(web, false).text, /with its 2 panes\.\nStops: node\.$/)
  assert.match(windowEnding(bot, true).text, /the session shop ends too/)
  assert.match(paneEnding(web, web.panes[1], false).text, /The other 1 pane of web will stay\.\nNothing but idle shells/)
  assert.match(paneEnding(bot, bot.panes[0], false).title, /window bot/)
})

test('of many names some are told and the rest counted', () => {
  const windows = Array.from({ length: 9 }, (_, at) => ({ ...bot, windowName: `w${at}`, agents: [], panes: [] }))
  assert.match(sessionEnding({ session: 's', windows }).text, /9 windows will end: w0, w1, w2, w3, w4, w5 and 3 more\./)
})
