// Sends a task to an agent and notes that it has it: once, however often that is tried.
import { pathOf } from './sheets.js'
import { part } from '../page/api.js'

export class Handing {
  #services
  #sheets
  #tried = { of: '', key: '' }

  constructor(services, sheets) {
    this.#services = services
    this.#sheets = sheets
  }

  async hand(card, agent, prompt) {
    const { windowId } = this.#services.store.agents.get(agent) ?? {}
    if (!windowId) throw new Error(`${agent} is gone: choose another agent`)
    await this.#send(card, agent, prompt)
    await this.#sheets.ask(card.sheet, 'PUT', `${this.#path(card)}`, { window: windowId })
    this.#tried = { of: '', key: '' }
  }

  judge(card, done) { return this.#sheets.ask(card.sheet, 'PATCH', this.#path(card), { done }) }

  /** Where an answer was lost the same key asks what became of it; after a refusal a new one tries. */
  async #send(card, agent, prompt) {
    const of = JSON.stringify([card.key, agent, prompt])
    if (this.#tried.of !== of) this.#tried = { of, key: `task-${crypto.randomUUID()}` }
    try {
      await this.#services.socket.request('send-prompt', { agent, prompt, key: this.#tried.key })
    } catch (problem) {
      if (problem.answer?.receipt) this.#tried = { of: '', key: '' }
      throw problem
    }
  }

  #path(card) { return `${pathOf(card.sheet)}/tasks/${part(card.key)}/handed` }
}
