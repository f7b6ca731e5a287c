// Everything a person can do, in one table: buttons, keys and the palette call the same entries.
// An action is {name, title, keys?, needs?, run}. `run(page, given)` gets the page's services
// ({store, socket, api, go, toast, confirm, ask, elements}) and what the event carried; what it
// throws becomes a toast. `needs(store)` says whether it makes sense now. `title` may be a function
// of the store. An action with `hidden: true` needs arguments, so the palette does not list it.
import { actions as agents } from '../agents/actions.js'
import { actions as notes } from '../notes/actions.js'
import { actions as terminals } from '../terminals/actions.js'
import { actions as recordings } from '../terminals/recording-actions.js'
import { setTheme } from './theme.js'

const page = [
  { name: 'go', title: 'Go to', hidden: true, run: ({ go }, { place }) => go(place) },
  { name: 'open-palette', title: 'Command palette', keys: 'Mod+K', hidden: true, run: ({ elements }) => elements.palette.open() },
  { name: 'show-keys', title: 'Keyboard shortcuts', keys: '?', run: ({ elements }) => elements.keys.open() },
  { name: 'home', title: 'All agents', run: ({ go }) => go({ view: 'home', key: '', project: '' }) },
  { name: 'theme-dark', title: 'Theme: dark', run: () => setTheme('dark') },
  { name: 'theme-light', title: 'Theme: light', run: () => setTheme('light') },
  { name: 'theme-system', title: "Theme: the system's", run: () => setTheme('') },
]

export const actions = new Map([...page, ...terminals, ...recordings, ...agents, ...notes].map((action) => [action.name, action]))

/** Carries out what elements ask for by `action` events. */
export async function perform(services, { name, ...given }) {
  const action = actions.get(name)
  if (!action) throw new Error(`there is no action ${name}`)
  try {
    await action.run(services, given)
  } catch (problem) {
    services.toast({ tone: 'bad', text: problem.message })
  }
}
