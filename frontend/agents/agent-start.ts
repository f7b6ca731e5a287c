// One start of an agent from the page: starts it, then sends the first prompt. Emits `change`. The element
// is start-agent.ts.
import { type Api, ApiError, part } from '../core/api'
import { messageOf, typedTarget } from '../core/events'
import type { DeliveredOut, ReceiptOut, StartedAgentOut } from '../core/generated/api'
import { sentence } from '../core/sentence'
import { freshKey } from './drafts'

/** `unsent`: it runs, but its prompt was not sent. `ended`: its window shows why. */
export type StartPhase = 'ready' | 'starting' | 'sending' | 'unsent' | 'ended' | 'done'

export interface StartOrder {
  runtime: string
  cwd: string
  session: string
  prompt: string
}
/** Records that the agent has got the prompt, for example on the card that it is about. */
export type OnSent = (started: StartedAgentOut, receipt: ReceiptOut) => Promise<unknown>

export class AgentStart extends typedTarget<{ change: null }>() {
  phase: StartPhase = 'ready'
  /** `field`: the name of the field that the problem is about, or an empty string. */
  problem = { text: '', field: '' }
  started: StartedAgentOut | null = null
  #api: Api
  #onSent: OnSent | null
  // The server returns the result of an earlier attempt with the same key, and sends nothing twice.
  #attempt = { prompt: '', key: '' }
  #receipt: ReceiptOut | null = null

  constructor(api: Api, onSent: OnSent | null = null) {
    super()
    this.#api = api
    this.#onSent = onSent
  }

  get isBusy(): boolean {
    return this.phase === 'starting' || this.phase === 'sending'
  }

  async start({ prompt, ...order }: StartOrder): Promise<void> {
    if (this.isBusy) return
    this.#set('starting')
    try {
      this.started = await this.#api<StartedAgentOut>('POST', '/agents/start', order)
    } catch (error) {
      const field = error instanceof ApiError ? error.field : ''
      return this.#set('ready', sentence(messageOf(error)), field)
    }
    const { ok, agent, error } = this.started
    if (!ok && !agent) return this.#set('ended', sentence(error))
    if (prompt.trim()) await this.send(prompt)
    else this.#set('done')
  }

  /** Sends the first prompt; the server waits until the agent is ready for it. */
  async send(prompt: string): Promise<void> {
    const { started } = this
    if (!started?.agent || this.phase === 'sending') return
    this.#set('sending')
    try {
      this.#receipt ??= await this.#deliver(started.agent.name, prompt)
      await this.#onSent?.(started, this.#receipt)
    } catch (error) {
      return this.#set('unsent', sentence(messageOf(error)))
    }
    this.#set('done')
  }

  async #deliver(agent: string, prompt: string): Promise<ReceiptOut> {
    if (this.#attempt.prompt !== prompt) this.#attempt = { prompt, key: freshKey() }
    const body = { prompt, key: this.#attempt.key }
    const { ok, receipt, error } = await this.#api<DeliveredOut>(
      'POST',
      `/agents/${part(agent)}/prompt`,
      body,
    )
    if (ok) return receipt
    this.#attempt = { prompt: '', key: '' }
    throw new Error(error)
  }

  #set(phase: StartPhase, text = '', field = ''): void {
    this.phase = phase
    this.problem = { text, field }
    this.dispatchEvent(new CustomEvent('change'))
  }
}
