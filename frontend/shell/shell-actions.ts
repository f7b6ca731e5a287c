// Actions of the page itself: sidebar, window switching, notifications, connection. Registered in actions.ts.
import { save } from '../core/memory'
import type { Action, Services } from '../core/services'
import { setTheme } from '../core/theme'
import { addressOf, allWindows, currentWindow } from '../core/workspace'
import { isOn, turnOff, turnOn } from './notifier'

function step({ store, go }: Services, by: number): void {
  const windows = allWindows(store)
  const index = windows.findIndex((window) => window.windowId === currentWindow(store)?.windowId)
  const next = windows.at((index + by + windows.length) % windows.length)
  if (next) go({ view: 'terminal', key: addressOf(next), project: '' })
}

function showRail({ store }: Services, shown: boolean): void {
  save('rail', shown)
  store.set('rail', shown)
}

export const shellActions: Action[] = [
  {
    name: 'home',
    title: 'All agents',
    keys: 'h',
    run: ({ go }) => go({ view: 'home', key: '', project: '' }),
  },
  {
    name: 'open-palette',
    title: 'Command palette',
    keys: 'Mod+K',
    hidden: true,
    run: ({ elements }) => elements.palette.open(),
  },
  { name: 'show-keys', title: 'Keyboard shortcuts', keys: '?', run: ({ elements }) => elements.keys.open() },
  {
    name: 'settings',
    title: 'Settings',
    keys: ',',
    run: ({ go }) => go({ view: 'settings', key: '', project: '' }),
  },
  {
    name: 'filter',
    title: 'Filter windows',
    keys: '/',
    run: (page) => {
      showRail(page, true)
      page.elements.rail.focusFilter()
    },
  },
  {
    name: 'focus-rail',
    title: 'Focus sidebar',
    keys: 'r',
    run: (page) => {
      showRail(page, true)
      page.elements.rail.focus()
    },
  },
  {
    name: 'toggle-rail',
    title: ({ rail }) => (rail ? 'Hide sidebar' : 'Show sidebar'),
    keys: '\\',
    run: (page) => showRail(page, !page.store.rail),
  },
  {
    name: 'next-window',
    title: 'Next window',
    keys: ']',
    needs: ({ windows }) => windows.size > 0,
    run: (page) => step(page, 1),
  },
  {
    name: 'previous-window',
    title: 'Previous window',
    keys: '[',
    needs: ({ windows }) => windows.size > 0,
    run: (page) => step(page, -1),
  },
  {
    name: 'retry',
    title: 'Reconnect now',
    needs: ({ status }) => status === 'lost',
    run: ({ socket }) => socket.retry(),
  },
  {
    name: 'notifications-on',
    title: 'Turn on notifications',
    needs: () => !isOn(),
    run: async ({ toast }) => {
      await turnOn()
      toast({
        text: 'Notifications are on. You get one when an agent waits or finishes, unless its window is open.',
      })
    },
  },
  {
    name: 'notifications-off',
    title: 'Turn off notifications',
    needs: isOn,
    run: ({ toast }) => {
      turnOff()
      toast({ text: 'Notifications are off in this browser.', undo: { title: 'Undo', run: turnOn } })
    },
  },
  { name: 'theme-dark', title: 'Theme: dark', run: () => setTheme('dark') },
  { name: 'theme-light', title: 'Theme: light', run: () => setTheme('light') },
  { name: 'theme-system', title: 'Theme: system', run: () => setTheme('') },
]
