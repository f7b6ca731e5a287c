// What a change of agents means to a person who looks elsewhere: one began to wait, or has finished.
// Pure; who is told of it, and whether, is notifier.js.

// The pages of one browser hear of a change within moments of each other; an agent that asks the
// same again takes longer than that.
export const SAME_MS = 4_000

/** `[{kind, agent}]` between two states of the agents (name → Agent). News of the first look is none. */
export function happenings(before, after) {
  const found = []
  for (const agent of after.values()) {
    const last = before.get(agent.name)
    if (!last) continue
    if (agent.state === 'waiting' && (last.state !== 'waiting' || last.question !== agent.question)) found.push({ kind: 'waiting', agent })
    if (agent.state === 'idle' && last.state === 'working') found.push({ kind: 'finished', agent })
  }
  return found
}

export function idOf({ kind, agent }) {
  return [kind, agent.name, agent.paneId, agent.question].join('\n')
}

export function wordsOf({ kind, agent }) {
  return kind === 'waiting'
    ? { title: `${agent.name} waits for an answer`, body: agent.question }
    : { title: `${agent.name} has finished`, body: agent.workDir }
}
