// The workspace page: makes the parts and joins them. The only module that knows all of them.
import '../agents/agent-deck.js'
import '../agents/prompt-composer.js'
import '../terminals/terminal-area.js'
import '../terminals/workspace-rail.js'
import './action-menu.js'
import './confirm-dialog.js'
import './connection-banner.js'
import './place-bar.js'
import './stage-notice.js'
import './toast-stack.js'

import { perform } from './actions.js'
import { api } from './api.js'
import { registerWorker } from './install.js'
import { Phone } from './phone.js'
import { follow } from './router.js'
import { Screens } from './screens.js'
import { startShell } from './shell.js'
import { Socket, socketAddress } from './socket.js'
import { Store } from './store.js'
import { applyTheme } from './theme.js'

const store = new Store()
const socket = new Socket(socketAddress())
const go = follow(store)
const find = (selector) => document.querySelector(selector)
const elements = {
  rail: find('workspace-rail'),
  bar: find('place-bar'),
  terminals: find('terminal-area'),
  deck: find('agent-deck'),
  composer: find('prompt-composer'),
  palette: find('command-palette'),
  keys: find('keys-help'),
  toasts: find('toast-stack'),
  dialog: find('confirm-dialog'),
  banner: find('connection-banner'),
  notice: find('stage-notice'),
  menu: find('action-menu'),
}
/** What actions and screens may use. */
export const services = {
  store, socket, api, go, elements,
  toast: (toast) => elements.toasts.show(toast), // {text, tone?: 'good'|'bad', undo?: {title, run}}
  confirm: (question) => elements.dialog.confirm(question), // {title, text, verb} → true or false
  ask: (question) => elements.dialog.ask(question), // {title, label, value, verb} → text or null
}

later(elements.palette, () => import('./command-palette.js'))
later(elements.keys, () => import('./keys-help.js'))
applyTheme()
for (const element of Object.values(elements)) element.store = store
elements.terminals.services = services
elements.composer.services = services
services.phone = new Phone(services, find('key-row'))
elements.deck.services = services
const screens = new Screens(find('#views'), services)

document.addEventListener('action', ({ detail }) => perform(services, detail))
store.addEventListener('change', ({ detail }) => {
  if (detail.has('place')) showPlace()
  document.body.toggleAttribute('data-ready', store.ready)
})
socket.addEventListener('status', () => { store.set('retryAt', socket.retryAt); store.set('status', socket.status) })
socket.addEventListener('latency', () => store.set('latency', socket.latency))
socket.addEventListener('event', ({ detail }) => store.take(detail))
socket.subscribe('subscribe-workspace', {}, (told) => store.takeWorkspace(told))
socket.subscribe('subscribe-windows', {}, (told) => store.takeFacts(told))
socket.subscribe('subscribe-agents', {}, (told) => store.takeAgents(told))
socket.subscribe('subscribe-recordings', {}, (told) => store.takeRecordings(told))
startShell(services)
showPlace()
socket.open()
registerWorker()

/** One of the three fills the stage: the deck, the terminals, or a screen of its own. */
function showPlace() {
  const { view } = store.place
  document.body.dataset.view = view
  elements.deck.hidden = view !== 'home'
  elements.terminals.hidden = view !== 'terminal'
  elements.composer.hidden = view !== 'terminal'
  screens.show(store.place)
}

/** An element that nobody sees until it is opened: loaded then. */
function later(element, load) {
  element.open = async () => {
    await load()
    delete element.open
    element.open()
  }
}
