// Boards and notes without a browser: changes, differences, columns, merging, drafts.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { cardOf, carried, columns, heir, neighbour } from '../../frontend/notes/columns.js'
import { Draft } from '../../frontend/notes/draft.js'
import { candidates, progress } from '../../frontend/notes/handed.js'
import { safeLink } from '../../frontend/notes/links.js'
import { caretAfter, merge } from '../../frontend/notes/merging.js'
import { differences, said } from '../../frontend/notes/news.js'
import { Clash, Sheets } from '../../frontend/notes/sheets.js'
import { applied, asked, conflict } from '../../frontend/notes/tasks.js'

const task = (word) => ({ key: word.slice(-1), text: word.slice(-1).toUpperCase(), status: word.slice(0, -1) })
const tasks = (words) => words.split(' ').filter(Boolean).map(task)
const order = (list) => list.map(({ key, status }) => status + key).join(' ')
const move = (key, status, before = null) => ({ kind: 'move', key, status, before, was: key.toUpperCase() })

// --- changes ---

/** What the server makes of a request: the same as notes/services.py. */
function served(list, { action, index, toIndex, status, text }) {
  const rest = list.filter((_, place) => place !== index)
  if (action === 'remove') return rest
  if (action === 'set_status') return list.with(index, { ...list[index], status })
  if (action === 'set_text') return list.with(index, { ...list[index], text })
  if (action === 'add') return list.toSpliced(toIndex ?? list.length, 0, { key: 'new', text, status })
  return rest.toSpliced(toIndex, 0, { ...list[index], status: status ?? list[index].status })
}

test('a moved card is asked for as it is shown, wherever it goes', () => {
  const list = tasks('NSa NSb WIPc NSd BLe')
  for (const key of 'abcde') {
    for (const status of ['NS', 'WIP', 'BL', 'CM']) {
      const column = list.filter((each) => each.status === status && each.key !== key)
      for (const before of [null, ...column.map((each) => each.key)]) {
        const shown = applied(list, move(key, status, before))
        const request = asked(list, move(key, status, before))
        assert.equal(order(request ? served(list, request) : list), order(shown), `${key} ${status} ${before}`)
        const there = shown.filter((each) => each.status === status).map((each) => each.key)
        assert.equal(there[there.indexOf(key) + 1] ?? null, before)
      }
    }
  }
})

test('a card that stays where it is asks for nothing', () => {
  assert.equal(asked(tasks('NSa WIPb NSc'), move('a', 'NS', 'c')), null)
})

test('a card whose neighbour is gone goes to the end of its column', () => {
  assert.equal(order(applied(tasks('WIPa NSb WIPc'), move('b', 'WIP', 'x'))), 'WIPa WIPc WIPb')
})

test('what was added is not shown twice when the news come before the answer', () => {
  const change = { kind: 'add', text: 'B', status: 'NS', mark: '+1', known: new Set('a') }
  assert.equal(order(applied(tasks('NSa'), change)), 'NSa NS+1')
  assert.equal(order(applied(tasks('NSa NSb'), change)), 'NSa NSb')
})

test('a task that says something else by now is not changed, one that is gone neither', () => {
  const edit = { kind: 'edit', key: 'a', text: 'mine', was: 'A' }
  assert.equal(conflict(tasks('NSa'), edit), null)
  assert.deepEqual(conflict([{ key: 'a', text: 'theirs', status: 'NS' }], edit), { gone: false, theirs: 'theirs' })
  assert.deepEqual(conflict([], edit), { gone: true, theirs: '' })
  assert.equal(conflict([{ key: 'a', text: 'mine', status: 'NS' }], edit), null)
})

// --- news ---

test('differences name what came, went, moved, was renamed and sorted', () => {
  const what = (before, after) => differences(tasks(before), tasks(after)).map(({ key, what }) => `${what} ${key}`)
  assert.deepEqual(what('NSa', 'NSa WIPb'), ['added b'])
  assert.deepEqual(what('NSa NSb', 'NSb'), ['removed a'])
  assert.deepEqual(what('NSa NSb', 'NSa CMb'), ['moved b'])
  assert.deepEqual(what('NSa NSb NSc NSd', 'NSb NSc NSa NSd'), ['sorted a'])
  assert.deepEqual(what('NSa NSb NSc NSd', 'NSa NSd NSb NSc'), ['sorted d'])
  assert.deepEqual(what('NSa', 'NSa'), [])
  const renamed = differences(tasks('NSa'), [{ key: 'a', text: 'Other', status: 'NS' }])
  assert.deepEqual(renamed.map(({ what }) => what), ['renamed'])
})

test("a page's own new card is no news when it gets its key", () => {
  assert.deepEqual(differences([{ key: '+1', text: 'B', status: 'NS' }], tasks('NSb')), [])
})

test('what happened is one sentence', () => {
  const [change] = differences(tasks('NSa'), tasks('CMa'))
  assert.equal(said([change], 'Anna'), 'Anna moved “A” to Done')
  assert.equal(said([change, change], 'Anna'), 'Anna changed 2 tasks')
  assert.equal(said([], 'Anna'), '')
})

// --- the board ---

const board = columns([
  { id: 'one', title: 'One', tasks: tasks('NSa NSb WIPc CMd') },
  { id: 'two', title: 'Two', tasks: tasks('NSx CMy') },
])

test('arrows lead over the cards, and over empty columns', () => {
  assert.equal(neighbour(board, 'a', 'ArrowDown'), 'b')
  assert.equal(neighbour(board, 'x', 'ArrowDown'), 'x')
  assert.equal(neighbour(board, 'b', 'ArrowRight'), 'c')
  assert.equal(neighbour(board, 'c', 'ArrowRight'), 'd')
  assert.equal(neighbour(board, 'd', 'ArrowLeft'), 'c')
  assert.equal(neighbour(board, 'b', 'End'), 'x')
  assert.equal(neighbour(board, '', 'ArrowDown'), 'a')
})

test('a carried card finds its place among those of its own sheet', () => {
  assert.deepEqual(carried(board, 'a', 'ArrowDown'), { status: 'NS', before: null })
  assert.deepEqual(carried(board, 'b', 'ArrowUp'), { status: 'NS', before: 'a' })
  assert.deepEqual(carried(board, 'a', 'ArrowRight'), { status: 'WIP', before: 'c' })
  assert.deepEqual(carried(board, 'x', 'ArrowRight'), { status: 'WIP', before: null })
  assert.equal(carried(board, 'a', 'ArrowLeft'), null)
  assert.equal(carried(board, 'a', 'ArrowUp'), null)
})

test('a filter needs every word, in the text or the name of the project', () => {
  const found = columns([{ id: 'one', title: 'Web', tasks: [{ key: 'a', text: 'Fix login', status: 'NS' }] }], 'web LOG')
  assert.equal(found[0].cards.length, 1)
  assert.equal(columns(board.flatMap((column) => column.groups.map((group) => group.sheet)).slice(0, 1), 'zzz')[0].total, 2)
})

test('when a card goes its neighbour gets the focus', () => {
  assert.equal(heir(board, 'a'), 'b')
  assert.equal(heir(board, 'c'), 'a')
  assert.equal(cardOf(board, 'y').sheet, 'two')
})

// --- handed over ---

test('a task asks whether it is done once its agent rests', () => {
  const link = { window: 'w', at: '2026-11-16T10:00:00.000Z', declined: false }
  const at = (seconds) => Date.parse(link.at) + seconds * 1000
  const seen = (state, more = {}) => progress({ link, agents: [{ state }], worked: false, now: at(1), ...more })
  assert.equal(seen('working'), 'working')
  assert.equal(seen('waiting'), 'waiting')
  assert.equal(seen('idle'), 'resting')
  assert.equal(seen('idle', { worked: true }), 'asks')
  assert.equal(seen('idle', { now: at(60) }), 'asks')
  assert.equal(seen('idle', { now: at(60), link: { ...link, declined: true } }), 'resting')
  assert.equal(progress({ link, agents: [], worked: true, now: at(60) }), 'gone')
})

test('agents of the same session are offered first, and of them those at rest', () => {
  const agents = [
    { name: 'c', session: 'other', state: 'idle' },
    { name: 'b', session: 'mine', state: 'working' },
    { name: 'a', session: 'mine', state: 'idle' },
  ]
  assert.deepEqual(candidates(agents, 'mine').map(({ name }) => name), ['a', 'b', 'c'])
})

// --- merging ---

test('changes of both are kept where they are on different lines', () => {
  assert.deepEqual(merge('a\nb\nc', 'A\nb\nc', 'a\nb\nC'), { text: 'A\nb\nC' })
  assert.deepEqual(merge('a\nb', 'a\nb!', 'a\nb\nc'), { text: 'a\nb!\nc' })
  assert.deepEqual(merge('a', 'a\nmine', 'a\ntheirs'), { text: 'a\ntheirs\nmine' })
  assert.deepEqual(merge('a\nb\nc', 'a\nc', 'a\nb\nc\nd'), { text: 'a\nc\nd' })
  assert.deepEqual(merge('a', 'a\nsame', 'a\nsame'), { text: 'a\nsame' })
  assert.deepEqual(merge('', 'mine', ''), { text: 'mine' })
})

test('the same change by both is made once', () => {
  assert.deepEqual(merge('a\nb\nc', 'X\nb\nc', 'X\nb\nC'), { text: 'X\nb\nC' })
})

test('the same line changed by both is left to the person', () => {
  assert.deepEqual(merge('a\nb', 'a\nmine', 'a\ntheirs'), { clash: true })
  assert.deepEqual(merge('a\nb', 'a', 'a\ntheirs'), { clash: true })
})

test('no line of either is lost by a merge', () => {
  let seed = 7
  const random = (below) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below
  const edited = (lines, name) => {
    const made = [...lines]
    for (let turn = 0; turn < 3; turn++) {
      const at = random(made.length + 1)
      if (random(2)) made.splice(at, 0, `${name}${turn}`)
      else if (made[at]) made[at] = `${name}${turn}!`
    }
    return made
  }
  for (let round = 0; round < 500; round++) {
    const base = Array.from({ length: random(8) }, (_, place) => `line ${place % 4}`)
    const [ours, theirs] = [edited(base, 'o'), edited(base, 't')]
    const { text } = merge(base.join('\n'), ours.join('\n'), theirs.join('\n'))
    if (text === undefined) continue
    const there = text.split('\n')
    for (const line of [...ours, ...theirs]) {
      if (/^[ot]\d/.test(line)) assert.ok(there.includes(line), `${line} in ${text}`)
    }
  }
})

test('the caret stays with the words around it', () => {
  assert.equal(caretAfter('one two', 'zero one two', 7), 12)
  assert.equal(caretAfter('one two', 'one two three', 3), 3)
  assert.equal(caretAfter('abc', 'abc', 2), 2)
})

// --- drafts ---

/** A draft before a server that holds one text; `others(text)` is somebody else's write. */
function desk(notes = 'a\nb') {
  const server = { notes, version: 1, kept: undefined, problem: null, writes: 0 }
  const draft = new Draft({
    write: async (text, version) => {
      if (server.problem) throw server.problem
      if (version !== server.version) throw Object.assign(new Error('changed'), { code: 'conflict' })
      server.writes++
      server.notes = text
      return { version: ++server.version }
    },
    read: async () => ({ ...server }),
    keep: (kept) => { server.kept = kept },
    tell: () => {},
  }, 60_000)
  draft.open({ notes, version: 1 }, null)
  const others = (text) => { server.notes = text; server.version++ }
  return { draft, server, others }
}

test('what is typed is kept in the browser until the server has it', async () => {
  const { draft, server } = desk()
  draft.type('a\nb\nc')
  assert.equal(draft.state, 'typing')
  assert.deepEqual(server.kept, { text: 'a\nb\nc', base: 'a\nb' })
  await draft.flush()
  assert.deepEqual([server.notes, server.kept, draft.state], ['a\nb\nc', null, 'saved'])
})

test("somebody else's line is merged into what is typed, whether it was told or not", async () => {
  for (const told of [true, false]) {
    const { draft, server, others } = desk()
    draft.type('a\nb, mine')
    others('theirs\na\nb')
    if (told) draft.told(server)
    await draft.flush()
    assert.deepEqual([server.notes, draft.text, draft.state], ['theirs\na\nb, mine', 'theirs\na\nb, mine', 'saved'])
  }
})

test('where both changed one line nothing is written before the person has chosen', async () => {
  const { draft, server, others } = desk()
  draft.type('a\nmine')
  others('a\ntheirs')
  await draft.flush()
  assert.deepEqual([draft.state, draft.text, draft.theirs, server.writes], ['clash', 'a\nmine', 'a\ntheirs', 0])
  draft.choose('a\nmine')
  await draft.flush()
  assert.equal(server.notes, 'a\nmine')
})

test('what could not be saved says why and stays in the browser', async () => {
  const { draft, server } = desk()
  server.problem = new Error('the server cannot be reached')
  draft.type('mine')
  await draft.flush()
  assert.deepEqual([draft.state, draft.problem, server.kept.text], ['failed', 'the server cannot be reached', 'mine'])
  server.problem = null
  await draft.flush()
  assert.deepEqual([draft.state, server.notes], ['saved', 'mine'])
})

test('a draft of an earlier time is merged with what came since', async () => {
  const { draft, server } = desk('a\nb\nnew')
  draft.open({ notes: 'a\nb\nnew', version: 1 }, { text: 'a!\nb', base: 'a\nb' })
  await draft.flush()
  assert.equal(server.notes, 'a!\nb\nnew')
})

test('the news of our own write is no change of somebody else', async () => {
  const { draft, server } = desk()
  draft.type('a\nb\nc')
  const saving = draft.flush()
  draft.told({ notes: 'a\nb\nc', version: 2 })
  draft.type('a\nb\nc and more')
  await saving
  assert.deepEqual([draft.text, draft.state, server.notes], ['a\nb\nc and more', 'saved', 'a\nb\nc and more'])
})

test('only addresses that run nothing become links', () => {
  assert.equal(safeLink('https://example.org/a b'), 'https://example.org/a%20b')
  assert.equal(safeLink('mailto:a@b.c'), 'mailto:a@b.c')
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', '/admin', 'JAVASCRIPT:x', '']) assert.equal(safeLink(bad), '')
})

// --- sheets ---

/** A server of one sheet that refuses what was meant for another version. */
function shelf(words) {
  const server = { tasks: tasks(words), version: 1, asked: 0 }
  const sheet = () => ({ scope: 'project', project: 'p', notes: '', source: 'local', handed: {}, version: server.version, tasks: server.tasks })
  const api = async (method, path, body) => {
    if (method === 'GET') return sheet()
    server.asked++
    await server.before?.()
    if (server.problem) throw server.problem
    if (body.expectedVersion !== server.version) throw Object.assign(new Error('changed'), { code: 'conflict' })
    server.tasks = served(server.tasks, body)
    server.version++
    return { record: sheet(), tasks: server.tasks }
  }
  return { server, sheets: new Sheets({ api }) }
}

const shown = (sheets) => order(sheets.get('projects/p').tasks)

test('a change is seen at once and taken back when it fails', async () => {
  const { server, sheets } = shelf('NSa NSb')
  await sheets.load('/projects/p')
  server.problem = new Error('no')
  const failing = sheets.change('projects/p', move('a', 'CM'))
  assert.equal(shown(sheets), 'CMa NSb')
  await assert.rejects(failing, /no/)
  assert.equal(shown(sheets), 'NSa NSb')
})

test('a change that another came before is made again on the new state', async () => {
  const { server, sheets } = shelf('NSa NSb')
  await sheets.load('/projects/p')
  server.tasks = tasks('WIPx NSa NSb')
  server.version = 5
  await sheets.change('projects/p', move('b', 'NS', 'a'))
  assert.equal(order(server.tasks), 'WIPx NSb NSa')
  assert.equal(shown(sheets), 'WIPx NSb NSa')
  assert.equal(server.asked, 2)
})

test('a task that was renamed meanwhile is not renamed again, and both texts are told', async () => {
  const { server, sheets } = shelf('NSa')
  await sheets.load('/projects/p')
  server.tasks = [{ key: 'a', text: 'theirs', status: 'NS' }]
  server.version = 2
  const clash = await sheets.change('projects/p', { kind: 'edit', key: 'a', text: 'mine', was: 'A' }).catch((problem) => problem)
  assert.ok(clash instanceof Clash)
  assert.deepEqual([clash.change.text, clash.theirs, server.tasks[0].text], ['mine', 'theirs', 'theirs'])
})

test('of one sheet the higher version is the newer state', async () => {
  const { sheets } = shelf('NSa')
  await sheets.load('/projects/p')
  const told = []
  sheets.addEventListener('change', ({ detail }) => told.push(detail))
  const state = (version, words) => ({ scope: 'project', project: 'p', version, tasks: tasks(words) })
  sheets.take(state(3, 'CMa'), { by: 'Anna', action: 'set_status' })
  sheets.take(state(2, 'WIPa'), { by: 'Bert', action: 'set_status' })
  assert.equal(shown(sheets), 'CMa')
  assert.deepEqual(told.map(({ by, changes }) => [by, changes[0].what]), [['Anna', 'moved']])
})

test("this page's own changes are no news, whichever comes first", async () => {
  const { server, sheets } = shelf('NSa')
  await sheets.load('/projects/p')
  const told = []
  sheets.addEventListener('change', ({ detail }) => told.push(...detail.changes))
  const news = () => sheets.take({ scope: 'project', project: 'p', version: 2, tasks: tasks('CMa') }, { by: 'me' })
  server.before = async () => news()
  await sheets.change('projects/p', move('a', 'CM')).catch(() => {})
  assert.deepEqual(told, [])
})
