// Actions of the sidebar on windows: pin, move, and actions on several selected windows. Registered in
// actions.ts.
import type { GroupPrompt } from '../agents/group-prompt'
import { part } from '../core/api'
import { messageOf } from '../core/events'
import { NO_SELECTION, type Selection, toggled } from '../core/selection'
import type { Action, Services } from '../core/services'
import type { Store } from '../core/store'
import { allWindows, currentWindow, type WindowRow, windowTitle } from '../core/workspace'
import { leave } from '../terminals/actions'
import { closeWindowsQuestion } from '../terminals/close-questions'
import { type Move, stepMove } from './window-order'

type WindowArgs = { window?: WindowRow }

const hasSelection = (store: Store) => selectedWindows(store).length > 0
const targetOf = (store: Store, { window }: WindowArgs) => window ?? currentWindow(store)
const canMove = (by: 1 | -1) => (store: Store) => {
  const window = currentWindow(store)
  return window !== null && stepMove(store, window, by) !== null
}

const moveWindow: Action<{ window: WindowRow; move: Move }> = {
  name: 'move-window',
  title: 'Move window',
  hidden: true,
  run: (page, { window, move }) => sendMove(page, window, move),
}
const setSelection: Action<{ selection: Selection }> = {
  name: 'set-selection',
  title: 'Select',
  hidden: true,
  run: ({ store }, { selection }) => store.set('selection', selection),
}
const toggleSelected: Action<{ window: WindowRow }> = {
  name: 'toggle-selected',
  title: 'Select window',
  hidden: true,
  run: ({ store }, { window }) => store.set('selection', toggled(store.selection, window.windowId)),
}

export const windowActions: Action<never>[] = [
  {
    name: 'pin-window',
    title: (store) => (currentWindow(store)?.pinned ? 'Unpin window' : 'Pin window'),
    needs: (store) => currentWindow(store) !== null,
    run: pinWindow,
  },
  { name: 'move-window-up', title: 'Move window up', needs: canMove(-1), run: moveBy(-1) },
  { name: 'move-window-down', title: 'Move window down', needs: canMove(1), run: moveBy(1) },
  moveWindow,
  setSelection,
  toggleSelected,
  {
    name: 'select-windows',
    title: 'Select windows',
    needs: ({ windows, selection }) => windows.size > 0 && !selection.active,
    run: startSelecting,
  },
  {
    name: 'clear-selection',
    title: 'Stop selecting windows',
    needs: ({ selection }) => selection !== NO_SELECTION,
    run: ({ store }) => store.set('selection', NO_SELECTION),
  },
  {
    name: 'prompt-selected',
    title: 'Send prompt to selected windows…',
    needs: hasSelection,
    run: promptSelected,
  },
  {
    name: 'kill-selected',
    title: 'Close selected windows…',
    needs: hasSelection,
    run: killSelected,
  },
]

/** The selected windows that still exist, in the order of the sidebar. */
export function selectedWindows(store: Store): WindowRow[] {
  return allWindows(store).filter(({ windowId }) => store.selection.ids.has(windowId))
}

async function pinWindow({ store, api }: Services, args: WindowArgs): Promise<void> {
  const window = targetOf(store, args)
  if (!window) return
  await api('POST', `/windows/${part(window.windowId)}/pin`, { pinned: !window.pinned })
}

function moveBy(by: 1 | -1) {
  return async (page: Services, args: WindowArgs): Promise<void> => {
    const window = targetOf(page.store, args)
    const move = window && stepMove(page.store, window, by)
    if (window && move) await sendMove(page, window, move)
  }
}

async function sendMove({ api }: Services, window: WindowRow, { side, other }: Move): Promise<void> {
  await api('POST', `/windows/${part(window.windowId)}/move`, { [side]: other.windowId })
}

/** Where there is no sidebar, windows are selected in the deck. */
function startSelecting({ store, go, elements }: Services): void {
  store.set('selection', { ...store.selection, active: true })
  if (elements.rail.checkVisibility()) store.set('rail', true)
  else go({ view: 'home', key: '', project: '' })
}

async function promptSelected({ store, socket }: Services): Promise<void> {
  await import('../agents/group-prompt')
  const dialog: GroupPrompt =
    document.querySelector('group-prompt') ??
    document.body.appendChild(document.createElement('group-prompt'))
  dialog.open(selectedWindows(store), socket)
}

/** Closes them one by one; the others stay selected if one fails. */
async function killSelected(page: Services): Promise<void> {
  const { store, api, confirm, toast } = page
  const windows = selectedWindows(store)
  if (!windows.length || !(await confirm(closeWindowsQuestion(windows, allWindows(store))))) return
  leave(page, windows)
  const failed: string[] = []
  const remaining = new Set(store.selection.ids)
  for (const window of windows) {
    try {
      await api('DELETE', `/windows/${part(window.windowId)}`)
      remaining.delete(window.windowId)
    } catch (error) {
      failed.push(`${windowTitle(window)}: ${messageOf(error)}`)
    }
  }
  store.set('selection', failed.length ? { ...store.selection, ids: remaining } : NO_SELECTION)
  const closed = windows.length - failed.length
  if (failed.length)
    toast({ tone: 'bad', text: `Closed ${closed} of ${windows.length}. ${failed.join('. ')}` })
  else toast({ text: closed === 1 ? 'Closed 1 window.' : `Closed ${closed} windows.` })
}
