// Joins the parts of the shell that are no elements: keys, attention, notifications, where to begin.
import { actions, perform } from './actions.js'
import { attend } from './attention.js'
import { listenForKeys } from './keys.js'
import { land } from './landing.js'
import { load } from './memory.js'
import { notify } from './notifier.js'

// Statuses of an answer that mean: not you, or not any more.
const SIGNED_OUT = [401, 403]

export function startShell(services) {
  const { store, socket, api, go, elements } = services
  store.set('rail', load('rail', true))
  land(store)
  attend(store)
  notify(store, go)
  listenForKeys(store, actions, (name) => perform(services, { name }))
  document.addEventListener('menu', ({ detail }) => elements.menu.openAt(detail.opener, detail.items, detail.label))
  // A socket that is refused before it opens looks like a lost one: only an answer tells why.
  socket.addEventListener('status', () => {
    if (socket.status !== 'lost') return
    api('GET', '/windows?limit=1').catch(({ status }) => { if (SIGNED_OUT.includes(status)) socket.turnAway() })
  })
}
