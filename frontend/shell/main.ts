// The entry point of the workspace page: creates the parts and connects them. The only module that
// knows all of them.
import './page.css'
import './shell.css'
import './overlays.css'
import './rail.css'
import '../terminals/terminal.css'
import '../agents/agents.css'
import '../phone/phone.css'

import '../agents/agent-deck'
import '../agents/prompt-composer'
import '../agents/question-bar'
import '../phone/deck-bar'
import '../terminals/terminal-area'
import './workspace-rail'
import './action-menu'
import './confirm-dialog'
import './connection-banner'
import './place-bar'
import './stage-notice'
import './toast-stack'

import { api } from '../core/api'
import { follow } from '../core/router'
import type { MobileLayout, PageElements, Services } from '../core/services'
import { Socket, socketAddress } from '../core/socket'
import { Store } from '../core/store'
import { applyTheme } from '../core/theme'
import type { Live } from '../core/view'
import { Phone } from '../phone/phone'
import type { CommandPalette } from './command-palette'
import { feedStore } from './feed'
import { registerWorker } from './install'
import type { KeysHelp } from './keys-help'
import { Screens } from './screens'
import { startShell } from './shell'
import { applyScheme } from './terminal-colours'

/** An element that gets the services of the page. */
interface Served extends HTMLElement {
  services: Services
  store: Store
}

const store = new Store()
const socket = new Socket(socketAddress())
const go = follow(store)
const deck = find<Served>('agent-deck')
const terminals = find<Served & PageElements['terminals']>('terminal-area')
const composer = find<Served & PageElements['composer']>('prompt-composer')
const palette = find<CommandPalette>('command-palette')
const keys = find<KeysHelp>('keys-help')
const rail = find('workspace-rail')
const elements: PageElements = {
  rail,
  terminals,
  composer,
  palette: loadedOnOpen(palette, () => import('./command-palette')),
  keys: loadedOnOpen(keys, () => import('./keys-help')),
  toasts: find('toast-stack'),
  dialog: find('confirm-dialog'),
  menu: find('action-menu'),
}
/** The services available to actions and screens. */
const services: Services = {
  store,
  socket,
  api,
  go,
  elements,
  get phone() {
    return phone
  },
  toast: (toast) => elements.toasts.show(toast),
  confirm: (question) => elements.dialog.confirm(question),
  ask: (question) => elements.dialog.ask(question),
}

applyScheme()
applyTheme()
const bar = find('deck-bar')
const others = [bar, find('place-bar'), find('connection-banner'), find('stage-notice'), find('question-bar')]
for (const element of [rail, palette, keys, ...others]) element.store = store
for (const element of [terminals, composer, deck]) Object.assign(element, { store, services })
const phone: MobileLayout = new Phone(services, find('key-row'))
const screens = new Screens(find('#views'), services)

store.addEventListener('change', ({ detail }) => {
  if (detail.has('place') || detail.has('reader')) showPlace()
  document.body.toggleAttribute('data-ready', store.ready)
})
feedStore(store, socket)
startShell(services)
showPlace()
socket.open()
registerWorker()

/** Shows the deck, the terminals or another screen in the main area. */
function showPlace(): void {
  const { view } = store.place
  document.body.dataset['view'] = view
  deck.hidden = view !== 'home'
  bar.hidden = view !== 'home'
  terminals.hidden = view !== 'terminal' || store.reader
  composer.hidden = view !== 'terminal'
  void screens.show(store.place)
}

/** An element of the page's template (templates/home.html). */
function find<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag]
function find<Found extends HTMLElement>(selector: string): Found
function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector)
  if (!element) throw new Error(`The page has no ${selector}.`)
  return element
}

/** Loads the module of an element when it is first opened. */
function loadedOnOpen(element: Live & { open(): void }, load: () => Promise<unknown>): { open(): unknown } {
  let loaded = false
  return {
    async open() {
      if (!loaded) {
        await load()
        await element.updateComplete
        loaded = true
      }
      element.open()
    },
  }
}
