// What a person can do with notes and boards; joined in page/actions.js.
import { currentWindow } from '../page/workspace.js'

const onBoard = (store) => store.place.view === 'board'
const onSheet = (store) => Boolean(store.place.key || store.place.project)
const everywhere = { view: 'board', key: '', project: '' }
const board = () => document.querySelector('board-screen')

export const actions = [
  {
    name: 'open-board', title: 'Board', keys: 'b',
    run: ({ go, store }) => go(onSheet(store) ? { view: 'board' } : everywhere),
  },
  { name: 'open-notes', title: 'Notes', needs: onSheet, run: ({ go }) => go({ view: 'notes' }) },
  { name: 'open-all-boards', title: 'Board of all projects', run: ({ go }) => go(everywhere) },
  {
    name: 'open-project-board', title: 'Board of the project', needs: (store) => currentWindow(store) !== null,
    run: ({ go, store }) => go({ view: 'board', key: '', project: currentWindow(store).project }),
  },
  {
    name: 'open-project-notes', title: 'Notes of the project', needs: (store) => currentWindow(store) !== null,
    run: ({ go, store }) => go({ view: 'notes', key: '', project: currentWindow(store).project }),
  },
  { name: 'new-task', title: 'New task', keys: 'n', needs: onBoard, run: () => board()?.beginAdding('NS') },
  { name: 'filter-tasks', title: 'Filter the board', needs: onBoard, run: () => board()?.filter() },
]
