// What was written and not sent yet, for each window. Pure, over an object that memory.js keeps.
// A draft is `{text, files, sent}`; `sent` is `{key, at, name}` of a try whose end is not known: with
// the same key the server tells what became of it instead of sending it twice.

export const NO_DRAFT = Object.freeze({ text: '', files: [], sent: null })
export const DRAFTS = 50
export const TEXT_LIMIT = 100_000 // characters; a longer one lives as long as its page
// The server keeps a key for ten minutes (agents/claims.py): a later retry would be a new prompt.
export const KEY_LIFE_MS = 9 * 60_000

/** The drafts with this one: newest last, empty ones gone, a bounded number. */
export function withDraft(drafts, address, draft) {
  const { [address]: _, ...others } = drafts
  const kept = draft.text && draft.text.length <= TEXT_LIMIT ? { ...others, [address]: draft } : others
  return Object.fromEntries(Object.entries(kept).slice(-DRAFTS))
}

/** Another text is another prompt: what was known of a try is about the old one. */
export function edited(draft, text) {
  if (text === draft.text) return draft
  return { text, files: draft.files.filter(({ path }) => text.includes(path)), sent: null }
}

/** The key for sending this draft now to `name`: that of a try which may have arrived, or a new one. */
export function keyFor(draft, name, now, fresh) {
  const { sent } = draft
  return sent && sent.name === name && !isForgotten(sent, now) ? sent.key : fresh()
}

/** Whether the server no longer knows the key of this try. */
export function isForgotten(sent, now) { return now - sent.at >= KEY_LIFE_MS }

/** Text put in at the caret, with blanks around it where words would run together. */
export function inserted(text, start, end, piece) {
  const before = text.slice(0, start)
  const after = text.slice(end)
  const lead = before && !/\s$/.test(before) ? ' ' : ''
  const tail = /^\s/.test(after) ? '' : ' '
  return { text: `${before}${lead}${piece}${tail}${after}`, caret: before.length + lead.length + piece.length + 1 }
}

/** Without a path and the blank behind it. */
export function without(text, path) {
  return text.replace(`${path} `, '').replace(path, '')
}

/** A key that no other prompt has. Not randomUUID: a page over plain http does not have it. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
