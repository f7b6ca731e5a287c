// Prompts, answers and the deck, as far as they need no browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { answer, answerFor, answers, wantsWords } from '../../frontend/agents/answers.js'
import { Since, deckOf, lastWords } from '../../frontend/agents/deck.js'
import { DRAFTS, KEY_LIFE_MS, NO_DRAFT, TEXT_LIMIT, edited, freshKey, inserted, keyFor, withDraft, without } from '../../frontend/agents/drafts.js'
import { ENTRIES, NO_WALK, TOTAL_LIMIT, arrow, found, ordered, remembered, step } from '../../frontend/agents/history.js'
import { Ledger } from '../../frontend/agents/ledger.js'
import { nextWaiting, targetOf } from '../../frontend/agents/target.js'
import { NEEDS_SECURE, problemWords, wayAfter, waysToListen } from '../../frontend/agents/voice-ways.js'
import { ago, counted, receiptWords, stateWords } from '../../frontend/agents/words.js'
import { Store } from '../../frontend/page/store.js'

// --- a store as the server fills it ---

const agent = (name, state, number, rest = {}) => ({
  name, runtime: 'claude', workDir: '/w', attached: false, state, question: '', options: [], session: 's', windowId: `@${number}`, paneId: `%${number}`, ...rest,
})
const pane = (number, active = true) => ({ paneId: `%${number}`, active, command: 'sh', path: '/w' })
const window = (number, panes = [pane(number)]) => ({
  windowId: `@${number}`, windowIndex: number, windowName: `w${number}`, session: 's', sessionId: '$0', activity: 100, panes,
})

function filled(windows, agents, place = '') {
  const store = new Store()
  store.takeWorkspace({ windows, problem: '' })
  store.takeAgents({ agents, totalAgents: agents.length })
  store.place = { view: place ? 'terminal' : 'home', key: place, project: '' }
  return store
}

// --- whom a prompt goes to ---

test('a prompt goes to the agent of the pane that has the keyboard', () => {
  const store = filled([window(1, [pane(1), pane(2, false)])], [agent('a', 'idle', 1), agent('b', 'idle', 1, { paneId: '%2' })], '@1')
  assert.equal(targetOf(store).agent.name, 'a')
  store.pane = '%2'
  assert.deepEqual([targetOf(store).agent.name, targetOf(store).pane], ['b', '%2'])
})

test('beside an agent a shell that was chosen is meant itself, else the agent of the window', () => {
  const store = filled([window(1, [pane(1), pane(2, false)])], [agent('b', 'idle', 1, { paneId: '%2' })], '@1')
  assert.deepEqual([targetOf(store).agent.name, targetOf(store).pane], ['b', '%2'])
  store.pane = '%1'
  assert.deepEqual([targetOf(store).agent, targetOf(store).pane], [null, '%1'])
})

test('a page that shows no window has nobody to write to', () => {
  assert.equal(targetOf(filled([window(1)], [])), null)
})

test('the next that waits comes after this window, and round again', () => {
  const windows = [1, 2, 3, 4].map((number) => window(number))
  const agents = [agent('a', 'waiting', 1), agent('b', 'idle', 2), agent('c', 'waiting', 3)]
  assert.equal(nextWaiting(filled(windows, agents)).windowId, '@1')
  assert.equal(nextWaiting(filled(windows, agents, '@1')).windowId, '@3')
  assert.equal(nextWaiting(filled(windows, agents, '@4')).windowId, '@1')
  assert.equal(nextWaiting(filled(windows, [agents[0]], '@1')), null)
})

// --- drafts ---

test('drafts are bounded, the newest are kept, and an empty one is gone', () => {
  let drafts = {}
  for (let at = 0; at < DRAFTS + 5; at += 1) drafts = withDraft(drafts, `k${at}`, { ...NO_DRAFT, text: `t${at}` })
  assert.equal(Object.keys(drafts).length, DRAFTS)
  assert.equal(drafts.k0, undefined)
  assert.equal(drafts[`k${DRAFTS + 4}`].text, `t${DRAFTS + 4}`)
  assert.equal(withDraft(drafts, `k${DRAFTS}`, NO_DRAFT)[`k${DRAFTS}`], undefined)
  assert.deepEqual(withDraft({}, 'k', { ...NO_DRAFT, text: 'x'.repeat(TEXT_LIMIT + 1) }), {})
})

test('the same text to the same agent keeps its key while the server knows it, and nothing else does', () => {
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

test('a path goes in at the caret with blanks around it, and comes out again', () => {
  assert.deepEqual(inserted('look at', 7, 7, 'a.png'), { text: 'look at a.png ', caret: 14 })
  assert.deepEqual(inserted('', 0, 0, 'a.png'), { text: 'a.png ', caret: 6 })
  assert.deepEqual(inserted('one two', 4, 7, 'x'), { text: 'one x ', caret: 6 })
  assert.deepEqual(inserted('one  two', 4, 4, 'x'), { text: 'one x two', caret: 6 })
  assert.equal(without('see a.png now', 'a.png'), 'see now')
})

test('a file whose path was deleted from the text is no longer attached', () => {
  const draft = { text: 'see a.png', files: [{ name: 'a', path: 'a.png' }], sent: null }
  assert.equal(edited(draft, 'see a.png now').files.length, 1)
  assert.equal(edited(draft, 'see').files.length, 0)
})

// --- earlier prompts ---

test('the same prompt stands in the history once, at its newest place, and the history is bounded', () => {
  let entries = []
  for (let at = 0; at < ENTRIES + 10; at += 1) entries = remembered(entries, { text: `p${at}`, address: 'k', at })
  assert.equal(entries.length, ENTRIES)
  entries = remembered(entries, { text: 'p50', address: 'k', at: 999 })
  assert.equal(entries.length, ENTRIES)
  assert.equal(entries[0].text, 'p50')
  assert.equal(entries.filter(({ text }) => text === 'p50').length, 1)
  assert.deepEqual(remembered(entries, { text: ' ', address: 'k', at: 1 }), entries)
})

test('long prompts push others out rather than fill the browser', () => {
  let entries = []
  for (let at = 0; at < 30; at += 1) entries = remembered(entries, { text: `${at}`.padEnd(TOTAL_LIMIT / 10, 'x'), address: 'k', at })
  assert.equal(entries.length, 10)
  assert.equal(entries[0].at, 29)
})

test('arrows walk through this window, then the others, and back to what was written', () => {
  const entries = ordered([{ text: 'other', address: 'b' }, { text: 'new', address: 'a' }, { text: 'old', address: 'a' }], 'a')
  const seen = []
  let at = { walk: NO_WALK, text: 'draft' }
  for (const direction of [1, 1, 1]) {
    at = step(entries, at.walk, direction, at.text)
    seen.push(at.text)
  }
  assert.deepEqual(seen, ['new', 'old', 'other'])
  assert.equal(step(entries, at.walk, 1, at.text), null)
  for (const direction of [-1, -1, -1]) at = step(entries, at.walk, direction, at.text)
  assert.equal(at.text, 'draft')
  assert.equal(step(entries, at.walk, -1, at.text), null)
})

test('an arrow inside the text moves the caret and leaves the history alone', () => {
  const text = 'one\ntwo'
  assert.equal(arrow('ArrowUp', { text, start: 5, end: 5, walking: false }), '')
  assert.equal(arrow('ArrowUp', { text, start: 2, end: 2, walking: false }), 'edge')
  assert.equal(arrow('ArrowUp', { text, start: 0, end: 0, walking: false }), 'step')
  assert.equal(arrow('ArrowUp', { text, start: 0, end: 3, walking: false }), '')
  assert.equal(arrow('ArrowDown', { text, start: 7, end: 7, walking: false }), '')
  assert.equal(arrow('ArrowDown', { text, start: 7, end: 7, walking: true }), 'step')
  assert.equal(arrow('ArrowDown', { text, start: 1, end: 1, walking: true }), '')
})

test('a search finds prompts that have every word', () => {
  const entries = [{ text: 'Mend the red test' }, { text: 'write a test' }]
  assert.deepEqual(found(entries, ' TEST mend ').map(({ text }) => text), ['Mend the red test'])
  assert.equal(found(entries, '').length, 2)
})

// --- answers ---

test('an answer is shown while it is under way, once, and its failure in words for a while', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const asked = []
  let settle
  const socket = { request: (type, fields) => { asked.push({ type, ...fields }); return new Promise((done, failed) => { settle = { done, failed } }) } }
  const waits = agent('a', 'waiting', 1, { question: 'go?' })
  const first = answer(socket, { agent: 'a', number: 2, question: 'go?' })
  assert.equal(answerFor(waits).phase, 'pending')
  assert.equal(await answer(socket, { agent: 'a', number: 1, question: 'go?' }), false)
  assert.deepEqual(asked, [{ type: 'answer-agent', agent: 'a', answer: '2', question: 'go?' }])
  settle.failed(new Error('it asks something else by now: rm?'))
  assert.equal(await first, false)
  assert.deepEqual([answerFor(waits).phase, answerFor(waits).error], ['failed', 'it asks something else by now: rm?'])
  context.mock.timers.tick(20_000)
  assert.equal(answers.get('a'), null)
})

test('what was answered before says nothing about the next question', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  assert.equal(await answer({ request: async () => ({}) }, { agent: 'a', number: 1, question: 'go?' }), true)
  assert.equal(answerFor(agent('a', 'waiting', 1, { question: 'go?' })).phase, 'done')
  assert.equal(answerFor(agent('a', 'waiting', 1, { question: 'rm?' })), null)
  context.mock.timers.tick(3_000)
  assert.equal(answerFor(agent('a', 'waiting', 1, { question: 'go?' })), null)
})

test('options that want words are known by their label', () => {
  for (const label of ['No, and tell Claude what to do differently', 'No, suggest changes', 'Type something.']) assert.ok(wantsWords(label), label)
  for (const label of ['Yes', "Yes, and don't ask again for make commands", 'No']) assert.ok(!wantsWords(label), label)
})

test('a ledger forgets the oldest', () => {
  const ledger = new Ledger(2)
  for (const name of ['a', 'b', 'a', 'c']) ledger.put(name, name)
  assert.deepEqual(['a', 'b', 'c'].map((name) => ledger.get(name)), ['a', null, 'c'])
})

// --- the deck ---

test('waiting agents come first, then working, idle and unknown ones, then windows without any', () => {
  const windows = [1, 2, 3, 4, 5].map((number) => window(number))
  const store = filled(windows, [agent('i', 'idle', 1), agent('w', 'working', 2), agent('q', 'waiting', 3), agent('u', 'unknown', 4)])
  const { groups, plain, counts } = deckOf(store)
  assert.deepEqual(groups.map(({ cards }) => cards.map((card) => card.agent.name)), [['q'], ['w', 'i', 'u']])
  assert.deepEqual(plain.map(({ windowId }) => windowId), ['@5'])
  assert.equal(counted(counts), '1 waiting · 1 working · 1 idle')
})

test('since when is told only as far as it was seen', () => {
  const since = new Since()
  const cards = (state) => [{ agent: agent('a', state, 1), window: window(1) }]
  since.note(cards('working'), 500_000)
  assert.equal(since.of('a'), null)
  since.note(cards('waiting'), 600_000)
  since.note(cards('waiting'), 700_000)
  assert.equal(since.of('a'), 600_000)
  const later = new Since()
  later.note(cards('idle'), 500_000)
  assert.equal(later.of('a'), 100_000)
})

test('the last words of a screen leave out borders, hints and the input box', () => {
  const screen = '● Mended the test.\n\n● All 12 pass.\n\n╭────╮\n│ >  │\n╰────╯\n  ? for shortcuts\n\n'
  assert.deepEqual(lastWords(screen), ['● Mended the test.', '● All 12 pass.'])
  assert.deepEqual(lastWords('$ make\nok\n$ \n'), ['$ make', 'ok'])
  assert.deepEqual(lastWords(''), [])
})

// --- words ---

test('a receipt says what was seen of a prompt', () => {
  const receipt = { submitted: true, turnStarted: true, attempts: 1, ms: 812 }
  assert.equal(receiptWords({ order: { submit: true }, receipt }), 'submitted, turn started · 812 ms')
  assert.equal(receiptWords({ order: { submit: true }, receipt: { ...receipt, turnStarted: false, attempts: 2, ms: 2345 } }), 'submitted · 2 tries · 2.3 s')
  assert.equal(receiptWords({ order: { submit: true }, receipt: null }), 'sent')
  assert.equal(receiptWords({ order: { submit: false }, receipt: null }), 'typed, not submitted')
})

test('times are said as people say them', () => {
  assert.deepEqual([3_000, 42_000, 125_000, 7_300_000, 300_000_000].map(ago), ['just now', '42 s', '2 min', '2 h', '3 days'])
  assert.equal(stateWords('waiting', 0, 65_000), 'waiting · 1 min')
  assert.equal(stateWords('working', 0, 5_000), 'working')
  assert.equal(stateWords('unknown', null, 5_000), 'running')
})

// --- voice ---

const browser = { speech: true, recorder: true, secure: true }
const can = { available: true, reason: '' }
const cannot = { available: false, reason: 'no server for speech is set' }

test("the browser's own speech comes first, the server's is the other way", () => {
  assert.deepEqual(waysToListen(browser, can).ways, ['speech', 'recorder'])
  assert.deepEqual(waysToListen(browser, cannot).ways, ['speech'])
  assert.deepEqual(waysToListen({ ...browser, speech: false }, can).ways, ['recorder'])
})

test('where no way is left it is said why', () => {
  assert.deepEqual(waysToListen({ ...browser, speech: false }, cannot), { ways: [], reason: 'this browser does not write speech down, and no server for speech is set' })
  assert.deepEqual(waysToListen({ ...browser, secure: false }, can), { ways: [], reason: NEEDS_SECURE })
})

test('a service that fails leads to the recorder, a microphone that is refused does not', () => {
  assert.deepEqual(wayAfter('network', ['speech', 'recorder']), ['recorder'])
  assert.deepEqual(wayAfter('network', ['speech']), [])
  assert.deepEqual(wayAfter('not-allowed', ['speech', 'recorder']), [])
  assert.match(problemWords('network', cannot.reason), /cannot be reached, and no server/)
  assert.equal(problemWords('NotAllowedError'), problemWords('not-allowed'))
  assert.match(problemWords('odd'), /odd/)
})
