// What is said of prompts, answers and agents, in words. Pure.

/** "submitted, turn started · 812 ms" */
export function receiptWords({ order, receipt }) {
  if (!order.submit) return 'typed, not submitted'
  if (!receipt) return 'sent'
  const tries = receipt.attempts > 1 ? ` · ${receipt.attempts} tries` : ''
  return `submitted${receipt.turnStarted ? ', turn started' : ''}${tries} · ${duration(receipt.ms)}`
}

export function duration(ms) {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** How long ago, in one word or two. */
export function ago(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 10) return 'just now'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

/** "waiting · 5 min"; what has just begun needs no time. */
export function stateWords(state, since, now) {
  const word = state === 'unknown' ? 'running' : state
  return since === null || now - since < 10_000 ? word : `${word} · ${ago(now - since)}`
}

/** "2 waiting · 3 working" */
export function counted(counts) {
  const told = ['waiting', 'working', 'idle'].filter((state) => counts[state]).map((state) => `${counts[state]} ${state}`)
  return told.join(' · ')
}
