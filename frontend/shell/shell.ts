// Starts the parts of the page that are not elements: shortcuts, title and icon, notifications, landing.
import { ApiError } from '../core/api'
import { listenForKeys } from '../core/keys'
import { load } from '../core/memory'
import type { Services } from '../core/services'
import { actions, perform } from './actions'
import { startAttention } from './attention'
import { goToLanding } from './landing'
import { startNotifications } from './notifier'

// The user is not, or no longer, signed in.
const SIGNED_OUT = [401, 403]

export function startShell(services: Services): void {
  const { store, socket, go, elements } = services
  store.set('rail', load('rail', true))
  goToLanding(store)
  startAttention(store)
  startNotifications(store, go)
  listenForKeys(store, actions, (name) => void perform(services, { name }))
  document.addEventListener('action', ({ detail }) => void perform(services, detail))
  document.addEventListener('menu', ({ detail }) =>
    elements.menu.openAt(detail.opener, detail.items, detail.label),
  )
  socket.addEventListener('status', () => {
    if (socket.status === 'lost') void checkAccess(services)
  })
}

/** A socket that is refused before it opens looks like a lost one: only an HTTP response tells why. */
async function checkAccess({ api, socket }: Services): Promise<void> {
  try {
    await api('GET', '/windows?limit=1')
  } catch (error) {
    if (error instanceof ApiError && SIGNED_OUT.includes(error.status)) socket.refuse()
  }
}
