import { expect, test } from 'vitest'
import { clicked, extended, NO_SELECTION, type Selection, toggled } from './selection'

const ORDER = ['@1', '@2', '@3', '@4']
const none = { ctrlKey: false, metaKey: false, shiftKey: false }
const ids = (selection: Selection | null) => [...(selection?.ids ?? [])].sort()

test('a window is selected and deselected', () => {
  const selected = toggled(NO_SELECTION, '@1')
  expect(ids(selected)).toEqual(['@1'])
  expect(toggled(selected, '@1')).toBe(NO_SELECTION)
  const active = { ...NO_SELECTION, active: true }
  expect(toggled(toggled(active, '@1'), '@1')).toMatchObject({ active: true })
})

test('a range starts at the window that was selected last', () => {
  const first = toggled(NO_SELECTION, '@3')
  expect(ids(extended(first, '@1', ORDER))).toEqual(['@1', '@2', '@3'])
  expect(ids(extended(extended(first, '@1', ORDER), '@4', ORDER))).toEqual(ORDER)
  expect(ids(extended(NO_SELECTION, '@2', ORDER))).toEqual(['@2'])
  expect(ids(extended({ ...first, anchor: '@9' }, '@1', ORDER))).toEqual(['@1', '@3'])
})

test('a click opens a window unless windows are being selected', () => {
  expect(clicked(NO_SELECTION, '@1', none, ORDER)).toBeNull()
  expect(ids(clicked(NO_SELECTION, '@1', { ...none, ctrlKey: true }, ORDER))).toEqual(['@1'])
  expect(ids(clicked(NO_SELECTION, '@1', { ...none, metaKey: true }, ORDER))).toEqual(['@1'])
  expect(ids(clicked({ ...NO_SELECTION, active: true }, '@1', none, ORDER))).toEqual(['@1'])
  const first = toggled(NO_SELECTION, '@1')
  expect(ids(clicked(first, '@3', { ...none, shiftKey: true }, ORDER))).toEqual(['@1', '@2', '@3'])
  expect(clicked(first, '@3', none, ORDER)).toBeNull()
})
