// The items of the menus in the sidebar, for <action-menu>. Pure.
import type { ShownPaneOut } from '../core/generated/socket'
import type { Place } from '../core/router'
import type { MenuItem } from '../core/services'
import type { ProjectRow, WindowRow } from '../core/workspace'

export function sessionItems(session: ProjectRow): MenuItem[] {
  const go = (view: Place['view']) => ({ place: { view, key: '', project: session.project } })
  return [
    { title: 'New window…', name: 'create-window', args: { session } },
    { title: 'Board', name: 'go', args: go('board') },
    { title: 'Notes', name: 'go', args: go('notes') },
    { title: 'Timeline', name: 'go', args: go('timeline') },
    { title: 'Rename project…', name: 'rename-project', args: { session } },
    { title: 'Rename session…', name: 'rename-session', args: { session } },
    { title: 'Close session…', name: 'kill-session', args: { session }, danger: true },
  ]
}

export function windowItems(window: WindowRow): MenuItem[] {
  return [
    { title: 'Rename…', name: 'rename-window', args: { window } },
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
