// Unsent prompts of each window. Pure, over an object that core/memory stores.
import type { UploadedFile } from './attaching'

/** `sent`: an attempt whose result is unknown: with its key the server returns the result, and sends nothing. */
export interface Draft {
  readonly text: string
  readonly files: readonly UploadedFile[]
  readonly sent: Sent | null
}
export interface Sent {
  readonly key: string
  readonly at: number
  /** The name of the agent. */
  readonly name: string
}
/** By the address of the window. */
export type Drafts = Readonly<Record<string, Draft>>

export const NO_DRAFT: Draft = Object.freeze({ text: '', files: [], sent: null })
export const DRAFTS = 50
// Characters; a longer draft is not stored.
export const TEXT_LIMIT = 100_000
// The server remembers a key for ten minutes (agents/delivery/idempotency.py): a later retry would be a new prompt.
export const KEY_LIFE_MS = 9 * 60_000

/** The drafts with this one: newest last, without empty ones, limited in number. */
export function withDraft(drafts: Drafts, address: string, draft: Draft): Drafts {
  const { [address]: _, ...others } = drafts
  const remaining = draft.text && draft.text.length <= TEXT_LIMIT ? { ...others, [address]: draft } : others
  return Object.fromEntries(Object.entries(remaining).slice(-DRAFTS))
}

/** Another text is another prompt, so the previous attempt no longer counts. */
export function edited(draft: Draft, text: string): Draft {
  if (text === draft.text) return draft
  return { text, files: draft.files.filter(({ path }) => text.includes(path)), sent: null }
}

/** The key to send this draft to `name` with: that of an attempt that may have arrived, or a new one. */
export function keyFor(draft: Draft, name: string, now: number, fresh: () => string): string {
  const { sent } = draft
  return sent && sent.name === name && !isExpired(sent, now) ? sent.key : fresh()
}

/** Whether the server no longer remembers the key of this attempt. */
export function isExpired(sent: Sent, now: number): boolean {
  return now - sent.at >= KEY_LIFE_MS
}

/** Inserts text at the caret, with spaces where words would run together. */
export function insertText(
  text: string,
  start: number,
  end: number,
  piece: string,
): { text: string; caret: number } {
  const before = text.slice(0, start)
  const after = text.slice(end)
  const lead = before && !/\s$/.test(before) ? ' ' : ''
  const tail = /^\s/.test(after) ? '' : ' '
  return {
    text: `${before}${lead}${piece}${tail}${after}`,
    caret: before.length + lead.length + piece.length + 1,
  }
}

/** Removes a path and the space after it. */
export function removePath(text: string, path: string): string {
  return text.replace(`${path} `, '').replace(path, '')
}

/** A unique key. Not crypto.randomUUID: it is unavailable over plain HTTP. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
