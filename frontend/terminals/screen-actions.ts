// Actions of the visible terminals; registered in shell/actions. Creating, splitting and closing windows
// and panes is in actions.ts.
import { copy as copyText } from '../core/clipboard'
import type { Action, Services } from '../core/services'
import type { Store } from '../core/store'
import { currentWindow } from '../core/workspace'
import { changeFamily, changeSize, fontSettings } from './font-settings'
import { COUNTS } from './grid'
import { shapeOf } from './layouts'
import { focusedPane } from './panes'
import { sizePolicy } from './size-policy'

const TITLES = { 1: 'Show one window', 2: 'Show two windows', 4: 'Show four windows' }
const inTerminal = (store: Store) => store.place.view === 'terminal' && currentWindow(store) !== null
const hasSeveralPanes = (store: Store) => inTerminal(store) && (currentWindow(store)?.panes.length ?? 0) > 1
const path = (pane: string) => `/panes/${pane.slice(1)}`

export const actions: Action[] = [
  {
    name: 'focus-terminal',
    title: 'Focus terminal',
    needs: inTerminal,
    run: ({ elements }) => elements.terminals.focusTerminal(),
  },
  {
    name: 'find',
    title: 'Find in terminal',
    keys: 'Ctrl+Shift+F',
    needs: inTerminal,
    run: ({ elements }) => elements.terminals.find(),
  },
  { name: 'copy', title: 'Copy selection', keys: 'Ctrl+Shift+C', needs: inTerminal, run: copy },
  {
    name: 'copy-text',
    title: 'Copy text',
    hidden: true,
    run: (_: Services, { text }: { text: string }) => copyText(text),
  },
  { name: 'paste', title: 'Paste into terminal', keys: 'Ctrl+Shift+V', needs: inTerminal, run: paste },
  {
    name: 'zoom',
    title: zoomTitle,
    needs: hasSeveralPanes,
    run: ({ store, api }) => api('POST', `${path(store.pane)}/zoom`),
  },
  { name: 'fit', title: 'Fit to this screen', needs: inTerminal, run: fit },
  { name: 'next-pane', title: 'Next pane', needs: hasSeveralPanes, run: (page) => step(page, 1) },
  { name: 'previous-pane', title: 'Previous pane', needs: hasSeveralPanes, run: (page) => step(page, -1) },
  ...COUNTS.map(
    (count): Action => ({
      name: `grid-${count}`,
      title: TITLES[count],
      needs: inTerminal,
      run: ({ elements }) => elements.terminals.show(count),
    }),
  ),
  { name: 'font-bigger', title: 'Larger font', run: () => changeSize(1) },
  { name: 'font-smaller', title: 'Smaller font', run: () => changeSize(-1) },
  { name: 'font-reset', title: 'Reset font size', run: () => changeSize(0) },
  { name: 'font-family', title: 'Change terminal font…', run: chooseFamily },
  {
    name: 'focus-pane',
    title: 'Go to pane',
    hidden: true,
    run: ({ api }: Services, { pane }: { pane: string }) => api('POST', `${path(pane)}/select`),
  },
  {
    name: 'move-border',
    title: 'Resize pane',
    hidden: true,
    run: ({ api }: Services, { pane, ...size }: { pane: string; width?: number; height?: number }) =>
      api('POST', `${path(pane)}/resize`, size),
  },
]

function zoomTitle(store: Store): string {
  return currentWindow(store)?.zoomed ? 'Show all panes' : 'Zoom pane'
}

async function copy({ elements, toast }: Services): Promise<void> {
  const text = elements.terminals.terminal?.selection
  if (text) return copyText(text)
  toast({ text: 'Nothing selected. Drag over the text first; hold Shift if a program uses the mouse.' })
}

async function paste({ elements }: Services): Promise<void> {
  if (!navigator.clipboard) throw new Error('Pasting works only over HTTPS or on localhost.')
  const text = await navigator.clipboard.readText()
  elements.terminals.terminal?.paste(text)
}

function fit({ elements, toast }: Services): void {
  if (elements.terminals.current?.fit()) return
  toast({
    text:
      sizePolicy() === 'never'
        ? 'The settings say that this page never changes the size of windows.'
        : 'Another terminal shows this window and sets its size. Detach it first.',
  })
}

/** In the order of tmux; in a zoomed window this unzooms it. */
async function step({ store, api }: Services, by: number): Promise<void> {
  const window = currentWindow(store)
  const shape = window && shapeOf({ ...window, zoomed: false })
  const ids = shape?.panes.map(({ id }) => id) ?? []
  const index = ids.indexOf(focusedPane(store, window)?.paneId ?? '')
  const next = ids[(index + by + ids.length) % ids.length]
  if (next) await api('POST', `${path(next)}/select`)
}

async function chooseFamily({ ask }: Services): Promise<void> {
  const [value = ''] = fontSettings().family.split(',')
  const label = 'Name of an installed font. Leave empty for the default.'
  const family = await ask({ title: 'Terminal font', label, value, verb: 'Apply' })
  if (family !== null) changeFamily(family.replace(/[;{}"'\\]/g, ''))
}
