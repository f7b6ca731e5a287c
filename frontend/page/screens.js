// Views beside the terminal, loaded when they are first looked at: board, notes, chat, recordings,
// timeline. A screen gets `services` and `place`, and may load what it shows.

const NOTES = new URL('../notes/notes.css', import.meta.url).href
const CHAT = new URL('../agents/chat.css', import.meta.url).href
const RECORDINGS = new URL('../terminals/recordings.css', import.meta.url).href
const SCREENS = {
  board: { tag: 'board-screen', sheet: NOTES, load: () => import('../notes/board-screen.js') },
  notes: { tag: 'notes-screen', sheet: NOTES, load: () => import('../notes/notes-screen.js') },
  chat: { tag: 'chat-screen', sheet: CHAT, load: () => import('../agents/chat-screen.js') },
  timeline: { tag: 'timeline-screen', sheet: CHAT, load: () => import('../agents/timeline-screen.js') },
  recordings: { tag: 'recordings-screen', sheet: RECORDINGS, load: () => import('../terminals/recordings-screen.js') },
}

export class Screens {
  #root
  #services

  constructor(root, services) {
    this.#root = root
    this.#services = services
  }

  async show(place) {
    const screen = SCREENS[place.view]
    if (!screen) return this.#root.replaceChildren()
    if (this.#root.firstElementChild?.localName !== screen.tag) {
      await Promise.all([screen.load(), dressed(screen.sheet)])
      if (this.#services.store.place.view !== place.view) return
      // Made when its class is there: what is set before would hide the class's own properties.
      const element = document.createElement(screen.tag)
      element.services = this.#services
      element.store = this.#services.store
      this.#root.replaceChildren(element)
    }
    this.#root.firstElementChild.place = place
  }
}

/** Once a screen's own sheet is there: without it nothing stands where it belongs. */
function dressed(sheet) {
  if (!sheet || document.querySelector(`link[href="${sheet}"]`)) return null
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: sheet })
  return new Promise((done) => {
    link.onload = link.onerror = done
    document.head.append(link)
  })
}
