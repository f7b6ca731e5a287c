// Answers being sent to agents, in one place, so that the sidebar, the header and the deck show the
// same.
import { messageOf } from '../core/events'
import type { AgentOut, AnswerRequest } from '../core/generated/socket'
import { Ledger } from './ledger'

export interface Answer {
  question: string // its id
  number: number
  phase: 'pending' | 'done' | 'failed'
  error: string
}

/** The part of core/socket that is used here. */
interface AnswerSocket {
  request(type: 'answer-agent', fields: AnswerRequest): Promise<unknown>
}

// How long an answer counts as given. Then the buttons work again: the agent may ask the same twice.
const DONE_MS = 3_000
const FAILED_MS = 20_000 // long enough to read
const WANTS_TEXT =
  /\btell (?:\S+ ){1,3}what\b|\bsuggest changes\b|\btype something\b|\bsomething else\b|\bwith feedback\b/i

export const answers = new Ledger<Answer>()

/** Sends the answer and keeps its state. Returns true if the screen shows that it was accepted. */
export async function answer(
  socket: AnswerSocket,
  {
    agent,
    number,
    question,
    reason = '',
  }: { agent: string; number: number; question: string; reason?: string },
): Promise<boolean> {
  if (answers.get(agent)?.phase === 'pending') return false
  const entry = { question, number, error: '' }
  answers.put(agent, { ...entry, phase: 'pending' })
  try {
    await socket.request('answer-agent', { agent, answer: String(number), question, reason })
  } catch (error) {
    show(agent, { ...entry, phase: 'failed', error: messageOf(error) }, FAILED_MS)
    return false
  }
  show(agent, { ...entry, phase: 'done' }, DONE_MS)
  return true
}

function show(agent: string, entry: Answer, ms: number): void {
  answers.put(agent, entry)
  setTimeout(() => {
    if (answers.get(agent) === entry) answers.drop(agent)
  }, ms)
}

/** The entry for the current question of an agent; of an older question only a failure. */
export function answerFor(agent: Pick<AgentOut, 'name' | 'question'>): Answer | null {
  const entry = answers.get(agent.name)
  return entry?.question === (agent.question?.id ?? '') || entry?.phase === 'failed' ? entry : null
}

/** Whether the agent expects instructions after this option. */
export function wantsText(label: string): boolean {
  return WANTS_TEXT.test(label)
}
