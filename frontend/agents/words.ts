// Texts about prompts and agents. Pure.
import type { AgentState, QuestionOut, ReceiptOut } from '../core/generated/socket'
import type { UrgentState } from '../core/workspace'
import type { Order } from './deliveries'

const COUNTED = ['waiting', 'working', 'idle'] as const satisfies readonly UrgentState[]

/** "Submitted, turn started · 812 ms" */
export function receiptText({
  order,
  receipt,
}: {
  order: Pick<Order, 'submit'>
  receipt: Pick<ReceiptOut, 'attempts' | 'turnStarted' | 'ms'> | null
}): string {
  if (!order.submit) return 'Typed, not submitted'
  if (!receipt) return 'Sent'
  const attempts = receipt.attempts > 1 ? ` · ${receipt.attempts} attempts` : ''
  return `Submitted${receipt.turnStarted ? ', turn started' : ''}${attempts} · ${duration(receipt.ms)}`
}

export function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** A duration in short form. */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 10) return 'just now'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

/** "waiting · 5 min"; without a duration in the first seconds. */
export function stateText(state: AgentState, since: number, now: number): string {
  const word = state === 'unknown' ? 'running' : state
  return now - since < 10_000 ? word : `${word} · ${ago(now - since)}`
}

/** "2 waiting · 3 working" */
export function countText(counts: Readonly<Record<UrgentState, number>>): string {
  const parts = COUNTED.filter((state) => counts[state]).map((state) => `${counts[state]} ${state}`)
  return parts.join(' · ')
}

/** One line for a notification or a title: the question with its command or path. */
export function questionText(question: QuestionOut | null): string {
  if (!question) return 'Waiting for an answer.'
  const about = question.subject || question.path
  return about ? `${question.title} ${about}` : question.title
}
