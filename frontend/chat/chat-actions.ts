// Actions of chats and timelines; registered in shell/actions.
import { part } from '../core/api'
import { copy } from '../core/clipboard'
import type { MessagesPageOut } from '../core/generated/api'
import type { Action, Services } from '../core/services'
import type { Store } from '../core/store'
import { addressOf, currentWindow } from '../core/workspace'
import { conversationText } from './conversation-text'

const LARGEST_PAGE = 500
const projectOf = (store: Store) => store.place.project || currentWindow(store)?.project || ''

export const actions: Action[] = [
  {
    name: 'open-chat',
    title: 'Chat for this window',
    needs: (store) => currentWindow(store) !== null,
    run: openChat,
  },
  {
    name: 'find-in-chat',
    title: 'Search chat of this window',
    needs: (store) => store.place.key !== '',
    run: ({ store, go }) => go({ view: 'chat', key: store.place.key, project: '', at: 'find' }),
  },
  {
    name: 'open-timeline',
    title: 'Timeline for this project',
    needs: (store) => projectOf(store) !== '',
    run: ({ store, go }) => go({ view: 'timeline', key: '', project: projectOf(store) }),
  },
  {
    name: 'copy-conversation',
    title: 'Copy conversation',
    needs: (store) => store.place.key !== '',
    run: copyConversation,
  },
]

function openChat({ store, go }: Services): void {
  const window = currentWindow(store)
  if (window) go({ view: 'chat', key: addressOf(window), project: '' })
}

async function copyConversation({ api, store, toast }: Services): Promise<void> {
  const path = `/windows/${part(store.place.key)}/messages?limit=${LARGEST_PAGE}`
  const { messages, hasMore } = await api<MessagesPageOut>('GET', path)
  await copy(conversationText(messages))
  const count = hasMore ? `the last ${messages.length}` : messages.length
  toast({ tone: 'good', text: `Copied ${count} messages.` })
}
