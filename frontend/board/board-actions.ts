// Turns what the user does on a board into changes of sheets, and shows errors and conflicts.
import type { StartArgs } from '../agents/start-actions'
import { messageOf } from '../core/events'
import { agentTitle, titleByKey } from '../core/workspace'
import type { DroppedCard } from './board-drag'
import type { BoardScreen } from './board-screen'
import type { CardSaveDetail } from './card-dialog'
import { type Card, cardOf, focusAfter } from './columns'
import { Handoff } from './handoff'
import type { HandoffDetail } from './handoff-dialog'
import { agentsOf, progress, runName, UNSEEN_TURN_MS } from './handoff-state'
import { Clash, isConflict, pathOf, type Sheet, type Sheets } from './sheets'
import type { CardActions, Work } from './task-card'
import { type Change, type KeyedChange, LABELS, type Status } from './tasks'

export interface PlainCommand {
  what: 'open' | 'edit' | 'add' | 'filter' | 'handoff' | 'start' | 'remove'
  card: Card
}
/** `before` is the key of the card that follows it; without it, the card moves to the end of the column. */
export interface MoveCommand {
  what: 'move'
  card: Card
  status: Status
  before?: string | null
}
export type Command = PlainCommand | MoveCommand

/** The conflict to resolve; `again` is the change to make anyway. */
export interface BoardClash {
  sheet: string
  change: KeyedChange
  gone: boolean
  theirs: string
  again: Change
}

export class BoardActions implements CardActions {
  #screen: BoardScreen
  #sheets: Sheets
  #handoff: Handoff
  // Runs (see handoff-state) in which an agent was seen working.
  #worked = new Set<string>()
  // Run → the timer that will check it again.
  #checks = new Map<string, ReturnType<typeof setTimeout>>()

  constructor(screen: BoardScreen, sheets: Sheets) {
    this.#screen = screen
    this.#sheets = sheets
    this.#handoff = new Handoff(screen.services, sheets)
  }

  /** Stops the timers. */
  end(): void {
    for (const timer of this.#checks.values()) clearTimeout(timer)
    this.#checks.clear()
  }

  choose(command: Command): void {
    const { card } = command
    switch (command.what) {
      case 'open':
        return this.#screen.openCard(card)
      case 'edit':
        if (this.#writable(card)) this.#screen.beginEditing(card)
        return
      case 'add':
        return this.#screen.beginAdding(card.status)
      case 'filter':
        return this.#screen.filter()
      case 'handoff':
        return this.#openHandoff(card)
      case 'start':
        return this.#startAgent(card)
      case 'move':
        return this.#move(card, command.status, command.before ?? null)
      case 'remove':
        void this.#remove(card)
    }
  }

  /** Moves a dropped card. */
  place({ key, status, before }: DroppedCard): void {
    const card = cardOf(this.#screen.board, key)
    if (card) this.#move(card, status, before)
  }

  openCard(card: Card): void {
    this.choose({ what: 'open', card })
  }

  menu(card: Card, button: Element): void {
    this.#screen.querySelector('task-menu')?.open(card, button)
  }

  open(window: string): void {
    this.#screen.act('go', { place: { view: 'terminal', key: window, project: '' } })
  }

  // --- texts ---

  /** Ends an edit; null cancels it. Called twice: by the key, and when the field loses the focus. */
  edited(value: string | null): void {
    const { editing } = this.#screen
    if (!editing) return
    const { key, sheet, was } = editing
    this.#screen.editing = null
    this.#screen.focusCard(key)
    const text = oneLine(value ?? '')
    if (text && text !== was) void this.#change(sheet, { kind: 'edit', key, text, was })
  }

  /** Stores what was typed in the dialog of a card. */
  saveCard({ card, text, description }: CardSaveDetail): void {
    if (!this.#writable(card)) return
    const { key, sheet, text: was, description: wasDescription = '' } = card
    const line = oneLine(text)
    if (line && line !== was) void this.#change(sheet, { kind: 'edit', key, text: line, was })
    if (description !== wasDescription)
      void this.#change(sheet, { kind: 'describe', key, description, wasDescription, was })
  }

  addKey(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.isComposing) return
    if (event.key === 'Enter') this.added(event)
    else if (event.key === 'Escape') this.#screen.adding = null
  }

  /** Adds the task; the field stays open for the next one. */
  added(event: Event): void {
    event.preventDefault()
    const { adding } = this.#screen
    const field = this.#screen.querySelector<HTMLTextAreaElement>('.task-new textarea')
    const text = oneLine(field?.value ?? '')
    if (!field || !adding || !text) return
    field.value = ''
    field.focus()
    void this.#change(adding.sheet, { kind: 'add', text, status: adding.status })
  }

  // --- moves ---

  #move(card: Card, status: Status, before: string | null): void {
    if (!this.#writable(card)) return
    void this.#change(card.sheet, { kind: 'move', key: card.key, status, before, was: card.text })
    this.#screen.say(`Moved “${card.text}” to ${LABELS[status]}`)
  }

  async #remove(card: Card): Promise<void> {
    const before = this.#sheets.get(card.sheet)
    if (!before || !this.#writable(card)) return
    const next = focusAfter(this.#screen.board, card.key)
    const removed = this.#change(card.sheet, { kind: 'remove', key: card.key, was: card.text })
    this.#screen.focusCard(next)
    if (!(await removed)) return
    const version = this.#sheets.get(card.sheet)?.version ?? 0
    const undo = { title: 'Undo', run: () => this.#restore(card, before, version) }
    this.#screen.services.toast({ text: `Deleted “${card.text}”`, undo })
  }

  /** Restores the notes exactly if nothing changed since, else adds the task at its old place. */
  async #restore(card: Card, before: Sheet, version: number): Promise<void> {
    if (version === before.version + 1 && (await this.#writeBack(card.sheet, before, version))) return
    const next = before.tasks[before.tasks.findIndex((task) => task.key === card.key) + 1]
    const { text, status } = card
    await this.#change(card.sheet, { kind: 'add', text, status, before: next?.key ?? null })
  }

  /** Returns false if the notes have changed since `version`. */
  async #writeBack(sheet: string, { notes }: Sheet, version: number): Promise<boolean> {
    try {
      await this.#sheets.write(sheet, notes, version)
      await this.#sheets.load(pathOf(sheet))
      return true
    } catch (error) {
      if (!isConflict(error)) throw error
      return false
    }
  }

  // --- agents ---

  #openHandoff(card: Card): void {
    const sheet = this.#sheets.get(card.sheet)
    if (!sheet || !this.#writable(card)) return
    const dialog = this.#screen.querySelector('handoff-dialog')
    const { store } = this.#screen
    dialog?.open(card, store.agents.values(), sheet.session, (agent) => agentTitle(store, agent))
  }

  /** Starts an agent in the session of the card, with the card as its first prompt. */
  #startAgent(card: Card): void {
    const sheet = this.#sheets.get(card.sheet)
    if (!sheet || !this.#writable(card)) return
    const { text, description } = card
    this.#screen.querySelector('handoff-dialog')?.close()
    this.#screen.act('start-agent', {
      session: sheet.session,
      title: 'Start an agent on this task',
      prompt: description ? `${text}\n\n${description}` : text,
      stay: true,
      onSent: async ({ window, agent }, receipt) => {
        await this.#handoff.record(card, window.windowId, agent?.name ?? '', receipt)
        this.#screen.say(`Started an agent on “${card.text}”`)
      },
    } satisfies StartArgs)
  }

  async handOff({ card, agent, prompt }: HandoffDetail): Promise<void> {
    const dialog = this.#screen.querySelector('handoff-dialog')
    if (!dialog) return
    dialog.sending = true
    dialog.problem = ''
    try {
      await this.#handoff.send(card, agent, prompt)
      dialog.close()
      this.#screen.focusCard(card.key)
      this.#screen.say(`Handed off “${card.text}” to ${agent}`)
    } catch (error) {
      dialog.problem = messageOf(error)
    }
    dialog.sending = false
  }

  async answerDone(card: Card, done: boolean): Promise<void> {
    try {
      await this.#handoff.answerDone(card, done)
    } catch (error) {
      this.#showError(error)
    }
  }

  /** The work on a card that was handed off, else null. */
  work(card: Card, sheet: Sheet): Work | null {
    const link = sheet.handed[card.key]
    if (!link) return null
    const { store } = this.#screen
    const agents = agentsOf(link, store)
    const name = runName(card.key, link)
    if (agents.some(({ state }) => state !== 'idle')) this.#worked.add(name)
    const state = progress({ link, agents, worked: this.#worked.has(name), now: Date.now() })
    if (state === 'resting' && !link.declined) this.#checkLater(name)
    const title = titleByKey(store, link.window) ?? agents[0]?.name ?? link.agent ?? 'a window'
    return { link, state, title, alive: store.savedWindows.get(link.window)?.alive ?? false }
  }

  #checkLater(name: string): void {
    if (this.#checks.has(name)) return
    const check = () => {
      this.#checks.delete(name)
      this.#screen.requestUpdate()
    }
    this.#checks.set(name, setTimeout(check, UNSEEN_TURN_MS))
  }

  // --- conflicts ---

  /** Resolves the conflict: `again` is the change to make anyway, or null. */
  settle({ sheet }: BoardClash, again: Change | null): void {
    this.#screen.clash = null
    if (again) void this.#change(sheet, again)
  }

  /** Returns false if the change failed; the reason is shown. */
  async #change(sheet: string, change: Change): Promise<boolean> {
    try {
      await this.#sheets.change(sheet, change)
      return true
    } catch (error) {
      if (error instanceof Clash) this.#showConflict(sheet, error)
      else this.#showError(error)
      return false
    }
  }

  #showConflict(sheet: string, { change, gone, theirs }: Clash): void {
    if (gone && change.kind !== 'edit') {
      return this.#screen.services.toast({ text: `“${change.was}” was removed by someone else.` })
    }
    const status = cardOf(this.#screen.board, change.key)?.status ?? 'NS'
    const again: Change =
      gone && change.kind === 'edit' ? { kind: 'add', text: change.text, status } : repeated(change, theirs)
    this.#screen.clash = { sheet, change, gone, theirs, again }
  }

  #showError(error: unknown): void {
    this.#screen.services.toast({ tone: 'bad', text: messageOf(error) })
  }

  #writable(card: Card): boolean {
    return this.#sheets.get(card.sheet)?.source === 'local'
  }
}

/** The change once more, made after having seen the current text. */
function repeated(change: KeyedChange, theirs: string): KeyedChange {
  return change.kind === 'describe' ? { ...change, wasDescription: theirs } : { ...change, was: theirs }
}

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim()
