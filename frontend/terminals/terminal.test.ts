// The parts of the terminal element that need no browser.
import { expect, test } from 'vitest'

import { fitTerminal, SMALLEST_FONT, smallerFont } from './fitting'
import { withStyleNonce } from './style-nonce'
import { DEFAULTS, isLight, readAttributes, terminalOptions } from './terminal-options'
import {
  CLIPBOARD_LIMIT,
  asksForColour,
  clipboardOffer,
  type Parser,
  silenceQueries,
} from './terminal-queries'
import { pastedFiles, plainPaste } from './transfers'
import { UPLOAD_LIMIT, encodeUpload, readUpload } from './uploads'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const base64 = (value: string | Uint8Array) => Buffer.from(value).toString('base64')

test('an upload is name, NUL, type, NUL and the bytes', () => {
  expect(text(encodeUpload('ä.txt', 'text/plain', Uint8Array.of(65, 0, 66)))).toBe('ä.txt\0text/plain\0A\0B')
})

test('a NUL in a file name does not shift the contents', () => {
  expect(text(encodeUpload('a\0b', 'x\0/y', new Uint8Array()))).toBe('ab\0x/y\0')
})

test('a file without a name and a type gets both', async () => {
  const file = { name: '', type: '', size: 1, arrayBuffer: async () => Uint8Array.of(65).buffer }
  expect(text(await readUpload(file))).toBe('pasted\0application/octet-stream\0A')
})

test('a file over the limit is refused, one at the limit is read', async () => {
  let reads = 0
  const sized = (size: number) => ({
    name: 'a',
    type: 'b',
    size,
    arrayBuffer: async () => {
      reads += 1
      return new ArrayBuffer(0)
    },
  })
  await expect(readUpload(sized(UPLOAD_LIMIT + 1))).rejects.toThrow(/larger than 8 MiB/)
  expect(reads).toBe(0)
  await readUpload(sized(UPLOAD_LIMIT))
  expect(reads).toBe(1)
})

test('a folder is refused', async () => {
  const folder = {
    name: 'd',
    type: '',
    size: 4096,
    arrayBuffer: () => Promise.reject(new Error('NotFoundError')),
  }
  await expect(readUpload(folder)).rejects.toMatchObject({ message: 'The file cannot be read.' })
})

test('text with an image is pasted as text', () => {
  const clipboard = (plain: string) => ({ getData: () => plain, files: ['picture'] })
  expect(pastedFiles(clipboard(''))).toStrictEqual(['picture'])
  expect(pastedFiles(clipboard('cells'))).toStrictEqual([])
})

test('pasted text cannot end the bracketed paste', () => {
  expect(plainPaste('a\x1b[201~\rrm\x03\u009b201~\t\nö🚀')).toBe('a[201~\rrm201~\t\nö🚀')
})

test('a question mark in a colour list is a query', () => {
  for (const data of ['?', '1;?', '1;rgb:00/00/00;2;?']) expect(asksForColour(data), data).toBe(true)
  for (const data of ['#ff0000', '1;rgb:00/00/00', '']) expect(asksForColour(data), data).toBe(false)
})

test('window queries are swallowed, other window operations are not', () => {
  const hooks = new Map<string, (params: number[]) => boolean>()
  const parser: Parser = {
    registerCsiHandler: ({ prefix = '', intermediates = '', final }, handle) =>
      hooks.set(prefix + intermediates + final, handle),
    registerDcsHandler: () => {},
    registerOscHandler: () => {},
    registerEscHandler: () => {},
  }
  silenceQueries({ parser }, () => {})
  const isSwallowed = (operation: number) => hooks.get('t')?.([operation])
  expect([11, 13, 14, 15, 16, 18, 19, 20, 21].map(isSwallowed)).toStrictEqual(Array(9).fill(true))
  expect([8, 22, 23].map(isSwallowed)).toStrictEqual([false, false, false])
})

test('a program may offer text to the clipboard but not read it', () => {
  expect(clipboardOffer(`c;${base64('grüße')}`)).toBe('grüße')
  expect(clipboardOffer(`;${base64('x')}`)).toBe('x')
  for (const data of ['c;?', '?', 'c;', 'c;***', `c;${base64(Uint8Array.of(255, 254))}`]) {
    expect(clipboardOffer(data), data).toBe('')
  }
})

test('a too long clipboard offer is ignored', () => {
  expect(clipboardOffer(`c;${'QUFB'.repeat(CLIPBOARD_LIMIT / 4)}`).length).toBe((CLIPBOARD_LIMIT / 4) * 3)
  expect(clipboardOffer(`c;${'QUFB'.repeat(CLIPBOARD_LIMIT / 4 + 1)}`)).toBe('')
})

test('invalid attributes use the default', () => {
  const read = (attributes: Record<string, string>) => readAttributes((name) => attributes[name] ?? null)
  const { fontFamily } = DEFAULTS
  const defaults = {
    fontSize: 13,
    scrollback: 10000,
    minCols: 80,
    cursorBlink: false,
    background: '#0d1117',
    fontFamily,
    size: null,
  }
  expect(read({})).toStrictEqual(defaults)
  expect(read({ 'font-size': 'large', scrollback: '', 'min-cols': 'NaN', size: 'large' })).toStrictEqual(
    defaults,
  )
  const values = read({
    'font-size': '1',
    scrollback: '999999',
    'min-cols': '100',
    'cursor-blink': '',
    'theme-background': '#fff',
  })
  expect(values).toStrictEqual({
    ...defaults,
    fontSize: 4,
    scrollback: 100000,
    minCols: 100,
    cursorBlink: true,
    background: '#fff',
  })
  expect(read({ 'cursor-blink': 'false' }).cursorBlink).toBe(false)
})

test('text is dark on a light background and light on a dark one', () => {
  expect(['#fff', '#FAFAFA', '#000', '#0d1117', 'white', '#ffff'].map(isLight)).toStrictEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  const ink = (background: string) =>
    terminalOptions(readAttributes((name) => (name === 'theme-background' ? background : null))).theme
      .foreground
  expect(ink('#ffffff')).not.toBe(ink('#000000'))
})

// A terminal whose characters are 0.6 of the font size wide, in a container of `width` pixels.
function terminalIn(width: number) {
  const size: number[] = []
  const terminal = {
    options: { fontSize: 13 },
    resize: (cols: number, rows: number) => {
      size.splice(0, 2, cols, rows)
    },
  }
  const addon = {
    proposeDimensions: () => ({ cols: Math.floor(width / (terminal.options.fontSize * 0.6)), rows: 24 }),
  }
  return { terminal, addon, size }
}

test('the font keeps its size if there is room', () => {
  const { terminal, addon, size } = terminalIn(800)
  fitTerminal(terminal, addon, { fontSize: 13, minCols: 80 })
  expect([terminal.options.fontSize, ...size]).toStrictEqual([13, 102, 24])
})

test('the font shrinks until 80 columns fit', () => {
  const { terminal, addon, size } = terminalIn(390)
  fitTerminal(terminal, addon, { fontSize: 13, minCols: 80 })
  expect([terminal.options.fontSize, size[0]]).toStrictEqual([8, 81])
})

test('the font has a minimum size, and the columns are kept', () => {
  const { terminal, addon, size } = terminalIn(100)
  fitTerminal(terminal, addon, { fontSize: 13, minCols: 80 })
  expect([terminal.options.fontSize, size[0]]).toStrictEqual([SMALLEST_FONT, 80])
})

test('the font grows back with the container', () => {
  const { terminal, addon } = terminalIn(800)
  terminal.options.fontSize = 8
  fitTerminal(terminal, addon, { fontSize: 13, minCols: 80 })
  expect(terminal.options.fontSize).toBe(13)
})

test('every step reduces the font size', () => {
  expect(smallerFont(13, 79, 80)).toBeLessThan(13)
})

test('only style elements created in the call get the nonce, and createElement is restored', () => {
  class Page {
    createElement(tag: string): { tag: string; nonce?: string } {
      return { tag }
    }
  }
  const page = new Page()
  const create = () => [page.createElement('STYLE').nonce, page.createElement('div').nonce]
  expect(withStyleNonce(page, 'r4nd0m', create)).toStrictEqual(['r4nd0m', undefined])
  expect(Object.hasOwn(page, 'createElement')).toBe(false)
  const own = (tag: string) => ({ tag })
  page.createElement = own
  const fail = () => {
    throw new Error('x')
  }
  expect(() => withStyleNonce(page, 'r4nd0m', fail)).toThrow('x')
  expect(page.createElement).toBe(own)
})
