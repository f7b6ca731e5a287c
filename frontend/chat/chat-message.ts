// Templates for a message, a record or a day of the chat. State in, template out.
import { markdown } from '../board/markdown'
import { html, nothing, type TemplateResult } from '../core/view'
import type { ChatItem, ChatRow } from './chat-pages'
import { code, languageOf } from './highlighting'
import { pieces } from './highlights'
import { type Block, blocks, cut } from './text-blocks'
import { ago, dayOf, exactly } from './times'

const LINE_PX = 21
const HEAD_PX = 62

/** What a row shows besides its item. `recording` is the address of a recording at a timestamp. */
export interface RowOptions {
  who: Readonly<Record<ChatItem['role'], string>>
  raw: boolean
  pattern: RegExp | null
  isOpen(key: string): boolean
  isHighlighted(key: string): boolean
  isCopied(key: string): boolean
  recording(ts: number): string | null
  /** The handlers of the buttons. */
  on: {
    open(key: string): void
    copy(key: string, item: ChatItem): void
    terminal(item: ChatItem): void
    /** Colours for code were loaded. */
    coloured(): void
  }
}

interface Shown {
  parts: Block[]
  /** How many lines are left out. */
  hidden: number
}

// Cached by item: a message is shortened and split once, however often it is rendered.
const estimates = new WeakMap<ChatItem, number>()
const shortened = new WeakMap<ChatItem, Shown>()

/** The estimated height of a row that was not rendered yet. */
export function estimate(row: ChatRow): number {
  if (row.kind !== 'message') return 44
  return cached(estimates, row.item, ({ text }) => {
    const shown = cut(text)
    return HEAD_PX + LINE_PX * shown.text.split('\n').length + (shown.hidden ? 40 : 0)
  })
}

export function timeElement(ts: number): TemplateResult {
  return html`<time datetime=${new Date(ts).toISOString()} title=${exactly(ts)}>${ago(ts)}</time>`
}

export function highlight(text: string, pattern: RegExp | null): (TemplateResult | string)[] {
  return pieces(text, pattern).map((piece) => (piece.hit ? html`<mark>${piece.text}</mark>` : piece.text))
}

export function row(shown: ChatRow, options: RowOptions): TemplateResult {
  if (shown.kind === 'begin') return html`<p class="chat-edge quiet">Start of the recorded chat</p>`
  if (shown.kind === 'day') return html`<h2 class="chat-day"><span>${dayOf(shown.ts)}</span></h2>`
  const { key, item } = shown
  const who = options.who[item.role]
  const recording = options.recording(item.ts)
  return html`
    <article class="chat-row ${item.role} ${options.raw ? 'raw' : ''} ${options.isHighlighted(key) ? 'highlighted' : ''}" data-ts=${item.ts} aria-label="${who}, ${ago(item.ts)}">
      <div class="chat-bubble">
        <header>
          <span class="chat-who">${who}</span>
          ${timeElement(item.ts)}
          ${source(item)}
          <span class="chat-tools">
            ${recording ? html`<a class="chat-tool" href=${recording} target="_blank" rel="noopener" aria-label="Watch this moment in the recording">▶ Watch</a>` : nothing}
            ${options.raw ? nothing : html`<button class="chat-tool" aria-label="Show what the terminal showed then" @click=${() => options.on.terminal(item)}>Terminal</button>`}
            <button class="chat-tool" aria-label="Copy message: ${who}" @click=${() => options.on.copy(key, item)}>${options.isCopied(key) ? 'Copied' : 'Copy'}</button>
          </span>
        </header>
        ${body(key, item, options)}
      </div>
    </article>`
}

const SOURCES = {
  journal: ['journal', 'From the journal of the agent: the exact text'],
  hook: ['hook', 'The agent reported this text by a hook'],
  screen: ['screen', 'Read from the screen of the terminal: it may differ from what the agent wrote'],
} as const satisfies Record<NonNullable<ChatItem['source']>, readonly [string, string]>

function source(item: ChatItem): TemplateResult | typeof nothing {
  if (!item.source) return nothing
  const [label, title] = SOURCES[item.source]
  return html`<span class=${item.confirmed ? 'chat-sure' : 'quiet'} title=${title}>${label}</span>`
}

/** A tool call: one line, with input and outcome when it is opened. */
function toolCall({ text, tool }: ChatItem, options: RowOptions): TemplateResult {
  const input = tool?.input ?? ''
  return html`
    <details class="chat-call">
      <summary><code>${text.split('\n', 1)[0]}</code> <span class="quiet">${tool?.status}</span></summary>
      ${input ? html`<pre class="chat-code" tabindex="0"><code>${code(input, languageOf(tool?.name ?? '', input), options.on.coloured)}</code></pre>` : nothing}
      ${tool?.outcome ? html`<pre class="chat-code" tabindex="0"><code>${tool.outcome}</code></pre>` : nothing}
    </details>`
}

/** What the agent wrote is Markdown; what the screen showed is text, and so is a text with marked words. */
function isMarkdown(item: ChatItem, options: RowOptions): boolean {
  const isReported = item.source === 'journal' || item.source === 'hook'
  return isReported && item.role === 'assistant' && !options.raw && !options.pattern
}

function body(key: string, item: ChatItem, options: RowOptions): TemplateResult {
  if (item.kind === 'tool' && !options.raw) return toolCall(item, options)
  const isOpen = options.isOpen(key)
  const { parts, hidden } = isOpen
    ? split(item.text, 0, options.raw)
    : cached(shortened, item, () => {
        const shown = cut(item.text)
        return split(shown.text, shown.hidden, options.raw)
      })
  const rendered = isMarkdown(item, options)
    ? markdown(isOpen ? item.text : cut(item.text).text, (text, language) =>
        code(text, language, options.on.coloured),
      )
    : null
  return html`
    ${
      rendered
        ? html`<div class="chat-markdown">${rendered}</div>`
        : parts.map((part) =>
            part.kind === 'code'
              ? html`<pre class="chat-code" tabindex="0"><code>${highlight(part.text, options.pattern)}</code></pre>`
              : html`<p class="chat-prose">${highlight(part.text, options.pattern)}</p>`,
          )
    }
    ${
      hidden || isOpen
        ? html`
      <button class="button plain chat-more" aria-expanded=${isOpen} @click=${() => options.on.open(key)}>
        ${isOpen ? 'Show less' : `Show ${hidden} more ${hidden === 1 ? 'line' : 'lines'}`}
      </button>`
        : nothing
    }`
}

function split(text: string, hidden: number, raw: boolean): Shown {
  return { parts: raw ? [{ kind: 'code', text }] : blocks(text), hidden }
}

function cached<Value>(
  table: WeakMap<ChatItem, Value>,
  item: ChatItem,
  compute: (item: ChatItem) => Value,
): Value {
  const known = table.get(item)
  if (known !== undefined) return known
  const value = compute(item)
  table.set(item, value)
  return value
}
