// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConfirmDialog } from './confirm-dialog'

let element: ConfirmDialog

beforeEach(async () => {
  element = new ConfirmDialog()
  document.body.append(element)
  await element.updateComplete
})

afterEach(() => element.remove())

const title = () => element.querySelector('h2')?.textContent
const isOpen = () => element.querySelector('dialog')?.open
const field = (name: string) => element.querySelector<HTMLInputElement>(`[name=${name}]`)
const settled = () => new Promise((resolve) => setTimeout(resolve))

function submit(): void {
  element.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
}

function cancel(): void {
  element.querySelector<HTMLButtonElement>('button[type=button]')?.click()
}

test('a confirmation is true if it is submitted, and false if it is cancelled', async () => {
  const first = element.confirm({ title: 'Close?', verb: 'Close' })
  await settled()
  submit()
  expect(await first).toBe(true)
  expect(isOpen()).toBe(false)
  const second = element.confirm({ title: 'Close?', verb: 'Close' })
  await settled()
  cancel()
  expect(await second).toBe(false)
})

test('a second question waits for the answer of the first', async () => {
  const first = element.confirm({ title: 'First?', verb: 'Yes' })
  const second = element.ask({ title: 'Second?', label: 'Name', value: 'old', verb: 'Rename' })
  await settled()
  expect(title()).toBe('First?')
  cancel()
  expect(await first).toBe(false)
  await settled()
  expect(title()).toBe('Second?')
  expect(field('value')?.value).toBe('old')
  submit()
  expect(await second).toBe('old')
})

test('a form that fails stays open and shows the error', async () => {
  const run = vi.fn((values: Record<string, string>) => {
    if (values['name'] === 'bad') throw new Error('This name is taken.')
  })
  const answer = element.form({ title: 'New', verb: 'Start', fields: [{ name: 'name', label: 'Name' }], run })
  await settled()
  const input = field('name')
  if (input) input.value = 'bad'
  submit()
  await settled()
  expect(isOpen()).toBe(true)
  expect(element.querySelector('[role=alert]')?.textContent).toBe('This name is taken.')
  if (input) input.value = 'good'
  submit()
  expect(await answer).toEqual({ name: 'good' })
  expect(isOpen()).toBe(false)
})
