// Everything a person can do, in one table: buttons, keys and the palette call the same entries.
// An action is {name, title, keys?, needs?, run}. `run(page, given)` gets the page's services
// ({store, socket, api, go, toast, confirm, ask, elements}) and what the event carried; what it
// throws becomes a toast. `needs(store)` says whether it makes sense now. `title` may be a function
// of the store. An action with `hidden: true` needs arguments, so the palette does not list it.
import { actions as agents } from '../agents/actions.js'
import { actions as chat } from '../agents/chat-actions.js'
import { actions as notes } from '../notes/actions.js'
import { actions as terminals } from '../terminals/actions.js'
import { actions as recordings } from '../terminals/recording-actions.js'
import { actions as screen } from '../terminals/screen-actions.js'
import { actions as phone } from './phone-actions.js'
import { shellActions } from './shell-actions.js'

const page = [{ name: 'go', title: 'Go to', hidden: true, run: ({ go }, { place }) => go(place) }, ...shellActions]

const tables = [
  page,
  phone,
  terminals,
  screen,
  recordings,
  agents,
  chat,
  notes,
]
export const actions = new Map(tables.flat().map((action) => [action.name, action]))

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
