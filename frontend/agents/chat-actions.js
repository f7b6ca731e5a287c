// What a person can do with chats and timelines; joined in page/actions.js.
import { part } from '../page/api.js'
import { copy } from '../page/clipboard.js'
import { addressOf, currentWindow } from '../page/workspace.js'
import { conversationText } from './conversation-text.js'

const LARGEST_PAGE = 500
const projectOf = (store) => store.place.project || currentWindow(store)?.project || ''

export const actions = [
  {
    name: 'open-chat', title: 'Chat of this window', needs: (store) => currentWindow(store) !== null,
    run: ({ store, go }) => go({ view: 'chat', key: addressOf(currentWindow(store)), project: '' }),
  },
  {
    name: 'find-in-chat', title: 'Search in the chat of this window', needs: (store) => store.place.key !== '',
    run: ({ store, go }) => go({ view: 'chat', key: store.place.key, project: '', at: 'find' }),
  },
  {
    name: 'open-timeline', title: 'Timeline of this project', needs: (store) => projectOf(store) !== '',
    run: ({ store, go }) => go({ view: 'timeline', key: '', project: projectOf(store) }),
  },
  {
    name: 'copy-conversation', title: 'Copy the conversation', needs: (store) => store.place.key !== '',
    async run({ api, store, toast }) {
      const { messages, hasMore } = await api('GET', `/windows/${part(store.place.key)}/messages?limit=${LARGEST_PAGE}`)
      await copy(conversationText(messages))
      toast({ tone: 'good', text: hasMore ? `The last ${messages.length} messages are on the clipboard` : `${messages.length} messages are on the clipboard` })
    },
  },
]
