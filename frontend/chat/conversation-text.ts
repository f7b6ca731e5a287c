// A conversation as text, for the clipboard; from a journal it is Markdown. Pure.
import type { ChatItem } from './chat-pages'

export function conversationText(messages: readonly ChatItem[]): string {
  return messages
    .map(({ role, ts, text }) => {
      const who = role === 'user' ? 'Prompt' : 'Answer'
      return `${who}, ${new Date(ts).toISOString().slice(0, 16).replace('T', ' ')} UTC\n${text}\n`
    })
    .join('\n')
}
