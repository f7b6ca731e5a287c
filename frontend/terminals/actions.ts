// Actions of sessions, windows and panes; registered in shell/actions. Starting and renaming them is in
// shell/start-actions and shell/rename-actions. Each uses the `session`, `window`
// or `pane` of the event, else the current one.
import { part } from '../core/api'
import { copy } from '../core/clipboard'
import type { PaneOut } from '../core/generated/api'
import type { ShownPaneOut } from '../core/generated/socket'
import type { Place } from '../core/router'
import type { Action, Services } from '../core/services'
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

export function currentSession(store: Store): ProjectRow | null {
  const current = currentWindow(store)?.windowId
  const isCurrent = ({ project, windows }: ProjectRow) =>
    project === store.place.project || windows.some(({ windowId }) => windowId === current)
  return tree(store).find(isCurrent) ?? null
}

export function placeOf(window: Pick<WindowRow, 'key' | 'windowId'>): Place {
  return { view: 'terminal', key: addressOf(window), project: '' }
}

function isLast(store: Store, { session }: WindowRow): boolean {
  return allWindows(store).filter((window) => window.session === session).length === 1
}
