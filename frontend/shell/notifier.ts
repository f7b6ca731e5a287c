// Browser notifications, if the user turned them on: when an agent starts waiting or finishes. Not for
// a window that is being viewed, and once for all pages of this browser.
import { load, save } from '../core/memory'
import { format, type Go, type Place } from '../core/router'
import type { Store } from '../core/store'
import { addressOf, agentTitle, allWindows, currentWindow } from '../core/workspace'
import { type AgentEvent, agentEvents, DUPLICATE_MS, idOf, notificationText } from './agent-events'

// Followed by the id of the event: held for a while by the page that shows it.
const CLAIM_LOCK = 'webtmux:notified:'
// Followed by the window id: held by every page that shows the window.
const VIEWING_LOCK = 'webtmux:viewing:'

// Without TLS, browsers have neither notifications nor locks nor a service worker.
const locks = (): LockManager | undefined => navigator.locks

export const isOn = (): boolean =>
  load('notifications', false) && globalThis.Notification?.permission === 'granted'

/** Asks the browser for permission; throws an error that says what to do if it is denied. */
export async function turnOn(): Promise<void> {
  if (!globalThis.Notification) {
    throw new Error('Notifications are not available here. Open webtmux over HTTPS or on localhost.')
  }
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('Notifications are blocked. Allow them in the site settings, next to the address bar.')
  }
  setOn(true)
}

/** What the user can expect, and whether turning them on can work. */
export function notificationState(): { text: string; canTurnOn: boolean } {
  if (!globalThis.Notification) {
    return { text: 'Not available here. Open webtmux over HTTPS or on localhost.', canTurnOn: false }
  }
  if (Notification.permission === 'denied') {
    const text = 'Blocked by the browser. Allow them in the site settings, next to the address bar.'
    return { text, canTurnOn: false }
  }
  if (isOn())
    return { text: 'On: when an agent waits or finishes, unless its window is open.', canTurnOn: true }
  return { text: 'Off in this browser.', canTurnOn: true }
}

export function sendTest(): Promise<void> {
  return display('webtmux', { body: 'Notifications work.', tag: 'webtmux-test' })
}

export const turnOff = (): void => setOn(false)

function setOn(on: boolean): void {
  save('notifications', on)
  document.dispatchEvent(new CustomEvent('notifications-changed'))
}

export function startNotifications(store: Store, go: Go): void {
  let before = new Map(store.agents)
  let release = () => {}
  let viewed = ''
  const updateViewed = () => {
    const id = document.hidden ? '' : (currentWindow(store)?.windowId ?? '')
    if (id === viewed) return
    release()
    viewed = id
    release = id ? holdLock(`${VIEWING_LOCK}${id}`) : () => {}
  }
  store.addEventListener('change', ({ detail }) => {
    updateViewed()
    if (!detail.has('agents')) return
    const events = agentEvents(before, store.agents)
    before = new Map(store.agents)
    for (const event of events) void notify(store, go, event)
  })
  document.addEventListener('visibilitychange', updateViewed)
}

/** Returns a function that releases it. The browser does so when the page closes or crashes. */
function holdLock(name: string): () => void {
  let done = () => {}
  const ended = new Promise<void>((resolve) => {
    done = resolve
  })
  void locks()?.request(name, { mode: 'shared' }, () => ended)
  return done
}

async function notify(store: Store, go: Go, event: AgentEvent): Promise<void> {
  const manager = locks()
  if (!manager || !isOn()) return
  const { held = [] } = await manager.query()
  if (held.some(({ name }) => name === `${VIEWING_LOCK}${event.agent.windowId}`)) return
  if (await claim(manager, idOf(event))) show(store, go, event)
}

/** True for the first page that claims the event. localStorage reaches other pages too late for this. */
function claim(manager: LockManager, id: string): Promise<boolean> {
  return new Promise((resolve) => {
    void manager.request(`${CLAIM_LOCK}${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock && new Promise((done) => setTimeout(done, DUPLICATE_MS))
    })
  })
}

function show(store: Store, go: Go, event: AgentEvent): void {
  const { title, body } = notificationText(event, agentTitle(store, event.agent))
  const window = allWindows(store).find(({ windowId }) => windowId === event.agent.windowId)
  const place: Place = {
    view: 'terminal',
    key: window ? addressOf(window) : event.agent.windowId,
    project: '',
  }
  const options = { body, tag: idOf(event), data: { address: format(place) } }
  void display(title, options, () => go(place))
}

async function display(title: string, options: NotificationOptions, open = () => {}): Promise<void> {
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      focus()
      notification.close()
      open()
    }
  } catch {
    // On Android only a service worker may show notifications.
    const worker = await navigator.serviceWorker?.getRegistration()
    await worker?.showNotification(title, options)
  }
}
