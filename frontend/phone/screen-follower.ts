// Keeps the interesting part of a terminal visible that is larger than the screen of a phone: the dialog of
// an agent that waits, else the cursor. After the user pans away, the position stays until the next question
// or window.
import type { ITerminalAddon, Terminal } from '@xterm/xterm'
import type { AgentOut } from '../core/generated/socket'
import type { PageElements } from '../core/services'
import type { TmuxAdapterWeb } from '../terminals/tmux-adapter-web'
import { questionRows, type RowRange } from './question-rows'
import { revealed } from './zooming'

type TerminalArea = PageElements['terminals']

// Left of the pane: the padding of the window.
const EDGE_PX = 8

export class ScreenFollower {
  #area: TerminalArea
  #terminals = new WeakMap<Element, Terminal>()
  #question: AgentOut | null = null
  #window = ''
  #panned = false
  #touchedAt = 0
  #frame = 0

  constructor(area: TerminalArea) {
    this.#area = area
    area.addEventListener('terminal-ready', ({ target }) => this.#follow(target as TmuxAdapterWeb)) // its only emitter
    for (const terminal of area.querySelectorAll('tmux-adapter-web')) this.#follow(terminal)
    area.addEventListener('touchstart', () => this.#touched(), { capture: true, passive: true })
    area.addEventListener('touchend', () => this.#lifted(), { passive: true })
    // The key row, a soft keyboard, a rotation.
    new ResizeObserver(() => this.#schedule()).observe(area)
  }

  /** The agent of the current window that waits for an answer, or null. */
  show(question: AgentOut | null): void {
    const isNew = question !== null && !isSame(question, this.#question)
    this.#question = question
    if (!isNew) return
    this.#panned = false
    this.#shown?.terminal.scrollToBottom()
    this.#schedule()
  }

  #follow(element: TmuxAdapterWeb): void {
    const addon: ITerminalAddon = {
      activate: (terminal) => {
        this.#terminals.set(element, terminal)
        terminal.onWriteParsed(() => this.#schedule())
      },
      dispose: () => this.#terminals.delete(element),
    }
    element.use(addon)
  }

  /** The terminal of the question, else the focused one. */
  get #shown(): { element: Element; terminal: Terminal } | null {
    const pane = this.#question?.paneId
    const element = pane
      ? this.#area.querySelector(`tmux-adapter-web[name="${CSS.escape(pane)}"]`)
      : this.#area.terminal
    const terminal = element && this.#terminals.get(element)
    return terminal ? { element, terminal } : null
  }

  /** Once per frame: after the layout, and not for every piece of output. */
  #schedule(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0
      this.#reveal()
    })
  }

  #reveal(): void {
    const view = this.#area.current
    if (!view) return
    if (view.window.windowId !== this.#window) {
      this.#window = view.window.windowId
      this.#panned = false
    }
    const range = this.#range()
    if (!range || this.#panned) return
    view.scrollTop = revealed({ scroll: view.scrollTop, outer: view.clientHeight }, range)
    if (this.#question) view.scrollLeft = range.left - EDGE_PX
  }

  /** What should be visible, in pixels of the scrolled content; null while the history is read. */
  #range(): { start: number; end: number; left: number } | null {
    const [view, shown] = [this.#area.current, this.#shown]
    if (!view || !shown) return null
    const { active } = shown.terminal.buffer
    if (active.viewportY !== active.baseY) return null
    const rows = (this.#question && this.#dialog(shown.terminal, this.#question)) ?? {
      first: active.cursorY,
      last: active.cursorY,
    }
    const [outer, inner] = [view.getBoundingClientRect(), shown.element.getBoundingClientRect()]
    const row = inner.height / shown.terminal.rows
    const top = inner.top - outer.top + view.scrollTop
    // One row more on both sides: a border, or the next line.
    return {
      start: top + (rows.first - 1) * row,
      end: top + (rows.last + 2) * row,
      left: inner.left - outer.left + view.scrollLeft,
    }
  }

  #dialog({ buffer: { active }, rows }: Terminal, agent: AgentOut): RowRange | null {
    const screen = Array.from(
      { length: rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    )
    return questionRows(screen, agent.question, agent.options)
  }

  #touched(): void {
    this.#touchedAt = this.#area.current?.scrollTop ?? 0
  }

  #lifted(): void {
    const view = this.#area.current
    const range = this.#range()
    if (!view || !range || view.scrollTop === this.#touchedAt) return
    this.#panned = revealed({ scroll: view.scrollTop, outer: view.clientHeight }, range) !== view.scrollTop
  }
}

function isSame(a: AgentOut, b: AgentOut | null): boolean {
  return b !== null && a.name === b.name && a.question?.id === b.question?.id && a.state === b.state
}
