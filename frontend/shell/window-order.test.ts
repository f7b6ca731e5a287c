import { expect, test } from 'vitest'
import { savedWindow, shownWindow } from '../core/samples'
import { Store } from '../core/store'
import { allWindows, type WindowRow, windowTitle } from '../core/workspace'
import { windowItems } from './rail-menus'
import { dropMove, type Move, siblings, stepMove } from './window-order'

function storeOf(pinned: readonly number[] = []): Store {
  const store = new Store()
  const elsewhere = shownWindow(5, { session: 'other', sessionId: '$1' })
  store.takeWorkspace({ windows: [...[1, 2, 3, 4].map((at) => shownWindow(at)), elsewhere], problem: '' })
  const windows = [1, 2, 3, 4].map((at) => savedWindow(at, { pinned: pinned.includes(at) }))
  store.takeSavedWindows({ windows: [...windows, savedWindow(5, { session: 'other', project: 'other' })] })
  return store
}

function row(store: Store, number: number): WindowRow {
  const window = allWindows(store).find(({ windowId }) => windowId === `@${number}`)
  if (!window) throw new Error(`no window ${number}`)
  return window
}

const text = (move: Move | null) => move && `${move.side} ${move.other.windowId}`

test('a window moves past its neighbour, not past the end', () => {
  const store = storeOf()
  expect(text(stepMove(store, row(store, 2), -1))).toBe('before @1')
  expect(text(stepMove(store, row(store, 2), 1))).toBe('after @3')
  expect(stepMove(store, row(store, 1), -1)).toBeNull()
  expect(stepMove(store, row(store, 4), 1)).toBeNull()
})

test('pinned windows are listed first and move among themselves', () => {
  const store = storeOf([2, 4])
  expect(allWindows(store).map(({ windowId }) => windowId)).toEqual(['@2', '@4', '@5', '@1', '@3'])
  expect(siblings(store, row(store, 4)).map(({ windowId }) => windowId)).toEqual(['@2', '@4'])
  expect(text(stepMove(store, row(store, 1), 1))).toBe('after @3')
})

test('a drop that changes nothing, or in another session, is refused', () => {
  const store = storeOf()
  const drop = (from: number, to: number, side: Move['side']) =>
    text(dropMove(store, row(store, from), row(store, to), side))
  expect(drop(1, 3, 'after')).toBe('after @3')
  expect(drop(4, 1, 'before')).toBe('before @1')
  expect(drop(1, 2, 'before')).toBeNull()
  expect(drop(2, 1, 'after')).toBeNull()
  expect(drop(2, 2, 'after')).toBeNull()
  expect(drop(1, 5, 'before')).toBeNull()
})

test('the menu offers the moves that are possible', () => {
  const store = storeOf([4])
  const titles = (number: number) => windowItems(store, row(store, number)).map(({ title }) => title)
  expect(titles(1)).toEqual(expect.arrayContaining(['Pin', 'Move down', 'Select']))
  expect(titles(1)).not.toContain('Move up')
  expect(titles(4)).toContain('Unpin')
})

test('a window is named by session and window', () => {
  expect(windowTitle({ session: 'work', project: 'Work', windowName: 'web' })).toBe('work · web')
  expect(windowTitle({ session: '', project: 'Work', windowName: '', windowIndex: 3 })).toBe('Work · 3')
})
