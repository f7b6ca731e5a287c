// What a person can do with the page itself: rail, windows in turn, notifications, connection.
// Joined in actions.js.
import { save } from './memory.js'
import { isOn, switchOff, switchOn } from './notifier.js'
import { setTheme } from './theme.js'
import { addressOf, allWindows, currentWindow } from './workspace.js'

function step(by) {
  return ({ store, go }) => {
    const windows = allWindows(store)
    const at = windows.findIndex((window) => window.windowId === currentWindow(store)?.windowId)
    const next = windows.at((at + by + windows.length) % windows.length)
    if (next) go({ view: 'terminal', key: addressOf(next), project: '' })
  }
}

function showRail({ store }, shown = !store.rail) {
  save('rail', shown)
  store.set('rail', shown)
}

/** The rail must be there before something in it can have the focus. */
function intoRail(page, focus) {
  showRail(page, true)
  queueMicrotask(() => focus(page.elements.rail))
}

export const shellActions = [
  { name: 'home', title: 'All agents', keys: 'h', run: ({ go }) => go({ view: 'home', key: '', project: '' }) },
  { name: 'open-palette', title: 'Command palette', keys: 'Mod+K', hidden: true, run: ({ elements }) => elements.palette.open() },
  { name: 'show-keys', title: 'Keyboard shortcuts', keys: '?', run: ({ elements }) => elements.keys.open() },
  { name: 'filter', title: 'Filter the rail', keys: '/', run: (page) => intoRail(page, (rail) => rail.focusFilter()) },
  { name: 'focus-rail', title: 'Go to the rail', keys: 'r', run: (page) => intoRail(page, (rail) => rail.focus()) },
  { name: 'toggle-rail', title: ({ rail }) => (rail ? 'Hide the rail' : 'Show the rail'), keys: '\\', run: (page) => showRail(page) },
  { name: 'next-window', title: 'Next window', keys: ']', run: step(1), needs: ({ windows }) => windows.size > 0 },
  { name: 'previous-window', title: 'Previous window', keys: '[', run: step(-1), needs: ({ windows }) => windows.size > 0 },
  { name: 'retry', title: 'Connect again now', needs: ({ status }) => status === 'lost', run: ({ socket }) => socket.retry() },
  {
    name: 'notifications-on', title: 'Notify me when an agent waits or finishes', needs: () => !isOn(),
    run: async ({ toast }) => {
      await switchOn()
      toast({ text: 'You are told when an agent begins to wait or finishes, unless you are looking at it.' })
    },
  },
  {
    name: 'notifications-off', title: 'Notify me no more', needs: isOn,
    run: ({ toast }) => {
      switchOff()
      toast({ text: 'No more notifications in this browser.', undo: { title: 'Undo', run: switchOn } })
    },
  },
  { name: 'theme-dark', title: 'Theme: dark', run: () => setTheme('dark') },
  { name: 'theme-light', title: 'Theme: light', run: () => setTheme('light') },
  { name: 'theme-system', title: "Theme: the system's", run: () => setTheme('') },
]
