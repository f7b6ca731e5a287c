// The reader: wrapping, columns, and the number of new lines.
import { expect, test } from 'vitest'
import { blocks, newLines } from './reflow'

const kinds = (text: string) =>
  blocks(text)
    .map(({ kind }) => kind)
    .join(' ')

test('prose wraps line by line', () => {
  expect(blocks('One line.\n  Another one.\n\n\n')).toStrictEqual([
    { kind: 'text', text: 'One line.', indent: 0 },
    { kind: 'text', text: 'Another one.', indent: 2 },
  ])
})

test('a table keeps its columns as one block', () => {
  const table = 'NAME      STATE    AGE\nweb       running  3d\ndatabase  stopped  1h'
  expect(blocks(table)).toStrictEqual([{ kind: 'code', text: table }])
})

test('indented lines and diffs are code', () => {
  expect(kinds('    return 1\n')).toBe('code')
  expect(kinds('+ added\n- removed\n@@ -1,2 +1,3 @@')).toBe('code')
})

test('a box around text is removed, and a line becomes a rule', () => {
  const boxed = '╭──────────────╮\n│ > write tests │\n╰──────────────╯\n──────────\nready'
  expect(blocks(boxed)).toStrictEqual([
    { kind: 'text', text: '> write tests', indent: 0 },
    { kind: 'rule', text: '' },
    { kind: 'text', text: 'ready', indent: 0 },
  ])
})

test('a table with inner borders is unchanged', () => {
  expect(kinds('│ a │ b │\n│ c │ d │')).toBe('code')
})

test('an empty screen has no blocks', () => {
  expect(blocks('\n\n   \n')).toStrictEqual([])
})

test('new lines are counted after the previous end', () => {
  expect(newLines('a\nb\nc\nd', 'b\nc\nd\ne\nf\n')).toBe(2)
  expect(newLines('', 'a\nb')).toBe(2)
  expect(newLines('a\nb', 'a\nb\n\n')).toBe(0)
  expect(newLines('a\nb\nc', 'x\ny\nz')).toBe(1)
})
