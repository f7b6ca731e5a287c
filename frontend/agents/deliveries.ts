// Prompts being delivered, by window, and their drafts.
import { type Api, part } from '../core/api'
import { messageOf } from '../core/events'
import type { PromptRequest, ReceiptOut } from '../core/generated/socket'
import { load, save } from '../core/memory'
import { RequestError } from '../core/socket'
import { type Draft, type Drafts, edited, freshKey, isExpired, keyFor, NO_DRAFT, withDraft } from './drafts'
import { addEntry, type Entry } from './history'
import { Ledger } from './ledger'

/** What is sent where: the arguments of the actions. Without an agent, `agent` is empty. */
export type Order = {
  address: string
  agent: string
  pane: string
  text: string
  submit: boolean
}

/** Phase `unknown`: the connection was lost, and the same key will return the result. */
export interface Delivery {
  phase: 'typing' | 'done' | 'failed' | 'unknown'
  text: string
  order: Order
  receipt: ReceiptOut | null
  error: string
}
/** The parts of the services that are used here. */
interface Sender {
  socket: { request(type: 'send-prompt', fields: PromptRequest): Promise<{ receipt: ReceiptOut }> }
  api: Api
}

const TOO_LATE = 'The connection was lost for too long to confirm delivery. Check the agent before you retry.'

export const deliveries = new Ledger<Delivery>()
// The drafts of this page, also for windows without a key.
export const drafts = new Ledger<Draft>(200)

const storedDrafts = () => load<Drafts>('drafts', {})

/** The stored prompts, newest first. */
export const prompts = () => load<readonly Entry[]>('prompts', [])

export function draftOf(address: string): Draft {
  return drafts.get(address) ?? storedDrafts()[address] ?? NO_DRAFT
}

export function saveDraft(address: string, draft: Draft): void {
  if (draft === draftOf(address)) return
  // After a restart of tmux an id belongs to another window: such a draft is not stored.
  if (!address.startsWith('@')) save('drafts', withDraft(storedDrafts(), address, draft))
  drafts.put(address, draft)
}

/**
 * A prompt to an agent has a receipt; text for a plain pane, or text that is only typed, has none. The
 * draft is removed only after delivery is confirmed.
 */
export async function deliver({ socket, api }: Sender, order: Order): Promise<void> {
  const { address, text } = order
  if (!text.trim() || deliveries.get(address)?.phase === 'typing') return
  deliveries.put(address, { phase: 'typing', text, order, receipt: null, error: '' })
  const isPrompt = order.agent !== '' && order.submit
  try {
    const receipt = isPrompt ? await prompt(socket, order) : await type(api, order)
    deliveries.put(address, { phase: 'done', text, order, receipt, error: '' })
    const draft = draftOf(address)
    if (draft.text === text) saveDraft(address, NO_DRAFT)
    save('prompts', addEntry(prompts(), { text, address, at: Date.now() }))
  } catch (error) {
    const isRefused = error instanceof RequestError && error.answer.type !== undefined
    fail(order, messageOf(error), isPrompt && !isRefused)
  }
}

/** After a known failure a retry uses a new key; with an unknown result it keeps the key. */
function fail(order: Order, error: string, unknown: boolean): void {
  const { address, text } = order
  if (!unknown) saveDraft(address, { ...draftOf(address), sent: null })
  deliveries.put(address, { phase: unknown ? 'unknown' : 'failed', text, order, receipt: null, error })
}

/** Checks all deliveries with an unknown result, after a reconnect. */
export function checkUnknown(sender: Sender): void {
  for (const [, { order }] of deliveries.filter(({ phase }) => phase === 'unknown')) {
    const { text, sent } = draftOf(order.address)
    if (text !== order.text || !sent) deliveries.drop(order.address)
    else if (isExpired(sent, Date.now())) fail(order, TOO_LATE, false)
    else void deliver(sender, order)
  }
}

async function prompt(socket: Sender['socket'], { address, agent, text }: Order): Promise<ReceiptOut> {
  const draft = edited(draftOf(address), text)
  const now = Date.now()
  const key = keyFor(draft, agent, now, freshKey)
  const sentAt = draft.sent?.key === key ? draft.sent.at : now
  saveDraft(address, { ...draft, sent: { key, at: sentAt, name: agent } })
  const { receipt } = await socket.request('send-prompt', { agent, prompt: text, key })
  return receipt
}

async function type(api: Api, { pane, text, submit }: Order): Promise<null> {
  await api('POST', `/panes/${part(pane.slice(1))}/send`, { text, submit })
  return null
}
