// The parts of the terminal element that need no browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { SMALLEST_FONT, fit, smallerFont } from '../../frontend/terminals/fitting.js'
import { withStyleNonce } from '../../frontend/terminals/style-nonce.js'
import { DEFAULTS, isLight, readAttributes, terminalOptions } from '../../frontend/terminals/terminal-options.js'
import { CLIPBOARD_LIMIT, asksForColour, clipboardOffer, silenceQueries } from '../../frontend/terminals/terminal-queries.js'
import { pastedFiles, plainPaste } from '../../frontend/terminals/transfers.js'
import { UPLOAD_LIMIT, encodeUpload, readUpload } from '../../frontend/terminals/uploads.js'

const text = (bytes) => new TextDecoder().decode(bytes)
const base64 = (value) => Buffer.from(value).toString('base64')

test('an upload is name, NUL, type, NUL and the bytes', () => {
  assert.equal(text(encodeUpload('ä.txt', 'text/plain', Uint8Array.of(65, 0, 66))), 'ä.txt\0text/plain\0A\0B')
})

test('a NUL in a file name does not shift the contents', () => {
  assert.equal(text(encodeUpload('a\0b', 'x\0/y', new Uint8Array())), 'ab\0x/y\0')
})

test('a file without a name and a type gets both', async () => {
  const file = { name: '', type: '', size: 1, arrayBuffer: async () => Uint8Array.of(65).buffer }
  assert.equal(text(await readUpload(file)), 'pasted\0application/octet-stream\0A')
})

test('a file over the limit is not read, and one at the limit is', async () => {
  let reads = 0
  const sized = (size) => ({ name: 'a', type: 'b', size, arrayBuffer: async () => { reads += 1; return new ArrayBuffer(0) } })
  await assert.rejects(readUpload(sized(UPLOAD_LIMIT + 1)), /larger than 8388608 bytes/)
  assert.equal(reads, 0)
  await readUpload(sized(UPLOAD_LIMIT))
  assert.equal(reads, 1)
})

test('a folder is refused', async () => {
  const folder = { name: 'd', type: '', size: 4096, arrayBuffer: () => Promise.reject(new Error('NotFoundError')) }
  await assert.rejects(readUpload(folder), { message: 'cannot be read' })
})

test('text beside a picture is pasted as text', () => {
  const clipboard = (plain) => ({ getData: () => plain, files: ['picture'] })
  assert.deepEqual(pastedFiles(clipboard('')), ['picture'])
  assert.deepEqual(pastedFiles(clipboard('cells')), [])
})

test('a pasted text cannot end the paste and press keys', () => {
  assert.equal(plainPaste('a\x1b[201~\rrm\x03\u009b201~\t\nö🚀'), 'a[201~\rrm201~\t\nö🚀')
})

test('a question mark among colours is a question', () => {
  for (const data of ['?', '1;?', '1;rgb:00/00/00;2;?']) assert.equal(asksForColour(data), true, data)
  for (const data of ['#ff0000', '1;rgb:00/00/00', '']) assert.equal(asksForColour(data), false, data)
})

test('window operations that are questions are swallowed and the others are left to the terminal', () => {
  const hooks = {}
  const register = (id, hook) => { hooks[`${id.prefix ?? ''}${id.intermediates ?? ''}${id.final ?? id}`] = hook }
  const parser = { registerCsiHandler: register, registerDcsHandler() {}, registerOscHandler() {}, registerEscHandler() {} }
  silenceQueries({ parser }, () => {})
  for (const operation of [11, 13, 14, 15, 16, 18, 19, 20, 21]) assert.equal(hooks.t([operation]), true, operation)
  for (const operation of [8, 22, 23]) assert.equal(hooks.t([operation]), false, operation)
})

test('a program may offer text to the clipboard and never read it', () => {
  assert.equal(clipboardOffer(`c;${base64('grüße')}`), 'grüße')
  assert.equal(clipboardOffer(`;${base64('x')}`), 'x')
  for (const data of ['c;?', '?', 'c;', 'c;***', `c;${base64(Uint8Array.of(255, 254))}`]) {
    assert.equal(clipboardOffer(data), '', data)
  }
})

test('an offer that is too long is none', () => {
  assert.equal(clipboardOffer(`c;${'QUFB'.repeat(CLIPBOARD_LIMIT / 4)}`).length, (CLIPBOARD_LIMIT / 4) * 3)
  assert.equal(clipboardOffer(`c;${'QUFB'.repeat(CLIPBOARD_LIMIT / 4 + 1)}`), '')
})

test('attributes that say nothing usable mean the default', () => {
  const of = (given) => readAttributes((name) => given[name] ?? null)
  const { fontFamily } = DEFAULTS
  const defaults = { fontSize: 13, scrollback: 10000, minCols: 80, cursorBlink: false, background: '#0d1117', fontFamily, size: null }
  assert.deepEqual(of({}), defaults)
  assert.deepEqual(of({ 'font-size': 'large', scrollback: '', 'min-cols': 'NaN', size: 'large' }), defaults)
  const given = of({ 'font-size': '1', scrollback: '999999', 'min-cols': '100', 'cursor-blink': '', 'theme-background': '#fff' })
  assert.deepEqual(given, { ...defaults, fontSize: 4, scrollback: 100000, minCols: 100, cursorBlink: true, background: '#fff' })
  assert.equal(of({ 'cursor-blink': 'false' }).cursorBlink, false)
})

test('letters are dark on a light background and light on a dark one', () => {
  assert.deepEqual(['#fff', '#FAFAFA', '#000', '#0d1117', 'white', '#ffff'].map(isLight), [true, true, false, false, false, false])
  const ink = (background) => terminalOptions({ background }).theme.foreground
  assert.notEqual(ink('#ffffff'), ink('#000000'))
})

// A terminal whose letters are 0.6 of the font's size wide, in a place of `width` pixels.
function terminalIn(width) {
  const terminal = { options: { fontSize: 13 }, resize(cols, rows) { this.size = [cols, rows] } }
  const addon = { proposeDimensions: () => ({ cols: Math.floor(width / (terminal.options.fontSize * 0.6)), rows: 24 }) }
  return { terminal, addon }
}

test('where there is room the font stays as wished', () => {
  const { terminal, addon } = terminalIn(800)
  fit(terminal, addon, { fontSize: 13, minCols: 80 })
  assert.deepEqual([terminal.options.fontSize, ...terminal.size], [13, 102, 24])
})

test('where 80 columns do not fit the letters shrink until they do', () => {
  const { terminal, addon } = terminalIn(390)
  fit(terminal, addon, { fontSize: 13, minCols: 80 })
  assert.deepEqual([terminal.options.fontSize, terminal.size[0]], [8, 81])
})

test('letters do not shrink to nothing, and the columns are kept', () => {
  const { terminal, addon } = terminalIn(100)
  fit(terminal, addon, { fontSize: 13, minCols: 80 })
  assert.deepEqual([terminal.options.fontSize, terminal.size[0]], [SMALLEST_FONT, 80])
})

test('the font returns when the place grows again', () => {
  const { terminal, addon } = terminalIn(800)
  terminal.options.fontSize = 8
  fit(terminal, addon, { fontSize: 13, minCols: 80 })
  assert.equal(terminal.options.fontSize, 13)
})

test('every step makes the font smaller', () => {
  assert.ok(smallerFont(13, 79, 80) < 13)
})

test('only style elements made meanwhile carry the nonce, and the page gets its document back', () => {
  class Page { createElement(tag) { return { tag } } }
  const page = new Page()
  const [style, div] = withStyleNonce(page, 'r4nd0m', () => [page.createElement('STYLE'), page.createElement('div')])
  assert.deepEqual([style.nonce, div.nonce], ['r4nd0m', undefined])
  assert.equal(Object.hasOwn(page, 'createElement'), false)
  const own = page.createElement = (tag) => ({ tag })
  assert.throws(() => withStyleNonce(page, 'r4nd0m', () => { throw new Error('x') }))
  assert.equal(page.createElement, own)
})
