// Hands off a task to an agent and records it: sends the prompt once, however often it is retried.
import { part } from '../core/api'
import type { HandedReceipt } from '../core/generated/api'
import type { Services } from '../core/services'
import { RequestError } from '../core/socket'
import type { Card } from './columns'
import { pathOf, type Sheets } from './sheets'

const NO_ATTEMPT = { content: '', key: '' }

export class Handoff {
  #services: Services
  #sheets: Sheets
  #attempt = NO_ATTEMPT

  constructor(services: Services, sheets: Sheets) {
    this.#services = services
    this.#sheets = sheets
  }

  async send(card: Card, agent: string, prompt: string): Promise<void> {
    const window = this.#services.store.agents.get(agent)?.windowId
    if (!window) throw new Error(`${agent} is no longer running. Choose another agent.`)
    const receipt = await this.#sendPrompt(card, agent, prompt)
    await this.record(card, window, agent, receipt)
    this.#attempt = NO_ATTEMPT
  }

  /** Links the card to the window of an agent that has got its prompt. */
  record(card: Card, window: string, agent: string, receipt: HandedReceipt): Promise<void> {
    const { id, turnStarted, attempts, ms } = receipt
    const body = { window, agent, receipt: { id, turnStarted, attempts, ms } }
    return this.#sheets.call(card.sheet, 'PUT', this.#path(card), body)
  }

  answerDone(card: Card, done: boolean): Promise<void> {
    return this.#sheets.call(card.sheet, 'PATCH', this.#path(card), { done })
  }

  /** If the response was lost, the same key returns its result; after a refusal a new key is used. */
  async #sendPrompt(card: Card, agent: string, prompt: string): Promise<HandedReceipt> {
    const content = JSON.stringify([card.key, agent, prompt])
    if (this.#attempt.content !== content) this.#attempt = { content, key: `task-${crypto.randomUUID()}` }
    try {
      const request = { agent, prompt, key: this.#attempt.key }
      const { receipt } = await this.#services.socket.request('send-prompt', request)
      return receipt
    } catch (error) {
      if (error instanceof RequestError && 'receipt' in error.answer && error.answer.receipt)
        this.#attempt = NO_ATTEMPT
      throw error
    }
  }

  #path(card: Card): string {
    return `${pathOf(card.sheet)}/tasks/${part(card.key)}/handed`
  }
}
