// Fills the store with what the socket receives: events, the state of the connection, and the
// subscriptions that the whole page needs. Screens have their own.
import type { Socket } from '../core/socket'
import type { Store } from '../core/store'

export function feedStore(store: Store, socket: Socket): void {
  socket.addEventListener('status', () => {
    store.set('retryAt', socket.retryAt)
    store.set('status', socket.status)
  })
  socket.addEventListener('latency', () => store.set('latency', socket.latency))
  // Every failed subscription of the page, also those of screens: <connection-banner> shows it.
  socket.addEventListener('trouble', () => store.set('trouble', socket.troubles[0]?.error.message ?? ''))
  socket.addEventListener('event', ({ detail }) => store.take(detail))
  socket.subscribe('subscribe-workspace', {}, (response) => store.takeWorkspace(response))
  socket.subscribe('subscribe-windows', {}, (response) => store.takeSavedWindows(response))
  socket.subscribe('subscribe-agents', {}, (response) => store.takeAgents(response))
  socket.subscribe('subscribe-recordings', {}, (response) => store.takeRecordings(response))
}
