// Mobile layout: the visible area above a soft keyboard, the key row and the reader. Created once by
// shell/main; styles are in phone.css.
import type { AgentOut } from '../core/generated/socket'
import { load, save } from '../core/memory'
import { isPhone } from '../core/phone-media'
import type { MobileLayout, Services } from '../core/services'
import { addressOf, currentWindow } from '../core/workspace'
import { focusedPane } from '../terminals/panes'
import type { KeyRow } from './key-row'
import type { ReaderView } from './reader-view'
import type { ScreenFollower } from './screen-follower'
import { type ViewChoices, viewOf, withChoice } from './window-views'

type PhoneServices = Pick<Services, 'store' | 'api' | 'toast'> & {
  elements: Pick<Services['elements'], 'terminals'>
}
type TouchInput = typeof import('./touch-input')

// The name of the chosen views in this browser.
const CHOICES = 'window-views'
// A phone in landscape with an open soft keyboard: only the text and its field fit.
const SHORT_PX = 300

export const hasTouch = (): boolean => matchMedia('(pointer: coarse)').matches

export class Phone implements MobileLayout {
  #services: PhoneServices
  // Until touch-input.ts is loaded, it has no properties.
  #row: KeyRow
  #reader: ReaderView | null = null
  #touch: TouchInput | null = null
  #follower: ScreenFollower | null = null
  // Set before the reader is loaded.
  #wantsReader = false
  // The window for which the view was decided.
  #decided = ''
  // The question for which the user wants the key row.
  #keysFor = ''

  constructor(services: PhoneServices, row: KeyRow) {
    const { store, elements } = services
    this.#services = services
    this.#row = row
    followViewport()
    elements.terminals.addEventListener('terminal-ready', () => {
      if (hasTouch()) this.#allowKeyboard(row.raw)
    })
    row.addEventListener('row-key', ({ detail: { key, modifiers } }) => {
      if (this.#touch) elements.terminals.sendKey(this.#touch.encode(key, modifiers))
    })
    row.addEventListener('raw-typing', ({ detail }) => this.typeRaw(detail.raw))
    store.addEventListener('change', ({ detail }) => {
      // Windows differ in width.
      if (detail.has('place') && hasTouch()) elements.terminals.fontSize = 0
      this.#decideView()
      this.#arrange()
    })
    if (this.#showsKeys || hasTouch()) void this.#loadTouch()
    this.#arrange()
  }

  async #loadTouch(): Promise<void> {
    this.#touch ??= await import('./touch-input')
    const { terminals } = this.#services.elements
    terminals.modifier = this.#row
    if (!hasTouch()) return
    this.#touch.panAndZoom(terminals)
    this.#follower = new this.#touch.ScreenFollower(terminals)
    this.#follower.show(this.#question)
    this.#allowKeyboard(this.#row.raw)
  }

  /** Raw: the soft keyboard types into the terminal. Otherwise prompts are written in the composer. */
  typeRaw(raw: boolean): void {
    this.#row.raw = raw
    document.body.toggleAttribute('data-raw', raw)
    this.#allowKeyboard(raw)
    const pane = focusedPane(this.#services.store, currentWindow(this.#services.store))?.paneId
    const focused = this.#terminals.find(({ name }) => name === pane)
    if (focused) this.#touch?.useKeyboard(focused, raw)
  }

  get #terminals() {
    return [...this.#services.elements.terminals.querySelectorAll('tmux-adapter-web')]
  }

  #allowKeyboard(raw: boolean): void {
    for (const terminal of this.#terminals) this.#touch?.allowKeyboard(terminal, raw)
  }

  /** While a question hides the key row, this shows it until the next question. */
  toggleKeys(): void {
    const hiddenByQuestion = this.#showsKeys && this.#answersReplaceKeys
    if (hiddenByQuestion) this.#keysFor = idOf(this.#question)
    else save('keys', !this.#showsKeys)
    if (this.#showsKeys && !this.#touch) void this.#loadTouch()
    this.#arrange()
  }

  /** A phone remembers the choice for this window. */
  async showReader(shown = !this.#wantsReader): Promise<void> {
    const { store } = this.#services
    const window = currentWindow(store)
    if (store.place.view !== 'terminal') return
    if (window && isPhone()) {
      const view = shown ? 'reader' : 'terminal'
      save(CHOICES, withChoice(load<ViewChoices>(CHOICES, []), addressOf(window), view))
    }
    await this.#setReader(shown)
  }

  /** Once per window, so that an agent that starts later does not replace the terminal in use. */
  #decideView(): void {
    const { store } = this.#services
    const window = store.place.view === 'terminal' && store.agentsKnown ? currentWindow(store) : null
    if (!window || !isPhone()) {
      this.#decided = ''
      return
    }
    if (this.#decided === window.windowId) return
    this.#decided = window.windowId
    const choices = load<ViewChoices>(CHOICES, [])
    void this.#setReader(viewOf(choices, addressOf(window), window.agents.length > 0) === 'reader')
  }

  /** The reader is loaded on first use. */
  async #setReader(shown: boolean): Promise<void> {
    const { store, elements } = this.#services
    this.#wantsReader = shown
    if (shown) await import('./reader-view')
    if (shown !== this.#wantsReader) return
    store.set('reader', shown)
    if (shown && !this.#reader) {
      this.#reader = document.createElement('reader-view')
      this.#reader.services = this.#services
      this.#reader.store = store
      elements.terminals.after(this.#reader)
    } else if (!shown) {
      this.#reader?.remove()
      this.#reader = null
    }
    this.#arrange()
  }

  #arrange(): void {
    const { store } = this.#services
    const shown = store.place.view === 'terminal'
    if (!shown && this.#wantsReader) void this.#setReader(false)
    if (!shown && this.#row.raw) this.typeRaw(false)
    const hidden = !shown || this.#reader !== null || !this.#showsKeys || this.#answersReplaceKeys
    if (this.#row.hidden !== hidden) this.#row.hidden = hidden
    this.#follower?.show(shown ? this.#question : null)
  }

  get #showsKeys(): boolean {
    return load('keys', hasTouch())
  }

  /** The agent of the current window that waits for an answer. */
  get #question(): AgentOut | null {
    const agents = currentWindow(this.#services.store)?.agents ?? []
    return agents.find(({ state }) => state === 'waiting') ?? null
  }

  /** The options are buttons in the header, so the keys leave their room to the dialog. */
  get #answersReplaceKeys(): boolean {
    const question = this.#question
    if (!question?.options.length || this.#row.raw || !hasTouch()) return false
    return this.#keysFor !== idOf(question)
  }
}

function idOf(question: AgentOut | null): string {
  return question ? `${question.name} ${question.question?.id ?? ''}` : ''
}

/**
 * `--viewport-height` is the height above a soft keyboard, `--viewport-top` how far iOS has moved the
 * page up for it; `data-short` on <body>: little is left. Ignored while the page is pinch-zoomed: there the same numbers mean something else.
 */
function followViewport(): void {
  const viewport = globalThis.visualViewport
  if (!viewport) return
  const update = () => {
    if (Math.abs(viewport.scale - 1) > 0.01) return
    document.documentElement.style.setProperty('--viewport-height', `${viewport.height}px`)
    document.documentElement.style.setProperty('--viewport-top', `${viewport.offsetTop}px`)
    document.body.toggleAttribute('data-short', viewport.height < SHORT_PX)
  }
  viewport.addEventListener('resize', update)
  viewport.addEventListener('scroll', update)
  update()
}
