// The views besides the terminal, loaded on first use: board, notes, chat, recordings, timeline. A
// screen gets `services` and `place`, and loads its own data.
import type { Place, ViewName } from '../core/router'
import type { Services } from '../core/services'
import type { Store } from '../core/store'

interface Screen extends HTMLElement {
  services: Services
  store: Store
  place: Place
}
interface ScreenModule {
  tag: string
  load(): Promise<unknown>
}

const SCREENS: Partial<Record<ViewName, ScreenModule>> = {
  board: { tag: 'board-screen', load: () => import('../board/board-screen') },
  notes: { tag: 'notes-screen', load: () => import('../board/notes-screen') },
  chat: { tag: 'chat-screen', load: () => import('../chat/chat-screen') },
  timeline: { tag: 'timeline-screen', load: () => import('../chat/timeline-screen') },
  settings: { tag: 'settings-screen', load: () => import('./settings-screen') },
  recordings: { tag: 'recordings-screen', load: () => import('../recordings/recordings-screen') },
}

export class Screens {
  #root: Element
  #services: Services
  #shown: Screen | null = null

  constructor(root: Element, services: Services) {
    this.#root = root
    this.#services = services
  }

  async show(place: Place): Promise<void> {
    const screen = SCREENS[place.view]
    if (!screen) {
      this.#shown = null
      this.#root.replaceChildren()
      return
    }
    if (this.#shown?.localName !== screen.tag) {
      await screen.load()
      if (this.#services.store.place.view !== place.view) return
      this.#shown = this.#create(screen.tag)
    }
    this.#shown.place = place
  }

  #create(tag: string): Screen {
    // The module has defined the class by now: properties set earlier would shadow those of the class.
    const element = document.createElement(tag) as Screen
    element.services = this.#services
    element.store = this.#services.store
    this.#root.replaceChildren(element)
    return element
  }
}
