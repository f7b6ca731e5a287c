// What a person can do with agents; joined in page/actions.js.
import { part } from '../page/api.js'
import { addressOf, allWindows } from '../page/workspace.js'
import { answer, wantsWords } from './answers.js'
import { deliver } from './deliveries.js'
import { nextWaiting, targetOf } from './target.js'

const showsWindow = (store) => targetOf(store) !== null

export const actions = [
  { name: 'send-prompt', title: 'Send the prompt', hidden: true, run: deliver },
  { name: 'type-prompt', title: 'Type the prompt without sending it', hidden: true, run: deliver },
  { name: 'answer-agent', title: 'Answer an agent', hidden: true, run: answerAgent },
  { name: 'focus-composer', title: 'Write a prompt', keys: 'c', needs: showsWindow, run: focusComposer },
  { name: 'attach', title: 'Attach a file to the prompt', needs: showsWindow, run: (page) => atComposer(page, 'attach') },
  { name: 'speak', title: 'Speak the prompt', needs: showsWindow, run: (page) => atComposer(page, 'listen') },
  { name: 'prompt-history', title: 'Earlier prompts', needs: showsWindow, run: (page) => atComposer(page, 'openHistory') },
  { name: 'next-waiting', title: 'Next agent that waits', keys: 'w', needs: (store) => nextWaiting(store) !== null, run: goToWaiting },
  { name: 'interrupt', title: interruptTitle, needs: showsWindow, run: interrupt },
]

/** After "tell it what to do instead" the words are written in the composer. */
async function answerAgent(page, { agent, number, label, question, windowId }) {
  if (!await answer(page.socket, { agent, number, question }) || !wantsWords(label)) return
  const window = allWindows(page.store).find((one) => one.windowId === windowId)
  if (!window) return
  page.go({ view: 'terminal', key: addressOf(window), project: '' })
  page.elements.composer.focusSoon()
}

function focusComposer(page) {
  if (page.store.place.view !== 'terminal') page.go({ view: 'terminal' })
  page.elements.composer.focusSoon()
}

function atComposer(page, verb) {
  focusComposer(page)
  return page.elements.composer[verb]()
}

function goToWaiting({ store, go, toast }) {
  const window = nextWaiting(store)
  if (window) go({ view: 'terminal', key: addressOf(window), project: '' })
  else toast({ text: 'No other agent waits.' })
}

function interruptTitle(store) {
  const agent = targetOf(store)?.agent
  return agent ? `Interrupt ${agent.runtime} (Escape)` : 'Interrupt the program (Ctrl+C)'
}

async function interrupt({ store, api, confirm }) {
  const { pane, agent, window } = targetOf(store)
  const who = agent ? agent.runtime : 'the program'
  const where = `${window.project} · ${window.windowName}`
  if (!await confirm({ title: `Interrupt ${who}?`, text: `What it does in ${where} stops now.`, verb: 'Interrupt' })) return
  await api('POST', `/panes/${part(pane.slice(1))}/keys`, { keys: [agent ? 'Escape' : 'C-c'] })
}
