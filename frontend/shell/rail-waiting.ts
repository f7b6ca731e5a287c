// <rail-waiting>: the agents that wait for an answer, one line each, longest wait first. A line opens the
// question and its answers next to the sidebar.
import { questionText } from '../agents/words'
import type { Card } from '../agents/deck'
import { format } from '../core/router'
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  nothing,
  type PropertyValues,
  property,
  repeat,
  type TemplateResult,
} from '../core/view'
import { addressOf, allWindows, longestFirst, windowTitle } from '../core/workspace'
import { ago } from './rail-rows'

// Pixels between the sidebar and the answer.
const GAP = 6
// The answer starts at most this far down, so that it has room on a low screen.
const LOWEST = 0.4

@customElement('rail-waiting')
export class RailWaiting extends Live {
  static override parts: readonly Part[] = ['windows', 'agents', 'savedWindows', 'projects']

  /** Ids of the windows that match the filter of the sidebar. */
  @property({ attribute: false }) shown: ReadonlySet<string> = new Set()
  #cards: Card[] = []

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    const windows = allWindows(this.store)
    const cards = windows.flatMap((window) => window.agents.map((agent) => ({ agent, window })))
    this.#cards = cards
      .filter(({ agent, window }) => agent.state === 'waiting' && this.shown.has(window.windowId))
      .sort((a, b) => longestFirst(a.agent, b.agent))
  }

  override render(): TemplateResult | typeof nothing {
    const cards = this.#cards
    if (cards.length === 0) return nothing
    return html`
      <section class="rail-waiting" aria-labelledby="rail-waiting">
        <h2 id="rail-waiting">Waiting <span class="chip waiting">${cards.length}</span></h2>
        <ul>${repeat(
          cards,
          ({ agent }) => agent.name,
          (card) => this.#line(card),
        )}</ul>
      </section>`
  }

  #line({ agent, window }: Card): TemplateResult {
    const title = windowTitle(window)
    const id = `rail-answer-${agent.paneId}`
    return html`
      <li>
        <button class="rail-asker" popovertarget=${id} title="${title}: ${questionText(agent.question)}">
          <span class="cut">${title}</span>
          <span class="quiet rail-asker-time">${ago(agent.stateSince / 1000, Date.now())}</span>
        </button>
        <div class="rail-answer" id=${id} popover role="dialog" aria-label="Answer ${title}" @beforetoggle=${this.#place}>
          <header><a class="cut" title=${title} href=${format({ view: 'terminal', key: addressOf(window) })} autofocus
            @click=${this.#close}>${title}</a><span class="quiet">${agent.runtime}</span></header>
          <answer-bar .agent=${agent}></answer-bar>
        </div>
      </li>`
  }

  #close = ({ currentTarget }: MouseEvent & { currentTarget: HTMLElement }): void => {
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
  }

  #place = ({ newState, currentTarget }: ToggleEvent & { currentTarget: HTMLElement }): void => {
    const line = currentTarget.parentElement
    const sidebar = this.closest('nav')
    if (newState !== 'open' || !line || !sidebar) return
    const top = Math.min(line.getBoundingClientRect().top, innerHeight * LOWEST)
    currentTarget.style.top = `${top}px`
    currentTarget.style.left = `${sidebar.getBoundingClientRect().right + GAP}px`
    currentTarget.style.maxHeight = `${innerHeight - top - GAP}px`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'rail-waiting': RailWaiting
  }
}
