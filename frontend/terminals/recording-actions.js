// What a person can do with recordings; joined in page/actions.js.
import { part } from '../page/api.js'
import { activePane, currentWindow } from '../page/workspace.js'

const onWindow = (store) => currentWindow(store) !== null
const recorded = (store) => currentWindow(store)?.panes.filter((pane) => store.recordings.has(pane.paneId)) ?? []
/** A pane's id without its percent sign, which in a path would have to be written as %25. */
const paneOf = (store, given) => (given.pane || store.pane || activePane(currentWindow(store))?.paneId || '').replace('%', '')

export const actions = [
  {
    name: 'record-start',
    title: 'Record this pane',
    needs: onWindow,
    run: ({ api, store }, given) => api('POST', `/panes/${part(paneOf(store, given))}/recording`, { title: given.title ?? '' }),
  },
  {
    name: 'record-window',
    title: 'Record all panes of this window',
    needs: (store) => (currentWindow(store)?.panes.length ?? 0) > 1,
    run: ({ api, store }, given) => api('POST', `/windows/${part(given.window || currentWindow(store).windowId)}/recording`, { title: given.title ?? '' }),
  },
  {
    name: 'record-stop',
    title: 'Stop recording',
    needs: (store) => recorded(store).length > 0,
    run: async ({ api, store }, given) => {
      const panes = given.pane ? [given.pane] : recorded(store).map((pane) => pane.paneId)
      for (const pane of panes) await api('DELETE', `/panes/${part(pane.replace('%', ''))}/recording`)
    },
  },
]
