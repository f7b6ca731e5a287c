// Answers on their way to agents, in one place, so that the rail, the header and the deck show the
// same. An entry is `{question, number, phase, error}`; phase is pending, done or failed.
import { Ledger } from './ledger.js'

// Until the agent is told to do something else. Then the buttons work again: it may ask the same twice.
const DONE_MS = 3_000
const FAILED_MS = 20_000 // to be read
const WANTS_WORDS = /\btell (?:\S+ ){1,3}what\b|\bsuggest changes\b|\btype something\b|\bsomething else\b|\bwith feedback\b/i

export const answers = new Ledger()

/** Sends it, and keeps what became of it. True if the screen shows that it was taken. */
export async function answer(socket, { agent, number, question }) {
  if (answers.get(agent)?.phase === 'pending') return false
  const entry = { question, number, error: '' }
  answers.put(agent, { ...entry, phase: 'pending' })
  try {
    await socket.request('answer-agent', { agent, answer: String(number), question })
  } catch (problem) {
    show(agent, { ...entry, phase: 'failed', error: problem.message }, FAILED_MS)
    return false
  }
  show(agent, { ...entry, phase: 'done' }, DONE_MS)
  return true
}

function show(agent, entry, ms) {
  answers.put(agent, entry)
  setTimeout(() => { if (answers.get(agent) === entry) answers.drop(agent) }, ms)
}

/** What there is to say about this agent's question; of an answer to another one only that it failed. */
export function answerFor(agent) {
  const entry = answers.get(agent.name)
  return entry?.question === agent.question || entry?.phase === 'failed' ? entry : null
}

/** An option after which the agent wants to read what to do instead. */
export function wantsWords(label) { return WANTS_WORDS.test(label) }
