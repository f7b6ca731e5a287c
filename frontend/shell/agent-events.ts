// Which changes of agents deserve a notification: an agent started waiting, or finished. Pure; whether
// a notification is shown is decided in notifier.ts.
import { questionText } from '../agents/words'
import type { AgentOut } from '../core/generated/socket'

export interface AgentEvent {
  kind: 'waiting' | 'finished'
  agent: AgentOut
}

// The pages of one browser receive a change at nearly the same time; an agent that asks the same
// question again takes longer than this.
export const DUPLICATE_MS = 4_000

/** The events between two states of the agents (name → agent). A new agent causes no event. */
export function agentEvents(
  before: ReadonlyMap<string, AgentOut>,
  after: ReadonlyMap<string, AgentOut>,
): AgentEvent[] {
  const events: AgentEvent[] = []
  for (const agent of after.values()) {
    const previous = before.get(agent.name)
    if (!previous) continue
    const asks = previous.state !== 'waiting' || previous.question?.id !== agent.question?.id
    if (agent.state === 'waiting' && asks) events.push({ kind: 'waiting', agent })
    if (agent.state === 'idle' && previous.state === 'working') events.push({ kind: 'finished', agent })
  }
  return events
}

export function idOf({ kind, agent }: AgentEvent): string {
  return [kind, agent.name, agent.paneId, agent.question?.id ?? ''].join('\n')
}

/** `window`: the name of the window that the agent runs in. */
export function notificationText(
  { kind, agent }: AgentEvent,
  window: string,
): { title: string; body: string } {
  return kind === 'waiting'
    ? { title: `${window} is waiting for an answer`, body: questionText(agent.question) }
    : { title: `${window} finished`, body: agent.workDir }
}
