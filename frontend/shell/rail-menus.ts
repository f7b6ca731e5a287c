// The items of the menus in the sidebar, for <action-menu>. Pure.
import type { ShownPaneOut } from '../core/generated/socket'
import type { Place } from '../core/router'
import type { MenuItem } from '../core/services'
import type { Store } from '../core/store'
import type { ProjectRow, WindowRow } from '../core/workspace'
import { stepMove } from './window-order'

export function sessionItems(session: ProjectRow): MenuItem[] {
  const go = (view: Place['view']) => ({ place: { view, key: '', project: session.project } })
  return [
    { title: 'New window…', name: 'create-window', args: { session } },
    { title: 'Start agent…', name: 'start-agent', args: { session: session.session } },
    { title: 'Board', name: 'go', args: go('board') },
    { title: 'Notes', name: 'go', args: go('notes') },
    { title: 'Timeline', name: 'go', args: go('timeline') },
    { title: 'Rename…', name: 'rename-project', args: { session } },
    { title: 'Close session…', name: 'kill-session', args: { session }, danger: true },
  ]
}

export function windowItems(store: Store, window: WindowRow): MenuItem[] {
  const isSelected = store.selection.ids.has(window.windowId)
  const moves = [
    { title: 'Move up', name: 'move-window-up', by: -1 as const },
    { title: 'Move down', name: 'move-window-down', by: 1 as const },
  ]
  return [
    { title: 'Rename…', name: 'rename-window', args: { window } },
    { title: window.pinned ? 'Unpin' : 'Pin', name: 'pin-window', args: { window } },
    ...moves
      .filter(({ by }) => stepMove(store, window, by))
      .map(({ title, name }) => ({ title, name, args: { window } })),
    { title: isSelected ? 'Deselect' : 'Select', name: 'toggle-selected', args: { window } },
    { title: 'Split right', name: 'split-right', args: { window } },
    { title: 'Split below', name: 'split-below', args: { window } },
    { title: 'Show in my terminal', name: 'open-in-tmux', args: { window } },
    { title: 'Close window…', name: 'kill-window', args: { window }, danger: true },
  ]
}

export function paneItems(window: WindowRow, pane: ShownPaneOut): MenuItem[] {
  return [
    { title: 'Split right', name: 'split-right', args: { window, pane } },
    { title: 'Split below', name: 'split-below', args: { window, pane } },
    { title: 'Close pane…', name: 'kill-pane', args: { window, pane }, danger: true },
  ]
}
