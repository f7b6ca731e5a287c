import { afterEach, expect, test, vi } from 'vitest'
import { agentOf } from '../core/samples'
import { RequestError } from '../core/socket'
import { KEY_LIFE_MS } from './drafts'
import { GroupDelivery, type PromptSocket } from './group-delivery'

const RECEIPT = { attempts: 1, turnStarted: true, ms: 90 }
const windows = ['a', 'b', 'c'].map((windowName, index) => ({
  session: 'work',
  project: 'work',
  windowName,
  windowIndex: index,
  agents: windowName === 'c' ? [] : [agentOf(windowName)],
}))

/** A socket that calls `respond` for each request, and keeps the keys. */
function socketOf(respond: (agent: string) => unknown): PromptSocket & { keys: string[] } {
  const keys: string[] = []
  return {
    keys,
    request: async (_type: string, { agent, key }: { agent: string; key?: string }) => {
      keys.push(`${agent} ${key}`)
      const result = respond(agent)
      if (result instanceof Error) throw result
      return { receipt: RECEIPT }
    },
  } as unknown as PromptSocket & { keys: string[] }
}

const phases = ({ recipients }: GroupDelivery) => recipients.map(({ agent, phase }) => `${agent} ${phase}`)

afterEach(() => vi.useRealTimers())

test('every agent has its own result, and windows without an agent are skipped', async () => {
  const refusal = new RequestError('busy', { ok: false, type: 'send-prompt', error: 'busy' } as never)
  const delivery = new GroupDelivery(
    windows,
    socketOf((agent) => (agent === 'b' ? refusal : null)),
  )
  expect(delivery.skipped).toEqual(['work · c'])
  expect(phases(delivery)).toEqual(['a ready', 'b ready'])
  await delivery.send('hello')
  expect(phases(delivery)).toEqual(['a sent', 'b refused'])
  expect(delivery.recipients.map(({ text }) => text)).toEqual(['Submitted, turn started · 90 ms', 'busy'])
})

test('a retry reaches only those without the prompt; a lost response keeps its key', async () => {
  let isLost = true
  const socket = socketOf((agent) => (agent === 'b' && isLost ? new Error('connection lost') : null))
  const delivery = new GroupDelivery(windows, socket)
  await delivery.send('hello')
  expect(phases(delivery)).toEqual(['a sent', 'b unknown'])
  isLost = false
  await delivery.send('hello')
  expect(phases(delivery)).toEqual(['a sent', 'b sent'])
  const [, first, second] = socket.keys
  expect(socket.keys).toHaveLength(3)
  expect(second).toBe(first)
})

test('a refused prompt is retried with a new key', async () => {
  const refusal = new RequestError('busy', { ok: false, type: 'send-prompt', error: 'busy' } as never)
  const socket = socketOf(() => refusal)
  const delivery = new GroupDelivery(windows.slice(0, 1), socket)
  await delivery.send('hello')
  await delivery.send('hello')
  expect(new Set(socket.keys).size).toBe(2)
})

test('an unknown result is not retried after the server has forgotten the key', async () => {
  vi.useFakeTimers()
  const socket = socketOf(() => new Error('connection lost'))
  const delivery = new GroupDelivery(windows.slice(0, 1), socket)
  await delivery.send('hello')
  vi.advanceTimersByTime(KEY_LIFE_MS)
  await delivery.send('hello')
  expect(socket.keys).toHaveLength(1)
  expect(phases(delivery)).toEqual(['a refused'])
})
