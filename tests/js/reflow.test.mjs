// The reader: what wraps, what keeps its columns, and how much is new.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { blocks, newLines } from '../../frontend/terminals/reflow.js'

const kinds = (text) => blocks(text).map(({ kind }) => kind).join(' ')

test('prose wraps, line by line', () => {
  assert.deepEqual(blocks('One line.\n  Another one.\n\n\n'), [
    { kind: 'text', text: 'One line.', indent: 0 },
    { kind: 'text', text: 'Another one.', indent: 2 },
  ])
})

test('a table keeps its columns as one block', () => {
  const table = 'NAME      STATE    AGE\nweb       running  3d\ndatabase  stopped  1h'
  assert.deepEqual(blocks(table), [{ kind: 'code', text: table }])
})

test('indented lines and changes of a file are code', () => {
  assert.equal(kinds('    return 1\n'), 'code')
  assert.equal(kinds('+ added\n- removed\n@@ -1,2 +1,3 @@'), 'code')
})

test('a box around text is taken off, a rule becomes one', () => {
  const boxed = '╭──────────────╮\n│ > write tests │\n╰──────────────╯\n──────────\nready'
  assert.deepEqual(blocks(boxed), [
    { kind: 'text', text: '> write tests', indent: 0 },
    { kind: 'rule', text: '' },
    { kind: 'text', text: 'ready', indent: 0 },
  ])
})

test('a table with walls inside is left as it is', () => {
  assert.equal(kinds('│ a │ b │\n│ c │ d │'), 'code')
})

test('an empty screen has nothing to read', () => {
  assert.deepEqual(blocks('\n\n   \n'), [])
})

test('new lines are counted below what was read last', () => {
  assert.equal(newLines('a\nb\nc\nd', 'b\nc\nd\ne\nf\n'), 2)
  assert.equal(newLines('', 'a\nb'), 2)
  assert.equal(newLines('a\nb', 'a\nb\n\n'), 0)
  assert.equal(newLines('a\nb\nc', 'x\ny\nz'), 1)
})
