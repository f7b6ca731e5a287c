// Finding the dialog of an agent on its screen.
import { expect, test } from 'vitest'
import { questionRows } from './question-rows'

const question = { title: 'Do you want to proceed?' }
const options = [
  { number: 1, label: 'Yes' },
  { number: 2, label: 'No, and tell Claude what to do differently' },
]
const dialog = [
  '╭────────────╮',
  '│ Bash command',
  '│ Do you want  to proceed?',
  '│ ❯ 1. Yes',
  '│   2. No, and tell Claude what',
  '│      to do differently',
  '╰────────────╯',
]

test('the dialog reaches from its question to the end of the last option', () => {
  expect(questionRows(['output', '', ...dialog, ''], question, options)).toEqual({ first: 4, last: 7 })
})

test('the last dialog counts if the same question was asked before', () => {
  const screen = [...dialog, 'done', ...dialog]
  expect(questionRows(screen, question, options)).toEqual({ first: 10, last: 13 })
})

test('without a known question it starts at the first option', () => {
  expect(questionRows(dialog, null, options)).toEqual({ first: 3, last: 5 })
})

test('a screen without the options has no dialog', () => {
  expect(questionRows(['Do you want to proceed?', ''], question, options)).toBeNull()
  expect(questionRows([], question, options)).toBeNull()
  expect(questionRows(dialog, question, [])).toBeNull()
})
