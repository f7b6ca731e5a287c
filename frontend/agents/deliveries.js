// Prompts on their way, by the window they go to: what is shown while it lasts and afterwards. An entry
// is `{phase, text, order, receipt, error}`; phase is typing, done, failed, or unknown: the connection
// was lost, and the same key will tell what became of it.
import { part } from '../page/api.js'
import { load, save } from '../page/memory.js'
import { NO_DRAFT, edited, freshKey, isForgotten, keyFor, withDraft } from './drafts.js'
import { remembered } from './history.js'
import { Ledger } from './ledger.js'

const TOO_LATE = 'the connection was away too long to know whether it arrived: look at the agent first'

export const deliveries = new Ledger()
export const drafts = new Ledger(200) // those of this page, also of windows without a key yet

export function draftOf(address) {
  return drafts.get(address) ?? load('drafts', {})[address] ?? NO_DRAFT
}

export function keepDraft(address, draft) {
  if (draft === draftOf(address)) return
  // An id of tmux's is another window's after a restart: such a draft lives as long as the page.
  if (!address.startsWith('@')) save('drafts', withDraft(load('drafts', {}), address, draft))
  drafts.put(address, draft)
}

/**
 * `order` is `{address, agent, pane, text, submit}`. To an agent it goes with a receipt; a plain pane,
 * and what is only typed, has none. The draft goes when it is known to have arrived, not before.
 */
export async function deliver({ socket, api }, order) {
  const { address, text } = order
  if (!text.trim() || deliveries.get(address)?.phase === 'typing') return
  deliveries.put(address, { phase: 'typing', text, order, receipt: null, error: '' })
  try {
    const receipt = order.agent && order.submit ? await prompt(socket, order) : await type(api, order)
    deliveries.put(address, { phase: 'done', text, order, receipt, error: '' })
    const draft = draftOf(address)
    if (draft.text === text) keepDraft(address, NO_DRAFT)
    save('prompts', remembered(load('prompts', []), { text, address, at: Date.now() }))
  } catch (problem) {
    fail(order, problem.message, order.agent && order.submit && !problem.answer?.type)
  }
}

/** A known failure may be tried again, and then it is another try; an unknown end keeps its key. */
function fail(order, error, unknown) {
  const { address, text } = order
  if (!unknown) keepDraft(address, { ...draftOf(address), sent: null })
  deliveries.put(address, { phase: unknown ? 'unknown' : 'failed', text, order, receipt: null, error })
}

/** The connection is back: ask for all whose end is not known. */
export function askAgain(services) {
  for (const [, { order }] of deliveries.filter(({ phase }) => phase === 'unknown')) {
    const { text, sent } = draftOf(order.address)
    if (text !== order.text || !sent) deliveries.drop(order.address)
    else if (isForgotten(sent, Date.now())) fail(order, TOO_LATE, false)
    else deliver(services, order)
  }
}

async function prompt(socket, { address, agent, text }) {
  const draft = edited(draftOf(address), text)
  const now = Date.now()
  const key = keyFor(draft, agent, now, freshKey)
  const at = draft.sent?.key === key ? draft.sent.at : now
  keepDraft(address, { ...draft, sent: { key, at, name: agent } })
  const { receipt } = await socket.request('send-prompt', { agent, prompt: text, key })
  return receipt
}

async function type(api, { pane, text, submit }) {
  await api('POST', `/panes/${part(pane.slice(1))}/send`, { text, submit })
  return null
}
