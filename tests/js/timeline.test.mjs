// The timeline's pure parts: what an item says, where it leads, how pages join.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { conversationText } from '../../frontend/agents/conversation-text.js'
import { author, content, links, rows, taskMove, title, withNewest } from '../../frontend/agents/timeline-items.js'

const item = (key, more = {}) => ({ key, ts: Number(key), kind: 'prompt', window: 'abc', windowName: 'sh', action: '', text: 'x', by: '', detail: '', ...more })
const keys = ({ items }) => items.map(({ key }) => key)

test('a task that moved says from where to where', () => {
  assert.equal(taskMove('- [WIP] Fix it\n+ [CM] Fix it').text, 'Fix it: in progress → done')
  assert.equal(taskMove('+ [BL] Fix it').text, 'Fix it: blocked')
  assert.equal(taskMove('- Fix it\n+ [WIP] Fix it').text, 'Fix it: not started → in progress')
  assert.equal(taskMove('- [WIP] Fix it\n+ [CM] Fix that'), null)
  assert.deepEqual(content(item('1', { kind: 'task', action: 'write_notes', text: '+ some prose' })), { text: '+ some prose', mono: true })
})

test('an answer is told in its words, a file with its size, a call with how it went', () => {
  assert.equal(content(item('1', { kind: 'turn', text: 'Fixed.\n\n┌──┐\n└──┘' })).text, 'Fixed.')
  assert.equal(content(item('1', { kind: 'attachment', text: 'a.png', detail: '20480 bytes, image/png' })).text, 'a.png (20 KiB)')
  assert.equal(content(item('1', { kind: 'call', text: 'session=work', detail: 'ok, 3 ms' })).text, 'session=work · ok, 3 ms')
})

test('everybody has a name, but for who typed at a terminal of their own', () => {
  assert.equal(author(item('1', { by: 'my laptop' })), 'by my laptop')
  assert.equal(author(item('1')), 'typed in the window')
  assert.equal(title(item('1', { kind: 'task', action: 'set_source' })), 'set source')
})

test('an item leads to its moment, a task to its board', () => {
  assert.deepEqual(links(item('5'), 'work'), [{ name: 'In the chat', href: '#/window/abc/chat/5' }])
  assert.deepEqual(links(item('5', { kind: 'task', window: null }), 'work'), [{ name: 'On the board', href: '#/project/work/board' }])
  assert.deepEqual(links(item('5', { kind: 'call', window: null }), 'work'), [])
})

test('what is new goes before what is loaded', () => {
  const loaded = [item('5'), item('4'), item('3')]
  assert.deepEqual(keys(withNewest(loaded, { items: [item('6'), item('5'), item('4')], hasMore: true })), ['6', '5', '4', '3'])
})

test('a turn that went on has moved, and is not there twice', () => {
  const loaded = [item('5', { kind: 'turn' }), item('4'), item('3')]
  assert.deepEqual(keys(withNewest(loaded, { items: [item('7', { kind: 'turn' }), item('4')], hasMore: true })), ['7', '4', '3'])
})

test('a newest page that does not reach back stands alone', () => {
  const told = withNewest([item('3')], { items: [item('9'), item('8')], hasMore: true })
  assert.deepEqual([keys(told), told.alone], [['9', '8'], true])
  assert.deepEqual(keys(withNewest([], { items: [item('9')], hasMore: false })), ['9'])
})

test('each day has a heading', () => {
  const noon = new Date(2026, 2, 1, 12).getTime()
  assert.deepEqual(rows([item(String(noon + 86_400_000)), item(String(noon))]).map(({ kind }) => kind), ['day', 'event', 'day', 'event'])
})

test('a conversation is copied with who said what and when', () => {
  const told = conversationText([{ role: 'user', ts: 0, text: 'hello' }, { role: 'assistant', ts: 60_000, text: 'yes' }])
  assert.equal(told, 'Prompt, 1970-01-01 00:00 UTC\nhello\n\nAnswer, 1970-01-01 00:01 UTC\nyes\n')
})
