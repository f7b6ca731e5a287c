// Actions of agents; registered in shell/actions.
import { part } from '../core/api'
import { messageOf } from '../core/events'
import type { ExplainOut } from '../core/generated/api'
import { sentence } from '../core/sentence'
import type { Action, Services } from '../core/services'
import type { Store } from '../core/store'
import { addressOf, allWindows, windowTitle } from '../core/workspace'
import { answer, wantsText } from './answers'
import { deliver, type Order } from './deliveries'
import { startAgent } from './start-actions'
import { nextWaiting, targetOf } from './target'

/** What `answer-bar` sends: the chosen option of an agent. */
type Choice = {
  agent: string
  number: number
  label: string
  question: string
  reason?: string
  windowId: string
}
/** What `agent-why` sends: whom to explain, and where to show it. */
type Explanation = { agent: string; show(explained: ExplainOut | null, problem: string): void }

const hasTarget = (store: Store) => targetOf(store) !== null

const sendPrompt: Action<Order> = { name: 'send-prompt', title: 'Send prompt', hidden: true, run: deliver }
const typePrompt: Action<Order> = {
  name: 'type-prompt',
  title: 'Type prompt without sending',
  hidden: true,
  run: deliver,
}
const answerAgent: Action<Choice> = {
  name: 'answer-agent',
  title: 'Answer agent',
  hidden: true,
  run: sendAnswer,
}

const explainAgent: Action<Explanation> = {
  name: 'explain-agent',
  title: 'Why this state?',
  hidden: true,
  run: explain,
}

export const actions: Action<never>[] = [
  startAgent,
  sendPrompt,
  typePrompt,
  answerAgent,
  explainAgent,
  { name: 'focus-composer', title: 'Write prompt', keys: 'c', needs: hasTarget, run: focusComposer },
  {
    name: 'attach',
    title: 'Attach file to prompt',
    needs: hasTarget,
    run: (page) => focusComposer(page).attach(),
  },
  { name: 'speak', title: 'Dictate prompt', needs: hasTarget, run: (page) => focusComposer(page).listen() },
  {
    name: 'prompt-history',
    title: 'Earlier prompts',
    needs: hasTarget,
    run: (page) => focusComposer(page).openHistory(),
  },
  {
    name: 'next-waiting',
    title: 'Next waiting agent',
    keys: 'w',
    needs: (store) => nextWaiting(store) !== null,
    run: goToWaiting,
  },
  { name: 'interrupt', title: interruptTitle, needs: hasTarget, run: interrupt },
]

/** Opens the composer after an option that asks the user for instructions. */
async function sendAnswer(
  page: Services,
  { agent, number, label, question, reason = '', windowId }: Choice,
): Promise<void> {
  if (!(await answer(page.socket, { agent, number, question, reason }))) return
  if (reason || !wantsText(label)) return
  const window = allWindows(page.store).find((each) => each.windowId === windowId)
  if (!window) return
  page.go({ view: 'terminal', key: addressOf(window), project: '' })
  page.elements.composer.focusSoon()
}

async function explain({ api }: Services, { agent, show }: Explanation): Promise<void> {
  try {
    show(await api<ExplainOut>('GET', `/agents/${part(agent)}/explain`), '')
  } catch (error) {
    show(null, sentence(messageOf(error)))
  }
}

function focusComposer({ store, go, elements }: Services): Services['elements']['composer'] {
  if (store.place.view !== 'terminal') go({ view: 'terminal' })
  elements.composer.focusSoon()
  return elements.composer
}

function goToWaiting({ store, go, toast }: Services): void {
  const window = nextWaiting(store)
  if (window) go({ view: 'terminal', key: addressOf(window), project: '' })
  else toast({ text: 'No other agent is waiting.' })
}

function interruptTitle(store: Store): string {
  const agent = targetOf(store)?.agent
  return agent ? `Interrupt ${agent.runtime} (Escape)` : 'Interrupt program (Ctrl+C)'
}

async function interrupt({ store, api, confirm }: Services): Promise<void> {
  const target = targetOf(store)
  if (!target) return
  const { pane, agent, window } = target
  const who = agent ? agent.runtime : 'the program'
  const text = `This stops its work in ${windowTitle(window)}.`
  if (!(await confirm({ title: `Interrupt ${who}?`, text, verb: 'Interrupt' }))) return
  await api('POST', `/panes/${part(pane.slice(1))}/keys`, { keys: [agent ? 'Escape' : 'C-c'] })
}
