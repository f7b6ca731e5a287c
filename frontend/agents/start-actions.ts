// The action that opens the dialog to start an agent; registered in actions.ts.
import type { Action, Services } from '../core/services'
import { activePane, currentWindow, tree } from '../core/workspace'
import { folderSuggestions, rememberFolder } from '../shell/folders'
import type { OnSent } from './agent-start'
import { saveDraft } from './deliveries'
import { NO_DRAFT } from './drafts'
import type { StartAgent } from './start-agent'

/** All are optional. `onSent`: see agent-start. `stay`: do not open the window of the agent. */
export type StartArgs = { session?: string; prompt?: string; title?: string; onSent?: OnSent; stay?: boolean }

export const startAgent: Action<StartArgs> = {
  name: 'start-agent',
  title: 'Start agent…',
  keys: 'Shift+A',
  run: openDialog,
}

async function openDialog(
  page: Services,
  { session = '', prompt = '', title = '', onSent, stay = false }: StartArgs,
): Promise<void> {
  const { api, store, go, toast } = page
  await import('./start-agent')
  let dialog: StartAgent | null = document.querySelector('start-agent')
  if (!dialog) {
    dialog = document.createElement('start-agent')
    dialog.store = store
    document.body.append(dialog)
  }
  const open = (key: string) => go({ view: 'terminal', key, project: '' })
  dialog.open({
    api,
    title: title || (session ? `Start an agent in ${session}` : 'Start an agent'),
    session,
    cwd: folderOf(page, session),
    prompt,
    suggestFolders: folderSuggestions(page),
    onSent: onSent ?? null,
    onDone: (started, { title: name }, cwd) => {
      rememberFolder(cwd)
      if (stay) toast({ text: `${name} works in ${started.window.session}.`, tone: 'good' })
      else open(started.window.key)
    },
    onOpen: ({ window }, unsent) => {
      // What was not sent is not lost.
      if (unsent.trim()) saveDraft(window.key, { ...NO_DRAFT, text: unsent })
      open(window.key)
    },
  })
}

/** Of the session, or of the window that is shown. */
function folderOf({ store }: Services, session: string): string {
  if (!session) return activePane(currentWindow(store))?.path ?? ''
  const windows = tree(store).find((project) => project.session === session)?.windows ?? []
  const window = windows.find(({ active }) => active) ?? windows[0]
  return activePane(window)?.path ?? ''
}
