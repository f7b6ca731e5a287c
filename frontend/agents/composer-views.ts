// Templates of the composer: target, status of the last prompt, files, buttons.
import type { AgentOut } from '../core/generated/socket'
import { sentence } from '../core/sentence'
import { html, nothing, type TemplateResult } from '../core/view'
import { windowTitle } from '../core/workspace'
import type { UploadedFile } from './attaching'
import type { Delivery } from './deliveries'
import { CLIP, CLOCK, CROSS, MICROPHONE, RETURN, SEND, STOP, TYPE } from './icons'
import type { Target } from './target'
import type { VoiceState } from './voice'
import { receiptText } from './words'

type Template = TemplateResult | typeof nothing

export interface ToolsState {
  busy: boolean
  empty: boolean
  enterSends: boolean
  historyOpen: boolean
  voice: VoiceState
  voiceReason: string
}

/** A handler for each button. */
export interface ToolsHandlers {
  choose(event: Event): void
  attach(): void
  listen(): void
  history(): void
  enter(): void
  type(): void
  send(): void
}

/** The target of the prompt and the current status, in one line. */
export function headView({ agent, window }: Target, delivery: Delivery | null, progress: string): Template {
  return html`<div class="composer-head">
    ${
      agent
        ? html`<span class="chip ${agent.state}">${agent.runtime}<span class="visually-hidden">, ${agent.state}</span></span>`
        : html`<span class="chip">terminal</span>`
    }
    <span class="quiet cut">${windowTitle(window)}</span>
    <span class="composer-status cut" role="status">${progress || statusText(delivery)}</span>
  </div>`
}

/** A prompt that failed, or whose delivery is unknown, with what the user can do. */
export function deliveryView(
  delivery: Delivery | null,
  { retry, keep }: { retry: () => void; keep: () => void },
): Template {
  if (delivery?.phase !== 'failed' && delivery?.phase !== 'unknown') return nothing
  const unknown = delivery.phase === 'unknown'
  return html`<div class="composer-failed" role="alert">
    <p><strong>${unknown ? 'Delivery not confirmed.' : title(delivery)}</strong> ${sentence(delivery.error)}
      ${unknown ? 'It is checked again when the connection is back, and never sent twice.' : nothing}</p>
    <div class="composer-buttons">
      <button type="button" class="button" @click=${retry}>Retry</button>
      <button type="button" class="button plain" @click=${keep}>Keep text</button>
    </div>
  </div>`
}

export function noteView(note: string, close: () => void): Template {
  if (!note) return nothing
  return html`<div class="composer-failed" role="alert"><p>${note}</p>
    <div class="composer-buttons"><button type="button" class="button plain" @click=${close}>Close</button></div></div>`
}

export function filesView(files: readonly UploadedFile[], remove: (path: string) => void): Template {
  if (!files.length) return nothing
  return html`<ul class="composer-files" aria-label="Attached files">${files.map(
    ({ name, path }) => html`
    <li class="chip" title=${path}><span class="cut">${name}</span>
      <button type="button" class="button plain icon" aria-label=${`Remove ${name}`} @click=${() => remove(path)}>${CROSS}</button>
    </li>`,
  )}</ul>`
}

export function toolsView(
  { busy, empty, enterSends, historyOpen, voice, voiceReason }: ToolsState,
  on: ToolsHandlers,
): Template {
  const label = voice === 'off' ? 'Dictate' : 'Stop dictation'
  return html`<div class="composer-tools">
    <input type="file" multiple hidden aria-label="Files to attach" @change=${on.choose}>
    <button type="button" class="button plain icon" aria-label="Attach files" title="Attach files" @click=${on.attach}>${CLIP}</button>
    <button type="button" class="button plain icon speak" data-state=${voice} aria-label=${label} aria-pressed=${String(voice !== 'off')}
      aria-disabled=${voiceReason ? 'true' : nothing} title=${voiceReason || label} @click=${on.listen}>${voice === 'off' ? MICROPHONE : STOP}</button>
    <button type="button" class="button plain icon" aria-label="Earlier prompts" title="Earlier prompts" aria-pressed=${String(historyOpen)}
      @click=${on.history}>${CLOCK}</button>
    <button type="button" class="button plain enter-sends" aria-label="Enter sends" aria-pressed=${String(enterSends)}
      title=${enterSends ? 'Enter sends, Shift+Enter adds a line' : 'Enter adds a line, Ctrl+Enter sends'}
      @click=${on.enter}>${RETURN}<span>${enterSends ? 'sends' : 'new line'}</span></button>
    <span class="composer-space"></span>
    <button type="button" class="button plain" ?disabled=${busy || empty} title="Type into the terminal without pressing Enter"
      @click=${on.type}>${TYPE}<span>Type only</span></button>
    <button type="button" class="button primary send" ?disabled=${busy || empty} @click=${on.send}>${SEND}<span>Send</span></button>
  </div>`
}

export function placeholder(agent: AgentOut | null): string {
  if (!agent) return 'Type a command or text'
  return agent.state === 'waiting'
    ? `${agent.runtime} is waiting for your answer`
    : `Tell ${agent.runtime} what to do`
}

function statusText(delivery: Delivery | null): string {
  if (delivery?.phase === 'typing') return 'Typing…'
  return delivery?.phase === 'done' ? `✓ ${receiptText(delivery)}` : ''
}

function title({ order }: Delivery): string {
  return order.submit ? 'Not submitted.' : 'Not typed.'
}
