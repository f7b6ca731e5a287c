// One prompt for several agents: a result for each of them. Each agent has its own key, so that a retry
// after a lost connection never sends the prompt twice.
import { messageOf, typedTarget } from '../core/events'
import type { AgentOut, PromptRequest, ReceiptOut } from '../core/generated/socket'
import { RequestError } from '../core/socket'
import { type WindowRow, windowTitle } from '../core/workspace'
import { freshKey, isExpired, type Sent } from './drafts'
import { receiptText } from './words'

/** Phase `unknown`: the connection was lost; a retry asks for the result. */
export interface Recipient {
  readonly agent: string
  readonly title: string
  readonly runtime: string
  readonly phase: 'ready' | 'sending' | 'sent' | 'refused' | 'unknown'
  /** The receipt, or why the prompt was refused. */
  readonly text: string
}
export interface PromptSocket {
  request(type: 'send-prompt', fields: PromptRequest): Promise<{ receipt: ReceiptOut }>
}
type GroupedWindow = Pick<WindowRow, 'session' | 'project' | 'windowName' | 'windowIndex'> & {
  agents: readonly Pick<AgentOut, 'name' | 'runtime'>[]
}

// Prompts that are typed at the same time.
const CONCURRENT = 4
const TOO_LATE = 'The connection was lost for too long to confirm delivery. Check the agent before you retry.'

export class GroupDelivery extends typedTarget<{ change: null }>() {
  readonly recipients: Recipient[]
  /** Names of windows without an agent. */
  readonly skipped: readonly string[]
  #socket: PromptSocket
  // Attempts whose result is unknown, by agent.
  #attempts = new Map<string, Sent>()

  constructor(windows: readonly GroupedWindow[], socket: PromptSocket) {
    super()
    this.#socket = socket
    this.skipped = windows.filter(({ agents }) => agents.length === 0).map(windowTitle)
    this.recipients = windows.flatMap((window) =>
      window.agents.map(({ name, runtime }) => ({
        agent: name,
        title: windowTitle(window),
        runtime,
        phase: 'ready' as const,
        text: '',
      })),
    )
  }

  get isSending(): boolean {
    return this.recipients.some(({ phase }) => phase === 'sending')
  }

  /** Those that have not got the prompt yet. */
  get open(): Recipient[] {
    return this.recipients.filter(({ phase }) => phase !== 'sent' && phase !== 'sending')
  }

  /** Sends the prompt to all that have not got it. */
  async send(prompt: string): Promise<void> {
    const queue = this.open.map(({ agent }) => agent)
    for (const agent of queue) this.#set(agent, 'sending', '')
    const work = async () => {
      for (let agent = queue.shift(); agent; agent = queue.shift()) await this.#sendTo(agent, prompt)
    }
    await Promise.all(Array.from({ length: CONCURRENT }, work))
  }

  async #sendTo(agent: string, prompt: string): Promise<void> {
    const attempt = this.#attempts.get(agent) ?? { key: freshKey(), at: Date.now(), name: agent }
    const { key } = attempt
    if (isExpired(attempt, Date.now())) {
      this.#attempts.delete(agent)
      return this.#set(agent, 'refused', TOO_LATE)
    }
    this.#attempts.set(agent, attempt)
    try {
      const { receipt } = await this.#socket.request('send-prompt', { agent, prompt, key })
      this.#set(agent, 'sent', receiptText({ order: { submit: true }, receipt }))
    } catch (error) {
      const isRefused = error instanceof RequestError && error.answer.type !== undefined
      if (isRefused) this.#attempts.delete(agent)
      this.#set(agent, isRefused ? 'refused' : 'unknown', messageOf(error))
    }
  }

  #set(agent: string, phase: Recipient['phase'], text: string): void {
    const index = this.recipients.findIndex((recipient) => recipient.agent === agent)
    const recipient = this.recipients[index]
    if (recipient) this.recipients[index] = { ...recipient, phase, text }
    this.dispatchEvent(new CustomEvent('change'))
  }
}
