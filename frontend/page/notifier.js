// Notifications of the browser, for those who asked for them: when an agent begins to wait or has
// finished. Not for a window that is being looked at, and once for all pages of this browser.
import { SAME_MS, happenings, idOf, wordsOf } from './happenings.js'
import { load, save } from './memory.js'
import { format } from './router.js'
import { addressOf, allWindows, currentWindow } from './workspace.js'

const TOLD = 'webtmux:told:' // and what has happened: held for a while by the page that tells it
const LOOKING = 'webtmux:looking:' // and the key of a window: held by every page that shows it

export const isOn = () => load('notifications', false) && globalThis.Notification?.permission === 'granted'

/** Says what became of it, in words. */
export async function switchOn() {
  if (!globalThis.Notification) throw new Error('this browser has no notifications here: they need https or localhost')
  if (await Notification.requestPermission() !== 'granted') {
    throw new Error("the browser does not allow notifications: change that in the site's settings, beside the address")
  }
  save('notifications', true)
}

export const switchOff = () => save('notifications', false)

export function notify(store, go) {
  let before = new Map(store.agents)
  let letGo = () => {}
  let looked = ''
  const look = () => {
    const key = document.hidden ? '' : currentWindow(store)?.windowId ?? ''
    if (key === looked) return
    letGo()
    looked = key
    letGo = key ? hold(`${LOOKING}${key}`) : () => {}
  }
  store.addEventListener('change', ({ detail }) => {
    look()
    if (!detail.has('agents')) return
    const found = happenings(before, store.agents)
    before = new Map(store.agents)
    for (const happening of found) tell(store, go, happening)
  })
  document.addEventListener('visibilitychange', look)
}

/** A lock is given up by the browser when the page ends, however it ends. */
function hold(name) {
  let done
  const ended = new Promise((resolve) => { done = resolve })
  navigator.locks?.request(name, { mode: 'shared' }, () => ended)
  return done
}

async function tell(store, go, happening) {
  if (!isOn()) return
  const { held } = await navigator.locks.query()
  if (held.some(({ name }) => name === `${LOOKING}${happening.agent.windowId}`)) return
  if (await claim(idOf(happening))) show(store, go, happening)
}

/** Of the pages that hear it one is the first. What pages store is seen by others too late for that. */
function claim(id) {
  return new Promise((resolve) => {
    navigator.locks.request(`${TOLD}${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock && new Promise((done) => { setTimeout(done, SAME_MS) })
    })
  })
}

function show(store, go, happening) {
  const { title, body } = wordsOf(happening)
  const window = allWindows(store).find(({ windowId }) => windowId === happening.agent.windowId)
  const place = { view: 'terminal', key: window ? addressOf(window) : happening.agent.windowId, project: '' }
  const options = { body, tag: idOf(happening), data: { address: format(place) } }
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      focus()
      notification.close()
      go(place)
    }
  } catch { // Android lets only a service worker show one
    navigator.serviceWorker?.getRegistration().then((worker) => worker?.showNotification(title, options))
  }
}
