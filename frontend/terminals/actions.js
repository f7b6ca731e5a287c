// What a person can do with sessions, windows and panes; joined in page/actions.js.
// Each takes what the event names (`session`, `window`, `pane`), else what is being looked at.
import { part } from '../page/api.js'
import { activePane, addressOf, allWindows, currentWindow, tree } from '../page/workspace.js'
import { paneEnding, sessionEnding, windowEnding } from './endings.js'

const hasWindow = (store) => currentWindow(store) !== null
const inTerminal = (store) => store.place.view === 'terminal' && hasWindow(store)
const sessionHere = (store) => tree(store).find(({ project, windows }) =>
  project === store.place.project || windows.some(({ windowId }) => windowId === currentWindow(store)?.windowId))

export const actions = [
  { name: 'create-session', title: 'New session …', keys: 'Shift+S', run: createSession },
  { name: 'create-window', title: 'New window …', keys: 'Shift+W', needs: ({ windows }) => windows.size > 0, run: createWindow },
  { name: 'rename-window', title: 'Rename the window …', keys: 'F2', needs: hasWindow, run: renameWindow },
  { name: 'rename-session', title: 'Rename the session …', needs: sessionHere, run: renameSession },
  { name: 'rename-project', title: 'Rename the project …', needs: sessionHere, run: renameProject },
  { name: 'split-right', title: 'Split: a pane to the right', keys: '%', needs: inTerminal, run: split(false) },
  { name: 'split-below', title: 'Split: a pane below', keys: '"', needs: inTerminal, run: split(true) },
  { name: 'open-in-tmux', title: "Show the window in my own terminal", needs: hasWindow, run: openInTmux },
  { name: 'kill-pane', title: 'End the pane …', keys: 'Shift+X', needs: inTerminal, run: killPane },
  { name: 'kill-window', title: 'End the window …', needs: hasWindow, run: killWindow },
  { name: 'kill-session', title: 'End the session …', needs: sessionHere, run: killSession },
  { name: 'select-window', title: 'Open the window', hidden: true, run: ({ go }, { window }) => go(placeOf(window)) },
  { name: 'open-pane', title: 'Open the pane', hidden: true, run: openPane },
]

async function createSession(page, { session = '' }) {
  let made
  const given = await page.elements.dialog.form({
    title: 'New session', verb: 'Start',
    run: async (wanted) => { made = await page.api('POST', '/sessions', wanted) },
    fields: [
      { name: 'name', label: 'Name', value: session, hint: 'Of the project; not with “:” or “.” in it', needed: true },
      { name: 'cwd', label: 'Directory', hint: 'An absolute path; empty for the usual one' },
      { name: 'command', label: 'Command', hint: 'What it runs, such as claude; empty for a shell' },
    ],
  })
  if (given) page.go(placeOf(made.window))
}

async function createWindow(page, { session }) {
  const wanted = session ?? sessionHere(page.store) ?? tree(page.store)[0]
  let made
  const given = await page.elements.dialog.form({
    title: `New window in ${wanted.project}`, verb: 'Open',
    run: async (about) => { made = await page.api('POST', `/sessions/${part(wanted.sessionId)}/windows`, about) },
    fields: [
      { name: 'name', label: 'Name', hint: 'Empty: tmux names it by what it runs' },
      { name: 'command', label: 'Command', hint: 'What it runs, such as claude; empty for a shell' },
    ],
  })
  if (given) page.go(placeOf(made))
}

function renameWindow(page, { window = currentWindow(page.store) }) {
  return rename(page, { what: 'window', was: window.windowName, path: `/windows/${part(window.windowId)}` })
}

function renameSession(page, { session = sessionHere(page.store) }) {
  return rename(page, { what: 'session', was: session.session, path: `/sessions/${part(session.sessionId)}` })
}

/** A project is called by its name: the way back is under the new one. */
function renameProject(page, { session = sessionHere(page.store) }) {
  const path = (name) => `/projects/${part(name)}`
  const after = (name) => { if (page.store.place.project) page.go({ project: name }) }
  return rename(page, { what: 'project', was: session.project, path: path(session.project), back: path, after })
}

async function rename({ api, ask, toast }, { what, was, path, back = () => path, after = () => {} }) {
  const run = async (name) => { if (name !== was) await api('PATCH', path, { name }) }
  const name = await ask({ title: `Rename the ${what}`, label: 'Name', value: was, verb: 'Rename', run })
  if (name === null || name === was) return
  after(name)
  const undo = async () => {
    await api('PATCH', back(name), { name: was })
    after(was)
  }
  toast({ text: `The ${what} ${was} is now ${name}.`, undo: { title: 'Undo', run: undo } })
}

function split(horizontal) {
  return async ({ store, api }, { window = currentWindow(store), pane = paneOf(store, window) }) => {
    const made = await api('POST', `/panes/${part(pane.paneId)}/split`, { horizontal, cwd: pane.path })
    if (window.windowId === currentWindow(store)?.windowId) store.set('pane', made.paneId)
  }
}

async function openPane({ store, api, go }, { window, pane }) {
  go(placeOf(window))
  store.set('pane', pane.paneId)
  await api('POST', `/panes/${part(pane.paneId)}/select`)
}

async function openInTmux({ store, api, toast }, { window = currentWindow(store) }) {
  await api('POST', `/windows/${part(window.windowId)}/select`)
  toast({ text: window.attached ? `${window.windowName} is in front in your terminal.`
    : `${window.windowName} is in front; open it with: tmux attach -t ${window.session}` })
}

async function killPane(page, { window = currentWindow(page.store), pane = paneOf(page.store, window) }) {
  if (!await page.confirm(paneEnding(window, pane, isLast(page.store, window)))) return
  if (window.panes.length === 1) leave(page, [window])
  await page.api('DELETE', `/panes/${part(pane.paneId)}`)
}

async function killWindow(page, { window = currentWindow(page.store) }) {
  if (!await page.confirm(windowEnding(window, isLast(page.store, window)))) return
  leave(page, [window])
  await page.api('DELETE', `/windows/${part(window.windowId)}`)
}

async function killSession(page, { session = sessionHere(page.store) }) {
  if (!await page.confirm(sessionEnding(session))) return
  leave(page, session.windows)
  await page.api('DELETE', `/sessions/${part(session.sessionId)}`)
}

/** Off to the nearest window that stays, where the one that is looked at will end. */
function leave({ store, go }, ending) {
  const ends = new Set(ending.map(({ windowId }) => windowId))
  const here = currentWindow(store)
  if (!here || !ends.has(here.windowId)) return
  const staying = allWindows(store).filter(({ windowId }) => !ends.has(windowId))
  const next = staying.find(({ session }) => session === here.session) ?? staying[0]
  go(next ? placeOf(next) : { view: 'home', key: '', project: '' })
}

const placeOf = (window) => ({ view: 'terminal', key: addressOf(window), project: '' })
const paneOf = (store, window) => window.panes.find(({ paneId }) => paneId === store.pane) ?? activePane(window)
const isLast = (store, { session }) => allWindows(store).filter((window) => window.session === session).length === 1
