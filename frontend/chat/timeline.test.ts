// The timeline: texts and links of items, and merging of pages.
import assert from 'node:assert/strict'
import { test } from 'vitest'

import type { TimelineItemOut } from '../core/generated/api'
import { conversationText } from './conversation-text'
import { author, content, links, rows, taskMove, title, withNewest } from './timeline-items'

const item = (key: string, more: Partial<TimelineItemOut> = {}): TimelineItemOut => ({
  key,
  ts: Number(key),
  kind: 'prompt',
  window: 'abc',
  windowName: 'sh',
  action: '',
  text: 'x',
  by: '',
  detail: '',
  ...more,
})
const keys = ({ items }: { items: TimelineItemOut[] }) => items.map(({ key }) => key)

test('a moved task shows both statuses', () => {
  assert.equal(taskMove('- [WIP] Fix it\n+ [CM] Fix it')?.text, 'Fix it: in progress → done')
  assert.equal(taskMove('+ [BL] Fix it')?.text, 'Fix it: blocked')
  assert.equal(taskMove('- Fix it\n+ [WIP] Fix it')?.text, 'Fix it: not started → in progress')
  assert.equal(taskMove('- [WIP] Fix it\n+ [CM] Fix that'), null)
  assert.deepEqual(content(item('1', { kind: 'task', action: 'write_notes', text: '+ some prose' })), {
    text: '+ some prose',
    mono: true,
  })
})

test('turns show prose, files their size, and tool calls their result', () => {
  assert.equal(content(item('1', { kind: 'turn', text: 'Fixed.\n\n┌──┐\n└──┘' })).text, 'Fixed.')
  assert.equal(
    content(item('1', { kind: 'attachment', text: 'a.png', detail: '20480 bytes, image/png' })).text,
    'a.png (20 KiB)',
  )
  assert.equal(
    content(item('1', { kind: 'call', text: 'session=work', detail: 'ok, 3 ms' })).text,
    'session=work · ok, 3 ms',
  )
})

test('items have an author, except text typed in a terminal', () => {
  assert.equal(author(item('1', { by: 'my laptop' })), 'by my laptop')
  assert.equal(author(item('1')), 'typed in the window')
  assert.equal(title(item('1', { kind: 'task', action: 'set_source' })), 'set source')
})

test('items link to the chat, tasks to the board', () => {
  assert.deepEqual(links(item('5'), 'work'), [{ name: 'Open chat', href: '#/window/abc/chat/5' }])
  assert.deepEqual(links(item('5', { kind: 'task', window: null }), 'work'), [
    { name: 'Open board', href: '#/project/work/board' },
  ])
  assert.deepEqual(links(item('5', { kind: 'call', window: null }), 'work'), [])
})

test('new items are added before the loaded ones', () => {
  const loaded = [item('5'), item('4'), item('3')]
  assert.deepEqual(keys(withNewest(loaded, { items: [item('6'), item('5'), item('4')], hasMore: true })), [
    '6',
    '5',
    '4',
    '3',
  ])
})

test('a continued turn moves up and is listed once', () => {
  const loaded = [item('5', { kind: 'turn' }), item('4'), item('3')]
  assert.deepEqual(
    keys(withNewest(loaded, { items: [item('7', { kind: 'turn' }), item('4')], hasMore: true })),
    ['7', '4', '3'],
  )
})

test('a newest page with a gap replaces the list', () => {
  const merged = withNewest([item('3')], { items: [item('9'), item('8')], hasMore: true })
  assert.deepEqual([keys(merged), merged.alone], [['9', '8'], true])
  assert.deepEqual(keys(withNewest([], { items: [item('9')], hasMore: false })), ['9'])
})

test('each day has a heading', () => {
  const noon = new Date(2026, 2, 1, 12).getTime()
  assert.deepEqual(
    rows([item(String(noon + 86_400_000)), item(String(noon))]).map(({ kind }) => kind),
    ['day', 'event', 'day', 'event'],
  )
})

test('a conversation is copied with roles and times', () => {
  const text = conversationText([
    { role: 'user', ts: 0, text: 'hello' },
    { role: 'assistant', ts: 60_000, text: 'yes' },
  ])
  assert.equal(text, 'Prompt, 1970-01-01 00:00 UTC\nhello\n\nAnswer, 1970-01-01 00:01 UTC\nyes\n')
})
