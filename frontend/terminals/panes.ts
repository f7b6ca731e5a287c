// The pane that keys and actions of the page are for. Pure.
import type { ShownPaneOut, ShownWindowOut } from '../core/generated/socket'
import type { Store } from '../core/store'
import { activePane } from '../core/workspace'

/** The pane of a window that has the focus on this page, else the one that has it in tmux. */
export function focusedPane(
  store: Pick<Store, 'pane'>,
  window: ShownWindowOut | null | undefined,
): ShownPaneOut | null {
  return window?.panes.find(({ paneId }) => paneId === store.pane) ?? activePane(window)
}
