// What a person does on a board, made into changes of sheets; failures are told, clashes asked about.
import { allWindows, windowTitle } from '../page/workspace.js'
import { cardOf, heir } from './columns.js'
import { agentsOf, progress, stretch, UNSEEN_TURN_MS } from './handed.js'
import { Handing } from './handing.js'
import { Clash, pathOf } from './sheets.js'
import { LABELS } from './tasks.js'

export class BoardHands {
  clash = null // what must be asked: {change, gone, theirs, again}
  #screen
  #sheets
  #handing
  #worked = new Set() // stretches of work that were seen
  #awaited = new Set() // those that a timer will look at again

  constructor(screen, sheets) {
    this.#screen = screen
    this.#sheets = sheets
    this.#handing = new Handing(screen.services, sheets)
  }

  choose({ what, card, ...given }) { this.#deeds[what](card, given) }

  #deeds = {
    edit: (card) => { if (this.#writable(card)) this.#screen.beginEditing(card) },
    add: (card) => this.#screen.beginAdding(card.status),
    filter: () => this.#screen.filter(),
    hand: (card) => this.#offer(card),
    move: (card, { status, before = null }) => this.#move(card, status, before),
    remove: (card) => this.#remove(card),
  }

  /** Of a card that was dropped. */
  place({ key, status, before }) {
    const card = cardOf(this.#screen.board, key)
    if (card) this.#move(card, status, before)
  }

  menu(card, button) { this.#screen.querySelector('task-menu').open(card, button) }

  open(window) { this.#screen.act('go', { place: { view: 'terminal', key: window, project: '' } }) }

  // --- texts ---

  /** The end of an edit: null where it was given up. Comes twice: by the key, and as the field goes. */
  edited(value) {
    const { editing } = this.#screen
    if (!editing) return
    this.#screen.editing = null
    this.#screen.focusCard(editing.key)
    const text = oneLine(value ?? '')
    if (text && text !== editing.was) this.#do(editing.sheet, { kind: 'edit', key: editing.key, text, was: editing.was })
  }

  addKey(event) {
    event.stopPropagation()
    if (event.isComposing) return
    if (event.key === 'Enter') this.added(event)
    else if (event.key === 'Escape') this.#screen.adding = null
  }

  /** The field stays for the next one. */
  added(event) {
    event.preventDefault()
    const { adding } = this.#screen
    const field = this.#screen.querySelector('.task-new textarea')
    const text = oneLine(field.value)
    if (!text) return
    field.value = ''
    field.focus()
    this.#do(adding.sheet, { kind: 'add', text, status: adding.status })
  }

  // --- places ---

  #move(card, status, before) {
    if (!this.#writable(card)) return
    this.#do(card.sheet, { kind: 'move', key: card.key, status, before, was: card.text })
    this.#screen.say(`“${card.text}” is in ${LABELS[status]}`)
  }

  async #remove(card) {
    if (!this.#writable(card)) return
    const next = heir(this.#screen.board, card.key)
    const before = this.#sheets.get(card.sheet)
    const gone = this.#do(card.sheet, { kind: 'remove', key: card.key, was: card.text })
    this.#screen.focusCard(next)
    if (!await gone) return
    const { version } = this.#sheets.get(card.sheet)
    const undo = { title: 'Undo', run: () => this.#restore(card, before, version) }
    this.#screen.services.toast({ text: `Deleted “${card.text}”`, undo })
  }

  /** Byte for byte where nobody wrote meanwhile; else the task alone, at its place. */
  async #restore(card, before, version) {
    try {
      if (version !== before.version + 1) throw Object.assign(new Error('changed meanwhile'), { code: 'conflict' })
      await this.#sheets.write(card.sheet, before.notes, version)
      await this.#sheets.load(pathOf(card.sheet))
    } catch (problem) {
      if (problem.code !== 'conflict') throw problem
      const next = before.tasks[before.tasks.findIndex((task) => task.key === card.key) + 1]
      await this.#do(card.sheet, { kind: 'add', text: card.text, status: card.status, before: next?.key ?? null })
    }
  }

  // --- agents ---

  #offer(card) {
    if (!this.#writable(card)) return
    const { session } = this.#sheets.get(card.sheet)
    this.#screen.querySelector('hand-dialog').open(card, this.#screen.store.agents.values(), session)
  }

  async hand({ card, agent, prompt }) {
    const dialog = this.#screen.querySelector('hand-dialog')
    dialog.sending = true
    dialog.problem = ''
    try {
      await this.#handing.hand(card, agent, prompt)
      dialog.close()
      this.#screen.focusCard(card.key)
      this.#screen.say(`“${card.text}” was handed to ${agent}`)
    } catch (problem) {
      dialog.problem = problem.message
    }
    dialog.sending = false
  }

  judge(card, done) { return this.#guarded(this.#handing.judge(card, done)) }

  /** {link, title, state} of a card that a window works on; null for others. */
  work(card, sheet) {
    const link = sheet.handed[card.key]
    if (!link) return null
    const { store } = this.#screen
    const agents = agentsOf(link, store)
    const name = stretch(card.key, link)
    if (agents.some(({ state }) => state !== 'idle')) this.#worked.add(name)
    const state = progress({ link, agents, worked: this.#worked.has(name), now: Date.now() })
    if (state === 'resting' && !link.declined) this.#lookAgain(name)
    return { link, state, title: agents[0]?.name ?? windowName(link, store) }
  }

  #lookAgain(name) {
    if (this.#awaited.has(name)) return
    this.#awaited.add(name)
    setTimeout(() => {
      this.#awaited.delete(name)
      this.#screen.update()
    }, UNSEEN_TURN_MS)
  }

  // --- clashes ---

  /** The person has chosen: `again` is the change to make after all, or null. */
  settle(again) {
    const { sheet } = this.clash
    this.clash = null
    this.#screen.update()
    if (again) this.#do(sheet, again)
  }

  async #do(sheet, change) {
    try {
      await this.#sheets.change(sheet, change)
      return true
    } catch (problem) {
      if (problem instanceof Clash) this.#ask(sheet, problem)
      else this.#screen.services.toast({ tone: 'bad', text: problem.message })
      return false
    }
  }

  #ask(sheet, { change, gone, theirs }) {
    if (gone && change.kind !== 'edit') {
      return this.#screen.services.toast({ text: `“${change.was}” was removed by somebody else meanwhile` })
    }
    const status = cardOf(this.#screen.board, change.key)?.status ?? 'NS'
    const again = gone ? { kind: 'add', text: change.text, status } : { ...change, was: theirs }
    this.clash = { sheet, change, gone, theirs, again }
    this.#screen.update()
  }

  async #guarded(promise) {
    await promise.catch((problem) => this.#screen.services.toast({ tone: 'bad', text: problem.message }))
  }

  #writable(card) { return this.#sheets.get(card.sheet)?.source === 'local' }
}

const oneLine = (text) => text.replace(/\s*\n\s*/g, ' ').trim()

function windowName(link, store) {
  const window = allWindows(store).find((each) => each.key === link.window)
  return window ? windowTitle(window) : store.facts.get(link.window)?.windowName ?? 'a window'
}
