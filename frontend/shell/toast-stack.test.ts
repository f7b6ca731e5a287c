// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ToastStack } from './toast-stack'

let stack: ToastStack

beforeEach(() => {
  vi.useFakeTimers()
  stack = new ToastStack()
  document.body.append(stack)
})

afterEach(() => {
  stack.remove()
  vi.useRealTimers()
})

const texts = (role: string) =>
  [...stack.querySelectorAll(`[role=${role}] .toast p`)].map((line) => line.textContent)

function click(label: string): void {
  const button = [...stack.querySelectorAll('button')].find((each) => each.textContent.trim() === label)
  expect(button).toBeDefined()
  button?.click()
}

test('a message is announced as a status, an error as an alert', async () => {
  stack.show({ text: 'Saved.' })
  stack.show({ text: 'Not saved.', tone: 'bad' })
  await stack.updateComplete
  expect(texts('status')).toEqual(['Saved.'])
  expect(texts('alert')).toEqual(['Not saved.'])
})

test('a message disappears after a while, a longer one later', async () => {
  stack.show({ text: 'a' })
  stack.show({ text: 'b'.repeat(100) })
  await vi.advanceTimersByTimeAsync(6_000)
  expect(texts('status')).toEqual(['b'.repeat(100)])
  await vi.advanceTimersByTimeAsync(6_000)
  expect(texts('status')).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('only the newest four messages are shown', async () => {
  for (const text of ['1', '2', '3', '4', '5']) stack.show({ text })
  await stack.updateComplete
  expect(texts('status')).toEqual(['2', '3', '4', '5'])
})

test('undo runs once, and its failure is shown', async () => {
  const run = vi.fn(() => Promise.reject(new Error('It is gone.')))
  stack.show({ text: 'Closed.', undo: { title: 'Undo', run } })
  await stack.updateComplete
  click('Undo')
  await vi.advanceTimersByTimeAsync(0)
  expect(run).toHaveBeenCalledOnce()
  expect(texts('status')).toEqual([])
  expect(texts('alert')).toEqual(['It is gone.'])
})
