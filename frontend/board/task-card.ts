// The template of a card: its text, who changed it, which window works on it.
import type { HandedOut } from '../core/generated/api'
import { html, nothing, type TemplateResult } from '../core/view'
import type { Card } from './columns'
import type { Progress } from './handoff-state'

export const WORK_TEXTS: Record<Progress, string> = {
  working: 'is working on it',
  waiting: 'is waiting for an answer',
  resting: 'is assigned',
  asks: 'finished',
  gone: 'has ended',
}
export const WORK_CHIPS: Record<Progress, string> = {
  working: 'working',
  waiting: 'waiting',
  asks: 'idle',
  resting: 'idle',
  gone: '',
}

/** The text of a card that is being edited; `was` is the text that the user saw. */
export interface Editing {
  key: string
  sheet: string
  was: string
}

/** The work of a window on a card; `title` names the agent or the window. */
export interface Work {
  link: HandedOut
  title: string
  state: Progress
  /** Whether the window still exists. */
  alive: boolean
}

/** What a card needs from its screen. */
export interface CardContext {
  editing: Editing | null
  // The key of a recently changed card → who changed it.
  fresh: ReadonlyMap<string, string>
  // The key of the card in the tab order.
  focused: string
  readonly: boolean
  /** False right after a card was dropped: that click does not open it. */
  canOpen(): boolean
  work(card: Card): Work | null
  actions: CardActions
}

export interface CardActions {
  openCard(card: Card): void
  menu(card: Card, button: Element): void
  open(window: string): void
  /** Ends an edit; null cancels it. */
  edited(text: string | null): void
  answerDone(card: Card, done: boolean): unknown
}

type FieldEvent<Type extends Event> = Type & { readonly currentTarget: HTMLTextAreaElement }

export function taskCard(card: Card, context: CardContext): TemplateResult {
  const { editing, actions } = context
  const fresh = context.fresh.get(card.key)
  return html`
    <li class="task ${fresh ? 'fresh' : ''}" data-key=${card.key} data-status=${card.status}
      tabindex=${context.focused === card.key ? 0 : -1} aria-describedby="board-keys"
      @click=${(event: MouseEvent) => openCard(event, card, context)}>
      ${editing?.key === card.key ? editor(editing, actions) : text(card, context)}
      ${fresh ? html`<p class="task-by">by ${fresh}</p>` : nothing}
      ${work(card, context)}
    </li>`
}

/** A click on the card itself, not on its buttons or the text that is being edited. */
function openCard({ target }: MouseEvent, card: Card, { canOpen, actions }: CardContext): void {
  const isControl = target instanceof Element && target.closest('button, a, input, textarea')
  if (!isControl && canOpen()) actions.openCard(card)
}

function text(card: Card, { readonly, actions }: CardContext): TemplateResult {
  const open = ({ currentTarget }: MouseEvent & { readonly currentTarget: HTMLButtonElement }) =>
    actions.menu(card, currentTarget)
  return html`
        <p class="task-text">${card.text}</p>
        ${card.description ? html`<p class="task-about quiet cut">${card.description}</p>` : nothing}
        ${
          readonly
            ? nothing
            : html`
          <button class="button plain icon task-more" aria-label="Actions for ${card.text}" aria-haspopup="menu"
            tabindex="-1" @click=${open}>⋯</button>`
        }`
}

function editor({ was }: Editing, actions: CardActions): TemplateResult {
  return html`
    <textarea class="field task-edit" rows="1" aria-label="Task text" .value=${was}
      @keydown=${(event: FieldEvent<KeyboardEvent>) => editKey(event, actions)}
      @blur=${({ currentTarget }: FieldEvent<FocusEvent>) => actions.edited(currentTarget.value)}></textarea>`
}

/** Enter saves, Escape cancels. A task is one line: there is no Shift+Enter. */
function editKey(event: FieldEvent<KeyboardEvent>, actions: CardActions): void {
  event.stopPropagation()
  if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
  event.preventDefault()
  actions.edited(event.key === 'Enter' ? event.currentTarget.value : null)
}

function work(card: Card, context: CardContext): TemplateResult | typeof nothing {
  const current = context.work(card)
  if (!current) return nothing
  const { actions } = context
  const { link, title, state } = current
  return html`
    <div class="task-work">
      <button class="chip ${WORK_CHIPS[state]}" ?disabled=${!current.alive} title="Open terminal"
        @click=${() => actions.open(link.window)}><span class="cut">${title}</span> ${WORK_TEXTS[state]}</button>
      ${
        state === 'asks' && card.status === 'WIP'
          ? html`
        <div class="task-done" role="group" aria-label="Is ${card.text} done?">
          <span>Done?</span>
          <button class="button primary" @click=${() => actions.answerDone(card, true)}>Yes</button>
          <button class="button" @click=${() => actions.answerDone(card, false)}>Not yet</button>
        </div>`
          : nothing
      }
    </div>`
}
