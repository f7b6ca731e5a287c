// Addresses of the page. The current place is in the URL fragment, so that back, reload and links to a
// window work. Pure except for `follow`.
import type { Store } from './store'

export const WINDOW_VIEWS = ['terminal', 'board', 'notes', 'chat', 'recordings'] as const
export const PROJECT_VIEWS = ['board', 'notes', 'timeline'] as const
export const PAGE_VIEWS = ['home', 'board', 'recordings', 'settings'] as const

export type ViewName =
  | (typeof WINDOW_VIEWS)[number]
  | (typeof PROJECT_VIEWS)[number]
  | (typeof PAGE_VIEWS)[number]

/**
 * The key of a window, or the name of a project, or neither. With `at`, a timestamp in its chat:
 * `#/window/KEY/chat/1794801819201`.
 */
export interface Place {
  view: ViewName
  key: string
  project: string
  at?: string
}
export type Go = (place: Partial<Place>) => void

/** `#/window/KEY/chat`, `#/project/NAME/board`, `#/board`; anything else is home. */
export function parse(fragment: string): Place {
  const [kind = '', name, view, at] = fragment
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decode)
  if (kind === 'window' && name) {
    return { view: validView(view, WINDOW_VIEWS), key: name, project: '', ...(at ? { at } : {}) }
  }
  if (kind === 'project' && name) return { view: validView(view, PROJECT_VIEWS), key: '', project: name }
  return { view: validView(kind, PAGE_VIEWS), key: '', project: '' }
}

export function format({
  view,
  key = '',
  project = '',
  at = '',
}: Partial<Place> & Pick<Place, 'view'>): string {
  const timestamp = view === 'chat' && at ? `/${encodeURIComponent(at)}` : ''
  if (key) return `#/window/${encodeURIComponent(key)}${view === 'terminal' ? '' : `/${view}`}${timestamp}`
  if (project) return `#/project/${encodeURIComponent(project)}/${view}`
  return view === 'home' ? '#/' : `#/${view}`
}

/** Keeps `store.place` in sync with the address. Returns `go(place)`. */
export function follow(store: Store): Go {
  const read = () => store.set('place', parse(location.hash))
  addEventListener('hashchange', read)
  read()
  return (place) => {
    location.hash = format({ ...store.place, at: '', ...place })
  }
}

function validView<View extends ViewName>(name: string | undefined, views: readonly [View, ...View[]]): View {
  return views.find((view) => view === name) ?? views[0]
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
