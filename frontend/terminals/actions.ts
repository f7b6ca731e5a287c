// Actions of sessions, windows and panes; registered in shell/actions. Each uses the `session`, `window`
// or `pane` of the event, else the current one.
import { part } from '../core/api'
import { copy } from '../core/clipboard'
import type { NewSessionOut, NewWindowOut, PaneOut } from '../core/generated/api'
import type { ShownPaneOut } from '../core/generated/socket'
import type { Place } from '../core/router'
import type { Action, Form, FormField, Services } from '../core/services'
import type { Store } from '../core/store'
import {
  addressOf,
  allWindows,
  currentWindow,
  type ProjectRow,
  tree,
  type WindowRow,
  windowTitle,
} from '../core/workspace'
import { attachCommand } from './attaching'
import { closePaneQuestion, closeSessionQuestion, closeWindowQuestion } from './close-questions'
import { focusedPane } from './panes'

type SessionArgs = { session?: ProjectRow }
type WindowArgs = { window?: WindowRow }
type PaneArgs = { window?: WindowRow; pane?: ShownPaneOut }

const hasWindow = (store: Store) => currentWindow(store) !== null
const hasSession = (store: Store) => currentSession(store) !== null
const inTerminal = (store: Store) => store.place.view === 'terminal' && hasWindow(store)

export const actions: Action[] = [
  { name: 'create-session', title: 'New session…', keys: 'Shift+S', run: createSession },
  {
    name: 'create-window',
    title: 'New window…',
    keys: 'Shift+W',
    needs: ({ windows }) => windows.size > 0,
    run: createWindow,
  },
  { name: 'rename-window', title: 'Rename window…', keys: 'F2', needs: hasWindow, run: renameWindow },
  { name: 'rename-session', title: 'Rename session…', needs: hasSession, run: renameSession },
  { name: 'rename-project', title: 'Rename project…', needs: hasSession, run: renameProject },
  { name: 'split-right', title: 'Split right', keys: '%', needs: inTerminal, run: split(false) },
  { name: 'split-below', title: 'Split below', keys: '"', needs: inTerminal, run: split(true) },
  { name: 'open-in-tmux', title: 'Show window in my terminal', needs: hasWindow, run: openInTmux },
  { name: 'kill-pane', title: 'Close pane…', keys: 'Shift+X', needs: inTerminal, run: killPane },
  { name: 'kill-window', title: 'Close window…', needs: hasWindow, run: killWindow },
  { name: 'kill-session', title: 'Close session…', needs: hasSession, run: killSession },
  {
    name: 'select-window',
    title: 'Open window',
    hidden: true,
    run: ({ go }: Services, { window }: { window: WindowRow }) => go(placeOf(window)),
  },
  { name: 'open-pane', title: 'Open pane', hidden: true, run: openPane },
]

async function createSession(page: Services, { session = '' }: { session?: string }): Promise<void> {
  const fields: FormField[] = [
    {
      name: 'name',
      label: 'Name',
      value: session,
      hint: 'Name of the project, without “:” and “.”',
      required: true,
    },
    { name: 'cwd', label: 'Directory', hint: 'Absolute path. Leave empty for the default.' },
    { name: 'command', label: 'Command', hint: 'For example claude. Leave empty for a shell.' },
  ]
  const create = (body: object) => page.api<NewSessionOut>('POST', '/sessions', body)
  const created = await createByForm(page, { title: 'New session', verb: 'Start', fields }, create)
  if (created) page.go(placeOf(created.window))
}

async function createWindow(page: Services, { session }: SessionArgs): Promise<void> {
  const target = session ?? currentSession(page.store) ?? tree(page.store)[0]
  if (!target) return
  const fields: FormField[] = [
    { name: 'name', label: 'Name', hint: 'Leave empty to let tmux choose.' },
    { name: 'command', label: 'Command', hint: 'For example claude. Leave empty for a shell.' },
  ]
  const path = `/sessions/${part(target.sessionId)}/windows`
  const create = (body: object) => page.api<NewWindowOut>('POST', path, body)
  const title = `New window in ${target.project}`
  const created = await createByForm(page, { title, verb: 'Open', fields }, create)
  if (created) page.go(placeOf(created))
}

/** What `create` returned for the values of the form; null if the user cancelled. */
async function createByForm<Result>(
  { elements }: Services,
  form: Form,
  create: (values: Record<string, string>) => Promise<Result>,
): Promise<Result | null> {
  const results: Result[] = []
  const run = async (values: Record<string, string>) => {
    results.push(await create(values))
  }
  const values = await elements.dialog.form({ ...form, run })
  return values ? (results.at(-1) ?? null) : null
}

async function renameWindow(page: Services, args: WindowArgs): Promise<void> {
  const window = args.window ?? currentWindow(page.store)
  if (!window) return
  await rename(page, { what: 'window', was: window.windowName, path: `/windows/${part(window.windowId)}` })
}

async function renameSession(page: Services, args: SessionArgs): Promise<void> {
  const session = args.session ?? currentSession(page.store)
  if (!session) return
  await rename(page, { what: 'session', was: session.session, path: `/sessions/${part(session.sessionId)}` })
}

/** The path of a project contains its name, so undo uses the new one. */
async function renameProject(page: Services, args: SessionArgs): Promise<void> {
  const session = args.session ?? currentSession(page.store)
  if (!session) return
  const path = (name: string) => `/projects/${part(name)}`
  const after = (name: string) => {
    if (page.store.place.project) page.go({ project: name })
  }
  const was = session.project
  await rename(page, { what: 'project', was, path: path(was), undoPath: path, after })
}

interface Renaming {
  what: string
  was: string
  path: string
  undoPath?: (name: string) => string
  after?: (name: string) => void
}

async function rename(
  { api, ask, toast }: Services,
  { what, was, path, undoPath = () => path, after = () => {} }: Renaming,
): Promise<void> {
  const run = async (name: string) => {
    if (name !== was) await api('PATCH', path, { name })
  }
  const name = await ask({ title: `Rename ${what}`, label: 'Name', value: was, verb: 'Rename', run })
  if (name === null || name === was) return
  after(name)
  const undo = async () => {
    await api('PATCH', undoPath(name), { name: was })
    after(was)
  }
  toast({ text: `Renamed ${what} ${was} to ${name}.`, undo: { title: 'Undo', run: undo } })
}

function split(horizontal: boolean) {
  return async ({ store, api, elements }: Services, args: PaneArgs): Promise<void> => {
    const { window, pane } = targetOf(store, args)
    if (!window || !pane) return
    const body = { horizontal, cwd: pane.path }
    const path = `/panes/${part(pane.paneId)}/split`
    const create = async () => (await api<PaneOut>('POST', path, body)).paneId
    const isShown = inTerminal(store) && window.windowId === currentWindow(store)?.windowId
    await (isShown ? elements.terminals.addPane(create) : create())
  }
}

async function openPane(
  { store, api, go }: Services,
  { window, pane }: { window: WindowRow; pane: ShownPaneOut },
): Promise<void> {
  go(placeOf(window))
  store.set('pane', pane.paneId)
  await api('POST', `/panes/${part(pane.paneId)}/select`)
}

async function openInTmux({ store, api, toast }: Services, args: WindowArgs): Promise<void> {
  const window = args.window ?? currentWindow(store)
  if (!window) return
  await api('POST', `/windows/${part(window.windowId)}/select`)
  if (window.attached) return toast({ text: `Your terminal now shows ${windowTitle(window)}.` })
  const command = attachCommand(store.tmuxCommand, window.session)
  const text = `Selected ${windowTitle(window)}. To open it in a terminal, run: ${command}`
  toast({ text, undo: { title: 'Copy', run: () => copy(command) } })
}

async function killPane(page: Services, args: PaneArgs): Promise<void> {
  const { window, pane } = targetOf(page.store, args)
  if (!window || !pane) return
  if (!(await page.confirm(closePaneQuestion(window, pane, isLast(page.store, window))))) return
  if (window.panes.length === 1) leave(page, [window])
  await page.api('DELETE', `/panes/${part(pane.paneId)}`)
}

async function killWindow(page: Services, args: WindowArgs): Promise<void> {
  const window = args.window ?? currentWindow(page.store)
  if (!window || !(await page.confirm(closeWindowQuestion(window, isLast(page.store, window))))) return
  leave(page, [window])
  await page.api('DELETE', `/windows/${part(window.windowId)}`)
}

async function killSession(page: Services, args: SessionArgs): Promise<void> {
  const session = args.session ?? currentSession(page.store)
  if (!session || !(await page.confirm(closeSessionQuestion(session)))) return
  leave(page, session.windows)
  await page.api('DELETE', `/sessions/${part(session.sessionId)}`)
}

/** Goes to the nearest remaining window if the current one is being closed. */
export function leave({ store, go }: Services, closing: readonly WindowRow[]): void {
  const ids = new Set(closing.map(({ windowId }) => windowId))
  const current = currentWindow(store)
  if (!current || !ids.has(current.windowId)) return
  const remaining = allWindows(store).filter(({ windowId }) => !ids.has(windowId))
  const next = remaining.find(({ session }) => session === current.session) ?? remaining[0]
  go(next ? placeOf(next) : { view: 'home', key: '', project: '' })
}

function targetOf(
  store: Store,
  { window, pane }: PaneArgs,
): { window: WindowRow | null; pane: ShownPaneOut | null } {
  const target = window ?? currentWindow(store)
  return { window: target, pane: pane ?? focusedPane(store, target) }
}

function currentSession(store: Store): ProjectRow | null {
  const current = currentWindow(store)?.windowId
  const isCurrent = ({ project, windows }: ProjectRow) =>
    project === store.place.project || windows.some(({ windowId }) => windowId === current)
  return tree(store).find(isCurrent) ?? null
}

function placeOf(window: Pick<WindowRow, 'key' | 'windowId'>): Place {
  return { view: 'terminal', key: addressOf(window), project: '' }
}

function isLast(store: Store, { session }: WindowRow): boolean {
  return allWindows(store).filter((window) => window.session === session).length === 1
}
