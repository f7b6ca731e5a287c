// Actions of recordings; registered in shell/actions.
import { part } from '../core/api'
import type { RecordingOut } from '../core/generated/api'
import type { ShownPaneOut } from '../core/generated/socket'
import type { Action } from '../core/services'
import type { Store } from '../core/store'
import { activePane, currentWindow } from '../core/workspace'

interface RecordingArgs {
  pane?: string
  window?: string
  title?: string
}

const recordedPanes = (store: Store): ShownPaneOut[] =>
  currentWindow(store)?.panes.filter((pane) => store.recordings.has(pane.paneId)) ?? []

/** The id of a pane without its percent sign, which would be %25 in a path. */
const paneOf = (store: Store, args: RecordingArgs): string =>
  (args.pane || store.pane || activePane(currentWindow(store))?.paneId || '').replace('%', '')

const windowOf = (store: Store, args: RecordingArgs): string =>
  args.window || currentWindow(store)?.windowId || ''

export const actions: Action<RecordingArgs>[] = [
  {
    name: 'record-start',
    title: 'Record this pane',
    needs: (store) => currentWindow(store) !== null,
    run: ({ api, store }, args) =>
      api<RecordingOut>('POST', `/panes/${part(paneOf(store, args))}/recording`, { title: args.title ?? '' }),
  },
  {
    name: 'record-window',
    title: 'Record all panes of this window',
    needs: (store) => (currentWindow(store)?.panes.length ?? 0) > 1,
    run: ({ api, store }, args) =>
      api<RecordingOut[]>('POST', `/windows/${part(windowOf(store, args))}/recording`, {
        title: args.title ?? '',
      }),
  },
  {
    name: 'record-stop',
    title: 'Stop recording',
    needs: (store) => recordedPanes(store).length > 0,
    run: async ({ api, store }, args) => {
      const panes = args.pane ? [args.pane] : recordedPanes(store).map((pane) => pane.paneId)
      for (const pane of panes) await api('DELETE', `/panes/${part(pane.replace('%', ''))}/recording`)
    },
  },
]
