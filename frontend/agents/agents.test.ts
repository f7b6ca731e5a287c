// Prompts, answers and the deck: the parts that need no browser.
import assert from 'node:assert/strict'
import { afterEach, test, vi } from 'vitest'

import type { AgentOut, AgentState, ReceiptOut, ShownPaneOut, ShownWindowOut } from '../core/generated/socket'
import { agentOf, questionOf, shownWindow } from '../core/samples'
import { RequestError } from '../core/socket'
import { Store } from '../core/store'
import { waiting } from '../core/workspace'
import { answer, answerFor, answers, wantsText } from './answers'
import { deliver, deliveries, draftOf, type Order, saveDraft } from './deliveries'
import { deckOf, lastLines } from './deck'
import {
  DRAFTS,
  type Drafts,
  edited,
  freshKey,
  insertText,
  KEY_LIFE_MS,
  keyFor,
  NO_DRAFT,
  removePath,
  TEXT_LIMIT,
  withDraft,
} from './drafts'
import {
  addEntry,
  arrowAction,
  ENTRY_LIMIT,
  type Entry,
  NO_WALK,
  ordered,
  search,
  step,
  TOTAL_LIMIT,
} from './history'
import { Ledger } from './ledger'
import { nextWaiting, targetOf } from './target'
import { fallbackMethods, NEEDS_SECURE, speechErrorText, speechMethods } from './voice-methods'
import { ago, countText, receiptText, stateText } from './words'

// --- a store as the server fills it ---

const agent = (name: string, state: AgentState, number: number, fields: Partial<AgentOut> = {}) =>
  agentOf(name, { state, windowId: `@${number}`, paneId: `%${number}`, ...fields })
const pane = (number: number, active = true): ShownPaneOut => ({
  paneId: `%${number}`,
  paneIndex: number,
  active,
  command: 'sh',
  path: '/w',
  title: '',
  alternate: false,
  dead: false,
  deadStatus: 0,
  deadSignal: 0,
  inMode: false,
  left: 0,
  top: 0,
  width: 80,
  height: 24,
})
const window = (number: number, panes = [pane(number)]): ShownWindowOut =>
  shownWindow(number, { activity: 100, panes })
const entry = (text: string, address = 'k', at = 0): Entry => ({ text, address, at })

function filled(windows: ShownWindowOut[], agents: AgentOut[], place = '') {
  const store = new Store()
  store.takeWorkspace({ windows, problem: '' })
  store.takeAgents({ agents, totalAgents: agents.length })
  store.place = { view: place ? 'terminal' : 'home', key: place, project: '' }
  return store
}

// --- the target of a prompt ---

afterEach(() => {
  vi.useRealTimers()
})

test('a prompt goes to the agent of the focused pane', () => {
  const store = filled(
    [window(1, [pane(1), pane(2, false)])],
    [agent('a', 'idle', 1), agent('b', 'idle', 1, { paneId: '%2' })],
    '@1',
  )
  assert.equal(targetOf(store)?.agent?.name, 'a')
  store.pane = '%2'
  assert.deepEqual([targetOf(store)?.agent?.name, targetOf(store)?.pane], ['b', '%2'])
})

test('a focused shell is the target itself, otherwise the agent of the window', () => {
  const store = filled(
    [window(1, [pane(1), pane(2, false)])],
    [agent('b', 'idle', 1, { paneId: '%2' })],
    '@1',
  )
  assert.deepEqual([targetOf(store)?.agent?.name, targetOf(store)?.pane], ['b', '%2'])
  store.pane = '%1'
  assert.deepEqual([targetOf(store)?.agent, targetOf(store)?.pane], [null, '%1'])
})

test('without a window there is no target', () => {
  assert.equal(targetOf(filled([window(1)], [])), null)
})

test('the next waiting agent is searched after this window and wraps around', () => {
  const windows = [1, 2, 3, 4].map((number) => window(number))
  const agents = [agent('a', 'waiting', 1), agent('b', 'idle', 2), agent('c', 'waiting', 3)]
  assert.equal(nextWaiting(filled(windows, agents))?.windowId, '@1')
  assert.equal(nextWaiting(filled(windows, agents, '@1'))?.windowId, '@3')
  assert.equal(nextWaiting(filled(windows, agents, '@4'))?.windowId, '@1')
  assert.equal(nextWaiting(filled(windows, agents.slice(0, 1), '@1')), null)
})

// --- drafts ---

test('drafts are limited to the newest, and empty ones are removed', () => {
  let drafts: Drafts = {}
  for (let at = 0; at < DRAFTS + 5; at += 1)
    drafts = withDraft(drafts, `k${at}`, { ...NO_DRAFT, text: `t${at}` })
  assert.equal(Object.keys(drafts).length, DRAFTS)
  assert.equal(drafts['k0'], undefined)
  assert.equal(drafts[`k${DRAFTS + 4}`]?.text, `t${DRAFTS + 4}`)
  assert.equal(withDraft(drafts, `k${DRAFTS}`, NO_DRAFT)[`k${DRAFTS}`], undefined)
  assert.deepEqual(withDraft({}, 'k', { ...NO_DRAFT, text: 'x'.repeat(TEXT_LIMIT + 1) }), {})
})

test('only the same text to the same agent reuses a key that the server remembers', () => {
  const sent = { key: 'old', at: 1000, name: 'a' }
  const draft = { text: 'do', files: [], sent }
  const fresh = () => 'new'
  assert.equal(keyFor(draft, 'a', 1000 + KEY_LIFE_MS - 1, fresh), 'old')
  assert.equal(keyFor(draft, 'a', 1000 + KEY_LIFE_MS, fresh), 'new')
  assert.equal(keyFor(draft, 'b', 1001, fresh), 'new')
  assert.equal(keyFor(edited(draft, 'do it'), 'a', 1001, fresh), 'new')
  assert.equal(keyFor(edited(draft, 'do'), 'a', 1001, fresh), 'old')
  assert.notEqual(freshKey(), freshKey())
})

test('a path is inserted at the caret with spaces, and removed again', () => {
  assert.deepEqual(insertText('look at', 7, 7, 'a.png'), { text: 'look at a.png ', caret: 14 })
  assert.deepEqual(insertText('', 0, 0, 'a.png'), { text: 'a.png ', caret: 6 })
  assert.deepEqual(insertText('one two', 4, 7, 'x'), { text: 'one x ', caret: 6 })
  assert.deepEqual(insertText('one  two', 4, 4, 'x'), { text: 'one x two', caret: 6 })
  assert.equal(removePath('see a.png now', 'a.png'), 'see now')
})

test('a file whose path was deleted from the text is no longer attached', () => {
  const draft = { text: 'see a.png', files: [{ name: 'a', path: 'a.png' }], sent: null }
  assert.equal(edited(draft, 'see a.png now').files.length, 1)
  assert.equal(edited(draft, 'see').files.length, 0)
})

// --- earlier prompts ---

test('the history lists a prompt once, newest first, and is limited', () => {
  let entries: readonly Entry[] = []
  for (let at = 0; at < ENTRY_LIMIT + 10; at += 1)
    entries = addEntry(entries, { text: `p${at}`, address: 'k', at })
  assert.equal(entries.length, ENTRY_LIMIT)
  entries = addEntry(entries, { text: 'p50', address: 'k', at: 999 })
  assert.equal(entries.length, ENTRY_LIMIT)
  assert.equal(entries[0]?.text, 'p50')
  assert.equal(entries.filter(({ text }) => text === 'p50').length, 1)
  assert.deepEqual(addEntry(entries, { text: ' ', address: 'k', at: 1 }), entries)
})

test('long prompts replace older ones instead of filling the storage', () => {
  let entries: readonly Entry[] = []
  for (let at = 0; at < 30; at += 1)
    entries = addEntry(entries, { text: `${at}`.padEnd(TOTAL_LIMIT / 10, 'x'), address: 'k', at })
  assert.equal(entries.length, 10)
  assert.equal(entries[0]?.at, 29)
})

test('arrows browse the prompts of this window, then the others, and return to the draft', () => {
  const entries = ordered([entry('other', 'b'), entry('new', 'a'), entry('old', 'a')], 'a')
  const texts: string[] = []
  let at = { walk: NO_WALK, text: 'draft' }
  const move = (direction: 1 | -1) => {
    const stepped = step(entries, at.walk, direction, at.text)
    assert.ok(stepped)
    at = stepped
  }
  for (let count = 0; count < 3; count += 1) {
    move(1)
    texts.push(at.text)
  }
  assert.deepEqual(texts, ['new', 'old', 'other'])
  assert.equal(step(entries, at.walk, 1, at.text), null)
  for (let count = 0; count < 3; count += 1) move(-1)
  assert.equal(at.text, 'draft')
  assert.equal(step(entries, at.walk, -1, at.text), null)
})

test('an arrow within the text moves the caret only', () => {
  const text = 'one\ntwo'
  assert.equal(arrowAction('ArrowUp', { text, start: 5, end: 5, walking: false }), '')
  assert.equal(arrowAction('ArrowUp', { text, start: 2, end: 2, walking: false }), 'edge')
  assert.equal(arrowAction('ArrowUp', { text, start: 0, end: 0, walking: false }), 'step')
  assert.equal(arrowAction('ArrowUp', { text, start: 0, end: 3, walking: false }), '')
  assert.equal(arrowAction('ArrowDown', { text, start: 7, end: 7, walking: false }), '')
  assert.equal(arrowAction('ArrowDown', { text, start: 7, end: 7, walking: true }), 'step')
  assert.equal(arrowAction('ArrowDown', { text, start: 1, end: 1, walking: true }), '')
})

test('a search finds prompts that contain every word', () => {
  const entries = [entry('Mend the red test'), entry('write a test')]
  assert.deepEqual(
    search(entries, ' TEST mend ').map(({ text }) => text),
    ['Mend the red test'],
  )
  assert.equal(search(entries, '').length, 2)
})

// --- deliveries ---

const receipt: ReceiptOut = {
  id: 'r',
  submitted: true,
  pasted: false,
  turnStarted: true,
  attempts: 1,
  became: 'prompt',
  confirmedBy: 'screen',
  exact: null,
  turn: 'r',
  ms: 812,
}

const order: Order = { address: '@1', agent: 'a', pane: '%1', text: 'go', submit: true }

/** Delivers `order` with this result of the request; returns its phase and the draft afterwards. */
async function delivered(request: () => Promise<{ receipt: ReceiptOut }>) {
  deliveries.drop(order.address)
  saveDraft(order.address, { ...NO_DRAFT, text: order.text })
  await deliver({ socket: { request }, api: () => Promise.reject(new Error('not used')) }, order)
  const { text, sent } = draftOf(order.address)
  return { phase: deliveries.get(order.address)?.phase, text, hasKey: sent !== null }
}

test('the draft of a prompt is removed once its delivery is confirmed', async () => {
  assert.deepEqual(await delivered(async () => ({ receipt })), { phase: 'done', text: '', hasKey: false })
})

test('a refused prompt has failed, and a retry uses a new key', async () => {
  const refused = new RequestError('agent not found', { ok: false, error: '', type: 'send-prompt' })
  const failed = { phase: 'failed', text: 'go', hasKey: false }
  assert.deepEqual(await delivered(() => Promise.reject(refused)), failed)
})

test('without a response the result is unknown, and the key is kept', async () => {
  const unknown = { phase: 'unknown', text: 'go', hasKey: true }
  const lost = new RequestError('Connection lost.', { ok: false, error: 'Connection lost.' })
  assert.deepEqual(await delivered(() => Promise.reject(lost)), unknown)
  assert.deepEqual(await delivered(() => Promise.reject(new Error('Not connected.'))), unknown)
})

// --- answers ---

test('an answer is sent once, and a failure is shown for a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const requests: object[] = []
  let reject = (_error: Error) => {}
  const socket = {
    request: (type: string, fields: object) => {
      requests.push({ type, ...fields })
      return new Promise<never>((_, refuse) => {
        reject = refuse
      })
    },
  }
  const waits = agent('a', 'waiting', 1, { question: questionOf('go?') })
  const first = answer(socket, { agent: 'a', number: 2, question: 'go?' })
  assert.equal(answerFor(waits)?.phase, 'pending')
  assert.equal(await answer(socket, { agent: 'a', number: 1, question: 'go?' }), false)
  assert.deepEqual(requests, [{ type: 'answer-agent', agent: 'a', answer: '2', question: 'go?', reason: '' }])
  reject(new Error('it asks something else by now: rm?'))
  assert.equal(await first, false)
  assert.deepEqual(
    [answerFor(waits)?.phase, answerFor(waits)?.error],
    ['failed', 'it asks something else by now: rm?'],
  )
  vi.advanceTimersByTime(20_000)
  assert.equal(answers.get('a'), null)
})

const accepting = { request: () => Promise.resolve() }

test('the state of an answer does not apply to the next question', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  assert.equal(await answer(accepting, { agent: 'a', number: 1, question: 'go?' }), true)
  assert.equal(answerFor(agent('a', 'waiting', 1, { question: questionOf('go?') }))?.phase, 'done')
  assert.equal(answerFor(agent('a', 'waiting', 1, { question: questionOf('rm?') })), null)
  vi.advanceTimersByTime(3_000)
  assert.equal(answerFor(agent('a', 'waiting', 1, { question: questionOf('go?') })), null)
})

test('options that expect instructions are recognised by their label', () => {
  for (const label of [
    'No, and tell Claude what to do differently',
    'No, suggest changes',
    'Type something.',
  ])
    assert.ok(wantsText(label), label)
  for (const label of ['Yes', "Yes, and don't ask again for make commands", 'No'])
    assert.ok(!wantsText(label), label)
})

test('a ledger drops the oldest entries', () => {
  const ledger = new Ledger<string>(2)
  for (const name of ['a', 'b', 'a', 'c']) ledger.put(name, name)
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => ledger.get(name)),
    ['a', null, 'c'],
  )
})

// --- the deck ---

test('waiting agents come first, then working, idle and unknown ones, then windows without agents', () => {
  const windows = [1, 2, 3, 4, 5].map((number) => window(number))
  const store = filled(windows, [
    agent('i', 'idle', 1),
    agent('w', 'working', 2),
    agent('q', 'waiting', 3),
    agent('u', 'unknown', 4),
  ])
  const { groups, plain, counts } = deckOf(store)
  assert.deepEqual(
    groups.map(({ cards }) => cards.map((card) => card.agent.name)),
    [['q'], ['w', 'i', 'u']],
  )
  assert.deepEqual(
    plain.map(({ windowId }) => windowId),
    ['@5'],
  )
  assert.equal(countText(counts), '1 waiting · 1 working · 1 idle')
})

test('the agent that waits longest is first, on every page', () => {
  const store = new Store()
  const [early, late] = [
    { ...agent('z', 'waiting', 2), stateSince: 1000 },
    { ...agent('a', 'waiting', 1), stateSince: 2000 },
  ]
  store.agents = new Map([late, early].map((each) => [each.name, each]))
  assert.deepEqual(
    waiting(store).map(({ name }) => name),
    ['z', 'a'],
  )
})

test('the last lines of a screen exclude borders, hints and the input box', () => {
  const screen = '● Mended the test.\n\n● All 12 pass.\n\n╭────╮\n│ >  │\n╰────╯\n  ? for shortcuts\n\n'
  assert.deepEqual(lastLines(screen), ['● Mended the test.', '● All 12 pass.'])
  assert.deepEqual(lastLines('$ make\nok\n$ \n'), ['$ make', 'ok'])
  assert.deepEqual(lastLines(''), [])
})

// --- texts ---

test('a receipt describes the delivery of a prompt', () => {
  assert.equal(receiptText({ order: { submit: true }, receipt }), 'Submitted, turn started · 812 ms')
  assert.equal(
    receiptText({
      order: { submit: true },
      receipt: { ...receipt, turnStarted: false, attempts: 2, ms: 2345 },
    }),
    'Submitted · 2 attempts · 2.3 s',
  )
  assert.equal(receiptText({ order: { submit: true }, receipt: null }), 'Sent')
  assert.equal(receiptText({ order: { submit: false }, receipt: null }), 'Typed, not submitted')
})

test('durations are shown in short form', () => {
  assert.deepEqual([3_000, 42_000, 125_000, 7_300_000, 300_000_000].map(ago), [
    'just now',
    '42 s',
    '2 min',
    '2 h',
    '3 days',
  ])
  assert.equal(stateText('waiting', 0, 65_000), 'waiting · 1 min')
  assert.equal(stateText('working', 0, 5_000), 'working')
  assert.equal(stateText('unknown', 0, 5_000), 'running')
})

// --- voice ---

const browser = { speech: true, recorder: true, secure: true }
const can = { available: true, reason: '' }
const cannot = { available: false, reason: 'no server for speech is set' }

test('the browser transcribes first, the server is the fallback', () => {
  assert.deepEqual(speechMethods(browser, can).methods, ['speech', 'recorder'])
  assert.deepEqual(speechMethods(browser, cannot).methods, ['speech'])
  assert.deepEqual(speechMethods({ ...browser, speech: false }, can).methods, ['recorder'])
})

test('without a method the reason is given', () => {
  assert.deepEqual(speechMethods({ ...browser, speech: false }, cannot), {
    methods: [],
    reason: 'This browser cannot transcribe speech. No server for speech is set.',
  })
  assert.deepEqual(speechMethods({ ...browser, secure: false }, can), { methods: [], reason: NEEDS_SECURE })
})

test('a failed speech service falls back to the recorder, a denied microphone does not', () => {
  assert.deepEqual(fallbackMethods('network', ['speech', 'recorder']), ['recorder'])
  assert.deepEqual(fallbackMethods('network', ['speech']), [])
  assert.deepEqual(fallbackMethods('not-allowed', ['speech', 'recorder']), [])
  assert.match(speechErrorText('network', cannot.reason), /cannot be reached\. No server/)
  assert.equal(speechErrorText('NotAllowedError'), speechErrorText('not-allowed'))
  assert.match(speechErrorText('odd'), /odd/)
})
