import { expect, test } from 'vitest'
import { type Api, ApiError } from '../core/api'
import type { StartedAgentOut } from '../core/generated/api'
import { AgentStart, type StartPhase } from './agent-start'

const ORDER = { runtime: 'claude', cwd: '/srv', session: '', prompt: 'hello' }
const STARTED = { ok: true, error: '', output: '', agent: { name: 'srv:1.0' } } as StartedAgentOut
const SENT = { ok: true, receipt: { id: 'r' }, error: '' }

/** Responds with these values in turn; errors are thrown. */
function apiOf(...responses: unknown[]): Api & { calls: [string, object | undefined][] } {
  const calls: [string, object | undefined][] = []
  const api = async (_method: string, path: string, body?: object) => {
    calls.push([path, body])
    const response = responses.shift()
    if (response instanceof Error) throw response
    return response
  }
  return Object.assign(api as Api, { calls })
}

function phasesOf(start: AgentStart): StartPhase[] {
  const phases: StartPhase[] = []
  start.addEventListener('change', () => phases.push(start.phase))
  return phases
}

test('the prompt is sent to the agent that was started', async () => {
  const api = apiOf(STARTED, SENT)
  const recorded: unknown[] = []
  const start = new AgentStart(api, async (started, receipt) => recorded.push(started, receipt))
  const phases = phasesOf(start)
  await start.start(ORDER)
  expect(phases).toEqual(['starting', 'sending', 'done'])
  expect(api.calls.map(([path]) => path)).toEqual(['/agents/start', '/agents/srv%3A1.0/prompt'])
  expect(api.calls[0]?.[1]).not.toHaveProperty('prompt')
  expect(recorded).toEqual([STARTED, SENT.receipt])
})

test('without a prompt nothing is sent', async () => {
  const api = apiOf(STARTED)
  const start = new AgentStart(api)
  await start.start({ ...ORDER, prompt: ' ' })
  expect([start.phase, api.calls.length]).toEqual(['done', 1])
})

test('a refusal names its field, and nothing has started', async () => {
  const start = new AgentStart(apiOf(new ApiError('there is no directory /srv', 422, 'invalid', 'cwd')))
  await start.start(ORDER)
  expect([start.phase, start.started]).toEqual(['ready', null])
  expect(start.problem).toEqual({ text: 'There is no directory /srv.', field: 'cwd' })
})

test('a program that has ended gets no prompt', async () => {
  const api = apiOf({ ...STARTED, ok: false, agent: null, error: 'Claude Code ended with status 3' })
  const start = new AgentStart(api)
  await start.start(ORDER)
  expect([start.phase, api.calls.length]).toEqual(['ended', 1])
})

test('a prompt that was refused is sent again with another key, one without an answer with the same', async () => {
  const refused = { ...SENT, ok: false, error: 'it waits for an answer' }
  const api = apiOf(STARTED, refused, new Error('Cannot reach the server.'), SENT)
  const start = new AgentStart(api)
  await start.start(ORDER)
  expect([start.phase, start.problem.text]).toEqual(['unsent', 'It waits for an answer.'])
  await start.send('hello')
  expect(start.phase).toBe('unsent')
  await start.send('hello')
  expect(start.phase).toBe('done')
  const [first, second, third] = api.calls.slice(1).map(([, body]) => (body as { key: string }).key)
  expect(second).not.toBe(first)
  expect(third).toBe(second)
})

test('a card that could not be linked is linked again without sending the prompt twice', async () => {
  const api = apiOf(STARTED, SENT)
  let attempts = 0
  const start = new AgentStart(api, async () => {
    attempts += 1
    if (attempts === 1) throw new Error('the task is gone')
  })
  await start.start(ORDER)
  expect(start.phase).toBe('unsent')
  await start.send('hello')
  expect([start.phase, attempts, api.calls.length]).toEqual(['done', 2, 2])
})
