// @vitest-environment happy-dom
// The question that a window shows.
import { expect, test } from 'vitest'
import { agentOf, questionOf, shownPane, shownWindow } from '../core/samples'
import { Store } from '../core/store'
import { isLong } from './question-subject'
import { shownQuestion } from './questions'

function storeWith(...states: ('waiting' | 'idle')[]): Store {
  const store = new Store()
  store.place = { view: 'terminal', key: '@1', project: '' }
  const panes = states.map((_, index) => shownPane(index + 1))
  store.windows = new Map([['@1', shownWindow(1, { panes })]])
  store.agents = new Map(
    states.map((state, index) => {
      const name = `agent-${index + 1}`
      const question = state === 'waiting' ? questionOf(`Question ${index + 1}?`) : null
      return [name, agentOf(name, { state, question, paneId: `%${index + 1}` })]
    }),
  )
  return store
}

test('no question is shown while no agent waits', () => {
  expect(shownQuestion(storeWith('idle'))).toBeNull()
  expect(shownQuestion(new Store())).toBeNull()
})

test('the question of the focused pane comes first', () => {
  const store = storeWith('waiting', 'waiting', 'idle')
  expect(shownQuestion(store)).toMatchObject({ agent: { name: 'agent-1' }, others: 1 })
  store.pane = '%2'
  expect(shownQuestion(store)).toMatchObject({ agent: { name: 'agent-2' }, others: 1 })
  store.pane = '%3'
  expect(shownQuestion(store)).toMatchObject({ agent: { name: 'agent-1' }, others: 1 })
})

test('another question is another decision, also with the same words', () => {
  const store = storeWith('waiting')
  const before = shownQuestion(store)?.id
  expect(shownQuestion(store)?.id).toBe(before)
  const [asking] = store.agents.values()
  if (asking)
    store.agents.set(asking.name, { ...asking, question: questionOf('Question 1?', { id: 'next' }) })
  expect(shownQuestion(store)?.id).not.toBe(before)
})

test('a long command or change gets a button that shows all of it', () => {
  const long = (change: object) => isLong({ ...questionOf('Proceed?'), ...change })
  expect(isLong(null)).toBe(false)
  expect(long({ subject: 'make build' })).toBe(false)
  expect(long({ subject: 'x'.repeat(200) })).toBe(true)
  expect(long({ subject: '', diff: '-a\n+b' })).toBe(false)
  expect(long({ subject: '', diff: '-a\n+b\n+c' })).toBe(true)
})
