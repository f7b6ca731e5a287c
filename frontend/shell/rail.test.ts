// The sidebar: texts of windows, filter, and the questions before closing.
import assert from 'node:assert/strict'
import { test } from 'vitest'

import type { ShownPaneOut } from '../core/generated/socket'
import { agentOf, shownWindow } from '../core/samples'
import type { ProjectRow, WindowRow } from '../core/workspace'
import {
  closePaneQuestion,
  closeSessionQuestion,
  closeWindowQuestion,
  closeWindowsQuestion,
  running,
} from '../terminals/close-questions'
import { ago, agentCount, filtered, runs, shortPath, stateText } from './rail-rows'

const pane = (paneId: string, command: string, path = '/home/ann/shop'): ShownPaneOut => ({
  paneId,
  paneIndex: Number(paneId.slice(1)),
  command,
  path,
  title: '',
  active: true,
  dead: false,
  deadStatus: 0,
  deadSignal: 0,
  alternate: false,
  inMode: false,
  left: 0,
  top: 0,
  width: 80,
  height: 24,
})
const row = (number: number, windowName: string, fields: Partial<WindowRow>): WindowRow => ({
  ...shownWindow(number, { windowName, session: 'shop' }),
  key: '',
  project: 'Shop',
  agents: [],
  pinned: false,
  unseen: false,
  state: '',
  ...fields,
})
const web = row(1, 'web', { panes: [pane('%1', 'node'), pane('%2', 'sh')] })
const bot = row(2, 'bot', {
  panes: [pane('%3', 'claude', '/srv/bot')],
  agents: [agentOf('shop', { paneId: '%3', state: 'waiting' })],
})
const shop: ProjectRow = { session: 'shop', sessionId: '$1', project: 'Shop', windows: [web, bot] }

test('a long path is shortened to its end', () => {
  assert.equal(shortPath('/home/ann/code/shop'), '~/code/shop')
  assert.equal(shortPath('/root'), '~')
  assert.equal(shortPath('/rooted/x'), '/rooted/x')
  assert.equal(shortPath('/srv/a-very-long-directory/of/some/project/web'), '…/of/some/project/web')
  assert.equal(shortPath(''), '')
})

test('time is shown in short form', () => {
  const now = 1_000_000_000
  const format = (seconds: number) => ago(now / 1000 - seconds, now)
  assert.deepEqual([-5, 0, 59, 60, 3599, 3600, 86_400 * 3].map(format), [
    'now',
    'now',
    'now',
    '1 min',
    '59 min',
    '1 h',
    '3 d',
  ])
})

test('the filter keeps windows that contain every word', () => {
  const names = (filter: string) =>
    filtered([shop], filter).flatMap(({ windows }) => windows.map(({ windowName }) => windowName))
  assert.deepEqual(names(''), ['web', 'bot'])
  assert.deepEqual(names('NODE shop'), ['web'])
  assert.deepEqual(names('waiting'), ['bot'])
  assert.deepEqual(names('/srv'), ['bot'])
  assert.deepEqual(filtered([shop], 'missing'), [])
})

test('agents are counted, with a filter out of the total', () => {
  assert.equal(agentCount([shop], 1, ''), '1 agent')
  assert.equal(agentCount([shop], 3, ' '), '3 agents')
  assert.equal(agentCount(filtered([shop], 'web'), 3, 'web'), '0 of 3 agents')
})

test('a row shows its state and program', () => {
  assert.equal(stateText({ state: 'working', unseen: true, bell: false }), 'working, new output')
  assert.equal(stateText({ state: '', unseen: false, bell: false }), '')
  assert.deepEqual([runs(web), runs(bot)], ['node', 'claude'])
})

test('running agents and programs are listed, idle shells are not', () => {
  assert.deepEqual(running([web, bot]), ['shop (claude)', 'node'])
})

test('the question before closing lists everything that closes', () => {
  const session = closeSessionQuestion(shop)
  assert.match(session.title, /session shop/)
  assert.match(session.text, /This closes 2 windows: web, bot\.\nStops: shop \(claude\), node\./)
  assert.match(closeWindowQuestion(web, false).text, /with its 2 panes\.\nStops: node\.$/)
  assert.match(closeWindowQuestion(bot, true).text, /session shop closes too/)
  assert.match(
    closePaneQuestion(web, pane('%2', 'sh'), false).text,
    /The other 1 pane of shop · web will stay open\.\nOnly idle shells/,
  )
  assert.match(closePaneQuestion(bot, pane('%3', 'claude'), false).title, /window shop · bot/)
})

test('the question before closing several windows lists each of them', () => {
  const other = row(3, 'logs', { session: 'ops', panes: [pane('%4', 'sh')] })
  const one = closeWindowsQuestion([web], [web, bot, other])
  assert.equal(one.title, 'Close window shop · web?')
  const some = closeWindowsQuestion([web, other], [web, bot, other])
  assert.equal(some.title, 'Close 2 windows?')
  assert.match(some.text, /^• shop · web: stops node\n• ops · logs\n.*sessions close too: ops\.$/)
  assert.doesNotMatch(closeWindowsQuestion([web, bot], [web, bot, row(4, 'x', {})]).text, /close too/)
})

test('a long list of names is shortened', () => {
  const windows = Array.from({ length: 9 }, (_, at) => ({
    ...bot,
    windowName: `w${at}`,
    agents: [],
    panes: [],
  }))
  assert.match(
    closeSessionQuestion({ ...shop, windows }).text,
    /This closes 9 windows: w0, w1, w2, w3, w4, w5 and 3 more\./,
  )
})
