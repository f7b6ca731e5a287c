// What a person can do with the terminals on the screen; joined in page/actions.js.
// Windows and panes as such (create, split, kill) are in actions.js.
import { copy as copyText } from '../page/clipboard.js'
import { activePane, currentWindow } from '../page/workspace.js'
import { COUNTS } from './grid.js'
import { changeFamily, changeSize, lettering } from './lettering.js'
import { shapeOf } from './layouts.js'

const TITLES = { 1: 'Show one window', 2: 'Show two windows', 4: 'Show four windows' }
const here = (store) => store.place.view === 'terminal' && Boolean(currentWindow(store))
const several = (store) => here(store) && currentWindow(store).panes.length > 1
const path = (pane) => `/panes/${pane.slice(1)}`

export const actions = [
  { name: 'focus-terminal', title: 'Focus the terminal', needs: here, run: ({ elements }) => elements.terminals.focusTerminal() },
  { name: 'find', title: 'Find in the terminal', keys: 'Ctrl+Shift+F', needs: here, run: ({ elements }) => elements.terminals.find() },
  { name: 'copy', title: 'Copy what is marked', keys: 'Ctrl+Shift+C', needs: here, run: copy },
  { name: 'paste', title: 'Paste into the terminal', keys: 'Ctrl+Shift+V', needs: here, run: paste },
  { name: 'zoom', title: zoomTitle, needs: several, run: ({ store, api }) => api('POST', `${path(store.pane)}/zoom`) },
  { name: 'fit', title: 'Fit to this screen', needs: here, run: fit },
  { name: 'next-pane', title: 'Next pane', needs: several, run: (page) => step(page, 1) },
  { name: 'previous-pane', title: 'Previous pane', needs: several, run: (page) => step(page, -1) },
  ...COUNTS.map((count) => ({ name: `grid-${count}`, title: TITLES[count], needs: here, run: ({ elements }) => elements.terminals.show(count) })),
  { name: 'font-bigger', title: 'Larger letters', run: () => changeSize(1) },
  { name: 'font-smaller', title: 'Smaller letters', run: () => changeSize(-1) },
  { name: 'font-reset', title: 'Letters as they were', run: () => changeSize(0) },
  { name: 'font-family', title: 'Choose the font of terminals', run: chooseFamily },
  { name: 'focus-pane', title: 'Go to a pane', hidden: true, run: ({ api }, { pane }) => api('POST', `${path(pane)}/select`) },
  { name: 'move-border', title: 'Size of a pane', hidden: true, run: ({ api }, { pane, ...size }) => api('POST', `${path(pane)}/resize`, size) },
]

function zoomTitle(store) {
  return currentWindow(store)?.zoomed ? 'Show all panes again' : 'Let this pane fill the window'
}

async function copy({ elements, toast }) {
  const text = elements.terminals.terminal?.selection
  if (!text) return toast({ text: 'Nothing is marked: drag over the text first, with Shift where a program takes the mouse' })
  await copyText(text)
}

async function paste({ elements }) {
  if (!navigator.clipboard) throw new Error('the browser lets only https pages and localhost read the clipboard')
  elements.terminals.terminal?.paste(await navigator.clipboard.readText())
}

function fit({ elements, toast }) {
  if (elements.terminals.current?.fit()) return
  toast({ text: 'A terminal elsewhere shows this window, and its size holds: detach it first' })
}

/** In the order in which tmux counts them; of a zoomed window the next one is brought back with all. */
function step({ store, api }, by) {
  const window = currentWindow(store)
  const ids = shapeOf({ ...window, zoomed: false }).panes.map(({ id }) => id)
  const now = ids.indexOf(ids.includes(store.pane) ? store.pane : activePane(window).paneId)
  return api('POST', `${path(ids[(now + by + ids.length) % ids.length])}/select`)
}

async function chooseFamily({ ask }) {
  const [value] = lettering().family.split(',')
  const family = await ask({ title: 'Font of terminals', label: 'Name of a font on this computer; empty for the usual one', value, verb: 'Use' })
  if (family !== null) changeFamily(family.replace(/[;{}"'\\]/g, ''))
}
