// Actions that start sessions and windows; registered in actions.ts. Closing them is in terminals/actions.
import { part } from '../core/api'
import type { NewSessionOut, NewWindowOut } from '../core/generated/api'
import type { ShownPaneOut } from '../core/generated/socket'
import type { Action, Form, FormField, Services } from '../core/services'
import { type ProjectRow, tree, type WindowRow } from '../core/workspace'
import { currentSession, leave, placeOf } from '../terminals/actions'
import { folderSuggestions, rememberFolder } from './folders'

type Values = Record<string, string>
type PaneArgs = { window: WindowRow; pane: ShownPaneOut }

const COMMAND: FormField = {
  name: 'command',
  label: 'Command',
  hint: 'For example claude. Leave empty for a shell.',
}

export const startActions: Action[] = [
  { name: 'create-session', title: 'New session…', keys: 'Shift+S', run: createSession },
  {
    name: 'create-window',
    title: 'New window…',
    keys: 'Shift+W',
    needs: ({ windows }) => windows.size > 0,
    run: createWindow,
  },
  {
    name: 'restart-pane',
    title: 'Run command again',
    hidden: true,
    run: ({ api }: Services, { pane }: PaneArgs) => api('POST', `/panes/${part(pane.paneId)}/restart`),
  },
  { name: 'close-ended-pane', title: 'Close pane', hidden: true, run: closeEndedPane },
]

/** Without a question: nothing runs in it. */
async function closeEndedPane(page: Services, { window, pane }: PaneArgs): Promise<void> {
  if (window.panes.length === 1) leave(page, [window])
  await page.api('DELETE', `/panes/${part(pane.paneId)}`)
}

async function createSession(page: Services, { session = '' }: { session?: string }): Promise<void> {
  const fields: FormField[] = [
    {
      name: 'name',
      label: 'Name',
      value: session,
      hint: 'Name of the project, without “:” and “.”',
      required: true,
    },
    directoryField(page, 'A path on the server, such as ~/shop. Leave empty for the default.'),
    COMMAND,
  ]
  const create = (body: Values) => page.api<NewSessionOut>('POST', '/sessions', body)
  const created = await createByForm(page, { title: 'New session', verb: 'Start', fields }, create)
  if (created) page.go(placeOf(created.window))
}

async function createWindow(page: Services, { session }: { session?: ProjectRow }): Promise<void> {
  const target = session ?? currentSession(page.store) ?? tree(page.store)[0]
  if (!target) return
  const fields: FormField[] = [
    { name: 'name', label: 'Name', hint: 'Leave empty to let tmux choose.' },
    directoryField(page, 'Leave empty for the directory of the session.'),
    COMMAND,
  ]
  const path = `/sessions/${part(target.sessionId)}/windows`
  const create = (body: Values) => page.api<NewWindowOut>('POST', path, body)
  const title = `New window in ${target.project}`
  const created = await createByForm(page, { title, verb: 'Open', fields }, create)
  if (created) page.go(placeOf(created))
}

function directoryField(page: Services, hint: string): FormField {
  return { name: 'cwd', label: 'Directory', hint, suggest: folderSuggestions(page) }
}

/** What `create` returned for the values of the form; null if the user cancelled. */
async function createByForm<Result>(
  { elements }: Services,
  form: Form,
  create: (values: Values) => Promise<Result>,
): Promise<Result | null> {
  const results: Result[] = []
  const run = async (values: Values) => {
    results.push(await create(values))
    rememberFolder(values['cwd'] ?? '')
  }
  const values = await elements.dialog.form({ ...form, run })
  return values ? (results.at(-1) ?? null) : null
}
