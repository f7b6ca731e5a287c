// One dialog for the names of a window, its project and its session; registered in actions.ts.
import { part } from '../core/api'
import type { Action, FormField, Services } from '../core/services'
import type { Store } from '../core/store'
import { currentWindow, type ProjectRow, type WindowRow } from '../core/workspace'
import { currentSession } from '../terminals/actions'
import { changedNames, type NameChange, type Names, type NameKind, renamedText } from './renames'

interface Args {
  window?: WindowRow
  session?: ProjectRow
}

const hasWindow = (store: Store) => currentWindow(store) !== null
const hasSession = (store: Store) => currentSession(store) !== null

export const renameActions: Action[] = [
  { name: 'rename-window', title: 'Rename window…', keys: 'F2', needs: hasWindow, run: renaming('window') },
  { name: 'rename-project', title: 'Rename project…', needs: hasSession, run: renaming('project') },
  { name: 'rename-session', title: 'Rename session…', needs: hasSession, run: renaming('session') },
]

/** Opens the dialog with this field focused. A session without a window has no field for one. */
function renaming(focused: NameKind) {
  return async (page: Services, args: Args): Promise<void> => {
    const window = args.window ?? (args.session ? null : currentWindow(page.store))
    const session = args.session ?? sessionOf(page.store, window)
    if (!session) return
    const before: Names = {
      window: window?.windowName ?? '',
      project: session.project,
      session: session.session,
    }
    const fields = fieldsFor(before, window !== null, focused)
    const change = (kind: NameKind, from: string, to: string) =>
      page.api('PATCH', pathOf(kind, from, window, session), { name: to })
    const done: NameChange[] = []
    const run = async (values: Record<string, string>) => {
      // What was renamed before another name was refused is not repeated.
      for (const each of changedNames(before, values)) {
        await change(each.kind, each.from, each.to)
        before[each.kind] = each.to
        done.push(each)
      }
    }
    await page.elements.dialog.form({ title: 'Rename', verb: 'Rename', fields, run })
    if (done.length === 0) return
    followProject(page, done)
    const undo = async () => {
      const back = done.toReversed().map(({ kind, from, to }) => ({ kind, from: to, to: from }))
      for (const { kind, from, to } of back) await change(kind, from, to)
      followProject(page, back)
    }
    page.toast({ text: renamedText(done), undo: { title: 'Undo', run: undo } })
  }
}

function fieldsFor(names: Names, hasWindow: boolean, focused: NameKind): FormField[] {
  const field = (name: NameKind, label: string, hint: string): FormField => ({
    name,
    label,
    hint,
    value: names[name],
    required: true,
    focused: name === focused,
  })
  return [
    ...(hasWindow ? [field('window', 'Window', 'This window only.')] : []),
    field('project', 'Project', 'The name in webtmux, on boards and notes. tmux does not use it.'),
    field('session', 'tmux session', 'The name in tmux attach -t, without “:” and “.”'),
  ]
}

function pathOf(kind: NameKind, name: string, window: WindowRow | null, session: ProjectRow): string {
  if (kind === 'window') return `/windows/${part(window?.windowId ?? '')}`
  // The path of a project contains its name.
  return kind === 'project' ? `/projects/${part(name)}` : `/sessions/${part(session.sessionId)}`
}

/** The address of a project's view contains its name. */
function followProject({ store, go }: Services, changes: readonly NameChange[]): void {
  const project = changes.find(({ kind, from }) => kind === 'project' && from === store.place.project)
  if (project) go({ project: project.to })
}

function sessionOf(store: Store, window: WindowRow | null): ProjectRow | null {
  const { session = '', sessionId = '', project = '' } = window ?? {}
  return window ? { session, sessionId, project, windows: [] } : currentSession(store)
}
