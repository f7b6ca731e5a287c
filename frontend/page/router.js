// Addresses of the page: what is looked at stands in the fragment, so that back, reload and a link
// to a window work. Pure but for `follow`.

export const WINDOW_VIEWS = ['terminal', 'board', 'notes', 'chat', 'recordings']
export const PROJECT_VIEWS = ['board', 'notes', 'timeline']
export const PAGE_VIEWS = ['home', 'board', 'recordings']

/**
 * `#/window/KEY/chat`, `#/project/NAME/board`, `#/board`; anything else is home.
 * A place is `{view, key, project}`: the key of a window, or the name of a project, or neither. With
 * `at`, a moment of its chat: `#/window/KEY/chat/1794801819201`.
 */
export function parse(fragment) {
  const [kind, ...rest] = fragment.replace(/^#?\/?/, '').split('/').map(decode)
  if (kind === 'window' && rest[0]) return { view: known(rest[1], WINDOW_VIEWS), key: rest[0], project: '', ...(rest[2] ? { at: rest[2] } : {}) }
  if (kind === 'project' && rest[0]) return { view: known(rest[1], PROJECT_VIEWS), key: '', project: rest[0] }
  return { view: known(kind, PAGE_VIEWS), key: '', project: '' }
}

export function format({ view, key = '', project = '', at = '' }) {
  const moment = view === 'chat' && at ? `/${encodeURIComponent(at)}` : ''
  if (key) return `#/window/${encodeURIComponent(key)}${view === 'terminal' ? '' : `/${view}`}${moment}`
  if (project) return `#/project/${encodeURIComponent(project)}/${view}`
  return view === 'home' ? '#/' : `#/${view}`
}

/** Keeps `store.place` and the address the same. Returns `go(place)`. */
export function follow(store) {
  const read = () => store.set('place', parse(location.hash))
  addEventListener('hashchange', read)
  read()
  return (place) => { location.hash = format({ ...store.place, at: '', ...place }) }
}

function known(word, views) {
  return views.includes(word) ? word : views[0]
}

function decode(word) {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
