// Boards and notes without a browser: changes, differences, columns, merging, drafts.
import assert from 'node:assert/strict'
import { test } from 'vitest'

import { type Api, ApiError } from '../core/api'
import type { AgentState, TaskChange } from '../core/generated/api'
import { agentOf } from '../core/samples'
import { describeTask } from './card-history'
import { cardOf, columns, focusAfter, moveTarget, neighbour } from './columns'
import { Draft, type StoredDraft } from './draft'
import { candidates, progress } from './handoff-state'
import { linksIn, safeLink } from './links'
import { caretAfter, merge } from './merging'
import { Store } from '../core/store'
import { Clash, type Sheet, type SheetChange, Sheets } from './sheets'
import { type Difference, describeChanges, differences } from './task-changes'
import {
  applied,
  type EditChange,
  type MoveChange,
  type PendingAdd,
  conflict,
  requestBody,
  STATUSES,
  type Status,
  type Task,
} from './tasks'

/** `WIPc` is a task with the key c and the text C in progress. */
const task = (word: string): Task => {
  const status = STATUSES.find((name) => name === word.slice(0, -1))
  if (!status) throw new Error(`No status in ${word}`)
  return { key: word.slice(-1), text: word.slice(-1).toUpperCase(), status }
}
const tasks = (words: string): Task[] => words.split(' ').filter(Boolean).map(task)
const order = (list: readonly Task[]) => list.map(({ key, status }) => status + key).join(' ')
const move = (key: string, status: Status, before: string | null = null): MoveChange => ({
  kind: 'move',
  key,
  status,
  before,
  was: key.toUpperCase(),
})

// --- changes ---

/** Applies a request like the server does (notes/services.py). */
function served(list: readonly Task[], { action, index, toIndex, status, text = '' }: TaskChange): Task[] {
  if (action === 'add') {
    return list.toSpliced(toIndex ?? list.length, 0, { key: 'new', text, status: status ?? 'NS' })
  }
  const place = index ?? -1
  const task = list[place]
  if (!task) throw new Error(`No task ${index}`)
  const rest = list.toSpliced(place, 1)
  if (action === 'remove') return rest
  if (action === 'set_status') return list.with(place, { ...task, status: status ?? task.status })
  if (action === 'set_text') return list.with(place, { ...task, text })
  if (action === 'set_description') return list.with(place, { ...task, description: text })
  return rest.toSpliced(toIndex ?? 0, 0, { ...task, status: status ?? task.status })
}

test('the request for a moved card matches what is shown', () => {
  const list = tasks('NSa NSb WIPc NSd BLe')
  for (const key of 'abcde') {
    for (const status of STATUSES) {
      const column = list.filter((each) => each.status === status && each.key !== key)
      for (const before of [null, ...column.map((each) => each.key)]) {
        const shown = applied(list, move(key, status, before))
        const request = requestBody(list, move(key, status, before))
        assert.equal(
          order(request ? served(list, request) : list),
          order(shown),
          `${key} ${status} ${before}`,
        )
        const there = shown.filter((each) => each.status === status).map((each) => each.key)
        assert.equal(there[there.indexOf(key) + 1] ?? null, before)
      }
    }
  }
})

test('a card that does not move sends no request', () => {
  assert.equal(requestBody(tasks('NSa WIPb NSc'), move('a', 'NS', 'c')), null)
})

test('a card whose neighbour is gone moves to the end of its column', () => {
  assert.equal(order(applied(tasks('WIPa NSb WIPc'), move('b', 'WIP', 'x'))), 'WIPa WIPc WIPb')
})

test('an added task is not shown twice if the event arrives before the response', () => {
  const change: PendingAdd = { kind: 'add', text: 'B', status: 'NS', mark: '+1', known: new Set('a') }
  assert.equal(order(applied(tasks('NSa'), change)), 'NSa NS+1')
  assert.equal(order(applied(tasks('NSa NSb'), change)), 'NSa NSb')
})

test('a task that changed or is gone causes a conflict', () => {
  const edit: EditChange = { kind: 'edit', key: 'a', text: 'mine', was: 'A' }
  assert.equal(conflict(tasks('NSa'), edit), null)
  assert.deepEqual(conflict([{ key: 'a', text: 'theirs', status: 'NS' }], edit), {
    gone: false,
    theirs: 'theirs',
  })
  assert.deepEqual(conflict([], edit), { gone: true, theirs: '' })
  assert.equal(conflict([{ key: 'a', text: 'mine', status: 'NS' }], edit), null)
})

// --- differences ---

test('differences list added, removed, moved, renamed and sorted tasks', () => {
  const what = (before: string, after: string) =>
    differences(tasks(before), tasks(after)).map(({ key, what }) => `${what} ${key}`)
  assert.deepEqual(what('NSa', 'NSa WIPb'), ['added b'])
  assert.deepEqual(what('NSa NSb', 'NSb'), ['removed a'])
  assert.deepEqual(what('NSa NSb', 'NSa CMb'), ['moved b'])
  assert.deepEqual(what('NSa NSb NSc NSd', 'NSb NSc NSa NSd'), ['sorted a'])
  assert.deepEqual(what('NSa NSb NSc NSd', 'NSa NSd NSb NSc'), ['sorted d'])
  assert.deepEqual(what('NSa', 'NSa'), [])
  const renamed = differences(tasks('NSa'), [{ key: 'a', text: 'Other', status: 'NS' }])
  assert.deepEqual(
    renamed.map(({ what }) => what),
    ['renamed'],
  )
})

test('an own new card is not a difference when it gets its key', () => {
  assert.deepEqual(differences([{ key: '+1', text: 'B', status: 'NS' }], tasks('NSb')), [])
})

test('a change is described in one sentence', () => {
  const [change] = differences(tasks('NSa'), tasks('CMa'))
  assert.ok(change)
  assert.equal(describeChanges([change], 'Anna'), 'Anna moved “A” to Done')
  assert.equal(describeChanges([change, change], 'Anna'), 'Anna changed 2 tasks')
  assert.equal(describeChanges([], 'Anna'), '')
})

// --- the board ---

const board = columns([
  { id: 'one', title: 'One', tasks: tasks('NSa NSb WIPc CMd') },
  { id: 'two', title: 'Two', tasks: tasks('NSx CMy') },
])

test('arrow keys move between cards and skip empty columns', () => {
  assert.equal(neighbour(board, 'a', 'ArrowDown'), 'b')
  assert.equal(neighbour(board, 'x', 'ArrowDown'), 'x')
  assert.equal(neighbour(board, 'b', 'ArrowRight'), 'c')
  assert.equal(neighbour(board, 'c', 'ArrowRight'), 'd')
  assert.equal(neighbour(board, 'd', 'ArrowLeft'), 'c')
  assert.equal(neighbour(board, 'b', 'End'), 'x')
  assert.equal(neighbour(board, '', 'ArrowDown'), 'a')
})

test('a card is moved among the cards of its own sheet', () => {
  assert.deepEqual(moveTarget(board, 'a', 'ArrowDown'), { status: 'NS', before: null })
  assert.deepEqual(moveTarget(board, 'b', 'ArrowUp'), { status: 'NS', before: 'a' })
  assert.deepEqual(moveTarget(board, 'a', 'ArrowRight'), { status: 'WIP', before: 'c' })
  assert.deepEqual(moveTarget(board, 'x', 'ArrowRight'), { status: 'WIP', before: null })
  assert.equal(moveTarget(board, 'a', 'ArrowLeft'), null)
  assert.equal(moveTarget(board, 'a', 'ArrowUp'), null)
})

test('the filter needs every word in the text or the project name', () => {
  const filtered = columns(
    [{ id: 'one', title: 'Web', tasks: [{ key: 'a', text: 'Fix login', status: 'NS' }] }],
    'web LOG',
  )
  assert.equal(filtered[0]?.cards.length, 1)
  assert.equal(
    columns(board.flatMap((column) => column.groups.map((group) => group.sheet)).slice(0, 1), 'zzz')[0]
      ?.total,
    2,
  )
})

test('when a card is removed its neighbour gets the focus', () => {
  assert.equal(focusAfter(board, 'a'), 'b')
  assert.equal(focusAfter(board, 'c'), 'a')
  assert.equal(cardOf(board, 'y')?.sheet, 'two')
})

// --- handoff ---

test('a task asks whether it is done once its agent is idle', () => {
  const link = { window: 'w', at: '2026-11-16T10:00:00.000Z', declined: false }
  const at = (seconds: number) => Date.parse(link.at) + seconds * 1000
  const progressOf = (state: AgentState, more: object = {}) =>
    progress({ link, agents: [{ state }], worked: false, now: at(1), ...more })
  assert.equal(progressOf('working'), 'working')
  assert.equal(progressOf('waiting'), 'waiting')
  assert.equal(progressOf('idle'), 'resting')
  assert.equal(progressOf('idle', { worked: true }), 'asks')
  assert.equal(progressOf('idle', { now: at(60) }), 'asks')
  assert.equal(progressOf('idle', { now: at(60), link: { ...link, declined: true } }), 'resting')
  assert.equal(progress({ link, agents: [], worked: true, now: at(60) }), 'gone')
})

test('agents of the same session are listed first, idle ones before busy ones', () => {
  const agents = [
    agentOf('c', { session: 'other', state: 'idle' }),
    agentOf('b', { session: 'mine', state: 'working' }),
    agentOf('a', { session: 'mine', state: 'idle' }),
  ]
  assert.deepEqual(
    candidates(agents, 'mine').map(({ name }) => name),
    ['a', 'b', 'c'],
  )
})

// --- merging ---

test('changes on different lines are merged', () => {
  assert.deepEqual(merge('a\nb\nc', 'A\nb\nc', 'a\nb\nC'), { text: 'A\nb\nC' })
  assert.deepEqual(merge('a\nb', 'a\nb!', 'a\nb\nc'), { text: 'a\nb!\nc' })
  assert.deepEqual(merge('a', 'a\nmine', 'a\ntheirs'), { text: 'a\ntheirs\nmine' })
  assert.deepEqual(merge('a\nb\nc', 'a\nc', 'a\nb\nc\nd'), { text: 'a\nc\nd' })
  assert.deepEqual(merge('a', 'a\nsame', 'a\nsame'), { text: 'a\nsame' })
  assert.deepEqual(merge('', 'mine', ''), { text: 'mine' })
})

test('the same change by both is applied once', () => {
  assert.deepEqual(merge('a\nb\nc', 'X\nb\nc', 'X\nb\nC'), { text: 'X\nb\nC' })
})

test('a text with too many repeated lines to compare is left to the user', () => {
  const lines = (count: number, first: string, last: string) =>
    [first, ...Array(count).fill('', 0), last].join('\n')
  const merged = (count: number) =>
    merge(lines(count, 'a', 'b'), lines(count + 1, 'A', 'B'), `new\n${lines(count, 'a', 'b')}`)
  assert.deepEqual(merged(50), { text: `new\n${lines(51, 'A', 'B')}` })
  assert.deepEqual(merged(2000), { clash: true })
})

test('conflicting changes of a line are left to the user', () => {
  assert.deepEqual(merge('a\nb', 'a\nmine', 'a\ntheirs'), { clash: true })
  assert.deepEqual(merge('a\nb', 'a', 'a\ntheirs'), { clash: true })
})

test('a merge loses no line of either side', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  const randomEdit = (lines: readonly string[], name: string) => {
    const edited = [...lines]
    for (let turn = 0; turn < 3; turn++) {
      const at = random(edited.length + 1)
      if (random(2)) edited.splice(at, 0, `${name}${turn}`)
      else if (edited[at]) edited[at] = `${name}${turn}!`
    }
    return edited
  }
  for (let round = 0; round < 500; round++) {
    const base = Array.from({ length: random(8) }, (_, place) => `line ${place % 4}`)
    const [ours, theirs] = [randomEdit(base, 'o'), randomEdit(base, 't')]
    const { text } = merge(base.join('\n'), ours.join('\n'), theirs.join('\n'))
    if (text === undefined) continue
    const there = text.split('\n')
    for (const line of [...ours, ...theirs]) {
      if (/^[ot]\d/.test(line)) assert.ok(there.includes(line), `${line} in ${text}`)
    }
  }
})

test('the caret stays with the text around it', () => {
  assert.equal(caretAfter('one two', 'zero one two', 7), 12)
  assert.equal(caretAfter('one two', 'one two three', 3), 3)
  assert.equal(caretAfter('abc', 'abc', 2), 2)
})

// --- drafts ---

interface DraftServer {
  notes: string
  version: number
  kept: StoredDraft | null | undefined
  problem: Error | null
  writes: number
}

const refused = () => new ApiError('changed', 409, 'conflict')

/** A draft and a server with one text; `others(text)` writes as another user. */
function draftWithServer(notes = 'a\nb') {
  const server: DraftServer = { notes, version: 1, kept: undefined, problem: null, writes: 0 }
  const draft = new Draft(
    {
      write: async (text, version) => {
        if (server.problem) throw server.problem
        if (version !== server.version) throw refused()
        server.writes++
        server.notes = text
        return { version: ++server.version }
      },
      read: async () => ({ ...server }),
      keep: (kept) => {
        server.kept = kept
      },
      onChange: () => {},
    },
    60_000,
  )
  draft.open({ notes, version: 1 }, null)
  const others = (text: string) => {
    server.notes = text
    server.version++
  }
  return { draft, server, others }
}

test('typed text is kept in the browser until it is saved', async () => {
  const { draft, server } = draftWithServer()
  draft.type('a\nb\nc')
  assert.equal(draft.state, 'typing')
  assert.deepEqual(server.kept, { text: 'a\nb\nc', base: 'a\nb' })
  await draft.flush()
  assert.deepEqual([server.notes, server.kept, draft.state], ['a\nb\nc', null, 'saved'])
})

test('a line added elsewhere is merged, with or without an event', async () => {
  for (const received of [true, false]) {
    const { draft, server, others } = draftWithServer()
    draft.type('a\nb, mine')
    others('theirs\na\nb')
    if (received) draft.receive(server)
    await draft.flush()
    assert.deepEqual(
      [server.notes, draft.text, draft.state],
      ['theirs\na\nb, mine', 'theirs\na\nb, mine', 'saved'],
    )
  }
})

test('a conflict is not written before the user has chosen', async () => {
  const { draft, server, others } = draftWithServer()
  draft.type('a\nmine')
  others('a\ntheirs')
  await draft.flush()
  assert.deepEqual(
    [draft.state, draft.text, draft.theirs, server.writes],
    ['clash', 'a\nmine', 'a\ntheirs', 0],
  )
  draft.choose('a\nmine')
  await draft.flush()
  assert.equal(server.notes, 'a\nmine')
})

test('unsaved text stays in the browser with the reason', async () => {
  const { draft, server } = draftWithServer()
  server.problem = new Error('Cannot reach the server.')
  draft.type('mine')
  await draft.flush()
  assert.deepEqual(
    [draft.state, draft.problem, server.kept?.text],
    ['failed', 'Cannot reach the server.', 'mine'],
  )
  server.problem = null
  await draft.flush()
  assert.deepEqual([draft.state, server.notes], ['saved', 'mine'])
})

test('an earlier draft is merged with later changes', async () => {
  const { draft, server } = draftWithServer('a\nb\nnew')
  draft.open({ notes: 'a\nb\nnew', version: 1 }, { text: 'a!\nb', base: 'a\nb' })
  await draft.flush()
  assert.equal(server.notes, 'a!\nb\nnew')
})

test('the event of our own write is not a change by others', async () => {
  const { draft, server } = draftWithServer()
  draft.type('a\nb\nc')
  const saving = draft.flush()
  draft.receive({ notes: 'a\nb\nc', version: 2 })
  draft.type('a\nb\nc and more')
  await saving
  assert.deepEqual([draft.text, draft.state, server.notes], ['a\nb\nc and more', 'saved', 'a\nb\nc and more'])
})

test('only safe addresses become links', () => {
  assert.equal(safeLink('https://example.org/a b'), 'https://example.org/a%20b')
  assert.equal(safeLink('mailto:a@b.c'), 'mailto:a@b.c')
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', '/admin', 'JAVASCRIPT:x', ''])
    assert.equal(safeLink(bad), '')
})

// --- sheets ---

interface SheetServer {
  tasks: Task[]
  version: number
  requests: number
  before?: () => void
  problem?: Error | null
}

const sheetOf = (version: number, tasks: readonly Task[]): Sheet => ({
  scope: 'project',
  project: 'p',
  session: 'p',
  window: null,
  notes: '',
  source: 'local',
  notion: null,
  notionPageId: null,
  handed: {},
  updatedAt: null,
  version,
  tasks,
})

/** A server with one sheet that refuses requests for another version. */
function sheetsWithServer(words: string) {
  const server: SheetServer = { tasks: tasks(words), version: 1, requests: 0 }
  const sheet = () => sheetOf(server.version, server.tasks)
  const answer = (body: TaskChange) => {
    server.requests++
    server.before?.()
    if (server.problem) throw server.problem
    if (body.expectedVersion !== server.version) throw refused()
    server.tasks = served(server.tasks, body)
    server.version++
    return { record: sheet(), tasks: server.tasks }
  }
  // The caller names the type of the response; the only body is that of a changed task.
  const api: Api = async <Result>(method: string, _path: string, body?: object) =>
    (method === 'GET' ? sheet() : answer(body as TaskChange)) as Result
  return { server, sheets: new Sheets({ api, store: new Store() }) }
}

const shown = (sheets: Sheets) => order(sheets.get('projects/p')?.tasks ?? [])

test('a change is shown at once and undone if it fails', async () => {
  const { server, sheets } = sheetsWithServer('NSa NSb')
  await sheets.load('/projects/p')
  server.problem = new Error('no')
  const failing = sheets.change('projects/p', move('a', 'CM'))
  assert.equal(shown(sheets), 'CMa NSb')
  await assert.rejects(failing, /no/)
  assert.equal(shown(sheets), 'NSa NSb')
})

test('a conflicting change is retried on the new state', async () => {
  const { server, sheets } = sheetsWithServer('NSa NSb')
  await sheets.load('/projects/p')
  server.tasks = tasks('WIPx NSa NSb')
  server.version = 5
  await sheets.change('projects/p', move('b', 'NS', 'a'))
  assert.equal(order(server.tasks), 'WIPx NSb NSa')
  assert.equal(shown(sheets), 'WIPx NSb NSa')
  assert.equal(server.requests, 2)
})

test('renaming a task that was renamed elsewhere reports both texts', async () => {
  const { server, sheets } = sheetsWithServer('NSa')
  await sheets.load('/projects/p')
  server.tasks = [{ key: 'a', text: 'theirs', status: 'NS' }]
  server.version = 2
  const clash = await sheets
    .change('projects/p', { kind: 'edit', key: 'a', text: 'mine', was: 'A' })
    .catch((error: unknown) => error)
  assert.ok(clash instanceof Clash && clash.change.kind === 'edit')
  assert.deepEqual([clash.change.text, clash.theirs, server.tasks[0]?.text], ['mine', 'theirs', 'theirs'])
})

test('the state with the higher version wins', async () => {
  const { sheets } = sheetsWithServer('NSa')
  await sheets.load('/projects/p')
  const received: SheetChange[] = []
  sheets.addEventListener('change', ({ detail }) => received.push(detail))
  sheets.take(sheetOf(3, tasks('CMa')), { by: 'Anna' })
  sheets.take(sheetOf(2, tasks('WIPa')), { by: 'Bert' })
  assert.equal(shown(sheets), 'CMa')
  assert.deepEqual(
    received.map(({ by, changes }) => [by, changes[0]?.what]),
    [['Anna', 'moved']],
  )
})

test('own changes cause no differences, in any order of arrival', async () => {
  const { server, sheets } = sheetsWithServer('NSa')
  await sheets.load('/projects/p')
  const received: Difference[] = []
  sheets.addEventListener('change', ({ detail }) => received.push(...detail.changes))
  server.before = () => sheets.take(sheetOf(2, tasks('CMa')), { by: 'me' })
  await sheets.change('projects/p', move('a', 'CM')).catch(() => {})
  assert.deepEqual(received, [])
})

// --- cards ---

test('a description is changed by its own request, and conflicts only with another description', () => {
  const list = tasks('NSa WIPb').map((item) => ({ ...item, description: item.key === 'b' ? 'old' : '' }))
  const change = {
    kind: 'describe',
    key: 'b',
    description: 'new\nlines',
    wasDescription: 'old',
    was: 'B',
  } as const
  assert.deepEqual(requestBody(list, change), { action: 'set_description', index: 1, text: 'new\nlines' })
  assert.equal(applied(list, change)[1]?.description, 'new\nlines')
  assert.equal(conflict(list, change), null)
  assert.equal(conflict(list, { ...change, was: 'renamed' }), null)
  assert.deepEqual(conflict(list, { ...change, wasDescription: 'older' }), { gone: false, theirs: 'old' })
  assert.equal(requestBody(applied(list, change), change), null)
  assert.deepEqual(conflict(tasks('NSa'), change), { gone: true, theirs: '' })
})

test('addresses in a text become links, without the punctuation around them', () => {
  const text =
    'See https://a.example/x, (http://b.example/y(z)) and [c](https://c.example/). https://a.example/x!'
  assert.deepEqual(linksIn(text), ['https://a.example/x', 'http://b.example/y(z)', 'https://c.example/'])
  assert.deepEqual(linksIn('javascript:alert(1) file:///etc/passwd //host/x'), [])
})

test('the history of a task is shown as sentences', () => {
  const one = (kind: Parameters<typeof describeTask>[0][number]['kind'], before = '', after = '') =>
    describeTask([{ kind, before, after }])
  assert.equal(one('added', '', 'A'), 'added it')
  assert.equal(one('status', 'NS', 'CM'), 'moved it from Not started to Done')
  assert.equal(one('text', 'a', 'b'), 'renamed it from “a” to “b”')
  assert.equal(one('description', '', 'x'), 'added a description')
  assert.equal(one('description', 'x', ''), 'removed the description')
  assert.equal(one('description', 'x', 'y'), 'changed the description')
  assert.equal(one('judged', '', 'done'), 'accepted the work')
  assert.equal(one('judged', '', 'not yet done'), 'asked for more work')
  assert.equal(one('changed'), 'changed notes that mention it')
  const handed = [
    { kind: 'handed' as const, before: '', after: 'claude' },
    { kind: 'status' as const, before: 'NS', after: 'WIP' },
  ]
  assert.equal(describeTask(handed), 'handed it to claude, moved it from Not started to In progress')
})
