// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentOf, savedWindow, shownWindow } from '../core/samples'
import { NO_SELECTION, type Selection } from '../core/selection'
import { Store } from '../core/store'
import type { ActionDetail } from '../core/view'
import type { MenuDetail } from './action-menu'
import { WorkspaceRail } from './workspace-rail'

let store: Store
let rail: WorkspaceRail

beforeEach(async () => {
  localStorage.clear()
  store = new Store()
  store.takeWorkspace({ windows: [shownWindow(1), shownWindow(2)], problem: '' })
  store.takeSavedWindows({ windows: [savedWindow(1), savedWindow(2)] })
  rail = new WorkspaceRail()
  rail.store = store
  document.body.append(rail)
  await rail.updateComplete
})

afterEach(() => rail.remove())

const names = () => [...rail.querySelectorAll('.rail-name')].map((name) => name.textContent)

function press(key: string, selector: string, options: KeyboardEventInit = {}): void {
  rail
    .querySelector(selector)
    ?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...options }))
}

const selectionOf = (action: ActionDetail | undefined) => action?.['selection'] as Selection

function received<Detail>(type: string): Detail[] {
  const details: Detail[] = []
  rail.addEventListener(type, (event) => details.push((event as CustomEvent<Detail>).detail))
  return details
}

test('the sidebar follows the store', async () => {
  expect(names()).toEqual(['w1', 'w2'])
  store.take({ type: 'workspace-updated', windows: [], gone: ['@1'], problem: '' })
  store.take({ type: 'agent-added', agent: agentOf('bot', { windowId: '@2', state: 'waiting' }) })
  await Promise.resolve()
  await rail.updateComplete
  await rail.querySelector('rail-waiting')?.updateComplete
  expect(names()).toEqual(['w2'])
  expect(rail.querySelectorAll('.rail-waiting answer-bar')).toHaveLength(1)
})

test('a hidden sidebar is shown before its filter gets the focus', async () => {
  const nav = rail.querySelector('nav')
  store.set('rail', false)
  await Promise.resolve()
  await rail.updateComplete
  expect(nav?.hidden).toBe(true)
  store.set('rail', true)
  rail.focusFilter()
  expect(nav?.hidden).toBe(false)
  expect(document.activeElement).toBe(rail.querySelector('input'))
})

test('a collapsed project is remembered', async () => {
  rail.querySelector<HTMLElement>('.rail-fold')?.click()
  await rail.updateComplete
  expect(names()).toEqual([])
  const other = new WorkspaceRail()
  other.store = store
  document.body.append(other)
  await other.updateComplete
  expect(other.querySelectorAll('.rail-name')).toHaveLength(0)
  other.remove()
})

test('keys of a row run actions and open its menu', () => {
  const actions = received<ActionDetail>('action')
  const menus = received<MenuDetail>('menu')
  press('F2', '[data-row="@2"]')
  press('Delete', '[data-row="$0"]')
  press('ContextMenu', '[data-row="@1"]')
  expect(actions.map(({ name }) => name)).toEqual(['rename-window', 'kill-session'])
  expect(actions[0]).toMatchObject({ window: { windowId: '@2' } })
  expect(menus.map(({ label }) => label)).toEqual(['w1'])
})

test('keys of a row select and move windows', () => {
  const actions = received<ActionDetail>('action')
  press(' ', '[data-row="@2"]')
  press('ArrowUp', '[data-row="@2"]', { altKey: true })
  expect(actions.map(({ name }) => name)).toEqual(['set-selection', 'move-window-up'])
  expect([...selectionOf(actions[0]).ids]).toEqual(['@2'])
  store.set('selection', selectionOf(actions[0]))
  press('ArrowUp', '[data-row="@2"]', { shiftKey: true })
  press('Delete', '[data-row="@1"]')
  press('Escape', '[data-row="@1"]')
  expect(actions.slice(2).map(({ name }) => name)).toEqual([
    'set-selection',
    'kill-selected',
    'set-selection',
  ])
  expect([...selectionOf(actions[2]).ids].sort()).toEqual(['@1', '@2'])
  expect(actions[4]?.['selection']).toBe(NO_SELECTION)
})

test('a pinned window is in a group at the top, with its full name', async () => {
  store.take({
    type: 'windows-updated',
    windows: [savedWindow(2, { pinned: true, version: 2 })],
    projects: [],
  })
  await Promise.resolve()
  await rail.updateComplete
  expect(names()).toEqual(['work · w2', 'w1'])
  expect(rail.querySelector('.rail-pinned [data-row="@2"]')).not.toBeNull()
})
