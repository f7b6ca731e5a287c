// Suggestions for a directory: folders that were used before, then what the server completes. Pure, except
// for `folderSuggestions` and `rememberFolder`.
import type { DirectoriesOut } from '../core/generated/api'
import { load, save } from '../core/memory'
import type { Services } from '../core/services'
import type { Store } from '../core/store'

const SHOWN = 12
const REMEMBERED = 20
const STORED = 'folders'

/** Used folders that contain the text, then the completions, each once. */
export function mergeFolders(text: string, used: readonly string[], completed: readonly string[]): string[] {
  const wanted = text.trim().toLowerCase()
  const matching = used.filter((folder) => folder.toLowerCase().includes(wanted))
  const known = new Set(matching)
  const others = completed.filter((folder) => !known.has(folder.replace(/\/$/, '')))
  // Half of the list at most, so that a longer history hides no completion.
  return [...matching.slice(0, completed.length > 0 ? SHOWN / 2 : SHOWN), ...others].slice(0, SHOWN)
}

/** Folders of this browser's history, then those of all panes, each once. */
export function usedFolders(history: readonly string[], store: Pick<Store, 'windows'>): string[] {
  const ofPanes = [...store.windows.values()].flatMap(({ panes }) => panes.map(({ path }) => path))
  return [...new Set([...history, ...ofPanes])].filter((folder) => folder && folder !== '/')
}

export function withFolder(history: readonly string[], folder: string): string[] {
  return [folder, ...history.filter((other) => other !== folder)].slice(0, REMEMBERED)
}

/** For the field of a dialog. Without an answer of the server there are only used folders. */
export function folderSuggestions({ api, store }: Pick<Services, 'api' | 'store'>) {
  return async (text: string): Promise<string[]> => {
    const path = `/directories?prefix=${encodeURIComponent(text)}`
    const { directories } = await api<DirectoriesOut>('GET', path).catch(() => ({ directories: [] }))
    return mergeFolders(text, usedFolders(load<string[]>(STORED, []), store), directories)
  }
}

export function rememberFolder(folder: string): void {
  const plain = folder.trim().replace(/(.)\/+$/, '$1')
  if (plain) save(STORED, withFolder(load<string[]>(STORED, []), plain))
}
