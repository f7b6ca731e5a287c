// Actions of notes and boards; registered in shell/actions.
import type { Place } from '../core/router'
import type { Action } from '../core/services'
import type { Store } from '../core/store'
import { currentWindow } from '../core/workspace'

const onBoard = (store: Store) => store.place.view === 'board'
const hasSheet = (store: Store) => Boolean(store.place.key || store.place.project)
const hasWindow = (store: Store) => currentWindow(store) !== null
const projectOf = (store: Store) => currentWindow(store)?.project ?? ''
const allProjects: Place = { view: 'board', key: '', project: '' }
const board = () => document.querySelector('board-screen')

export const actions: Action[] = [
  {
    name: 'open-board',
    title: 'Board',
    keys: 'b',
    run: ({ go, store }) => go(hasSheet(store) ? { view: 'board' } : allProjects),
  },
  { name: 'open-notes', title: 'Notes', needs: hasSheet, run: ({ go }) => go({ view: 'notes' }) },
  { name: 'open-all-boards', title: 'Board for all projects', run: ({ go }) => go(allProjects) },
  {
    name: 'open-project-board',
    title: 'Board for this project',
    needs: hasWindow,
    run: ({ go, store }) => go({ view: 'board', key: '', project: projectOf(store) }),
  },
  {
    name: 'open-project-notes',
    title: 'Notes for this project',
    needs: hasWindow,
    run: ({ go, store }) => go({ view: 'notes', key: '', project: projectOf(store) }),
  },
  {
    name: 'new-task',
    title: 'New task',
    keys: 'n',
    needs: onBoard,
    run: () => board()?.beginAdding('NS'),
  },
  { name: 'filter-tasks', title: 'Filter tasks', needs: onBoard, run: () => board()?.filter() },
]
