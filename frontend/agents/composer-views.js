// Parts of the composer that only show: whom it writes to, what became of the last prompt, files, buttons.
import { html, nothing } from '../page/view.js'
import { windowTitle } from '../page/workspace.js'
import { CLIP, CLOCK, CROSS, MICROPHONE, RETURN, SEND, STOP, TYPE } from './icons.js'
import { receiptWords } from './words.js'

/** Whom the prompt goes to, and in the same line what is going on. */
export function headView({ agent, window }, delivery, progress) {
  return html`<div class="composer-head">
    ${agent
      ? html`<span class="chip ${agent.state}">${agent.runtime}<span class="visually-hidden">, ${agent.state}</span></span>`
      : html`<span class="chip">terminal</span>`}
    <span class="quiet cut">${windowTitle(window)}</span>
    <span class="composer-told cut" role="status">${progress || told(delivery)}</span>
  </div>`
}

/** A prompt that did not arrive, or of which that is not known, with the ways on. */
export function deliveryView(delivery, { retry, keep }) {
  if (delivery?.phase !== 'failed' && delivery?.phase !== 'unknown') return nothing
  const unknown = delivery.phase === 'unknown'
  return html`<div class="composer-failed" role="alert">
    <p><strong>${unknown ? 'It is not known whether it arrived.' : title(delivery)}</strong> ${sentence(delivery.error)}
      ${unknown ? 'It is asked for again as soon as the connection is back, and never sent twice.' : nothing}</p>
    <div class="composer-ways">
      <button type="button" class="button" @click=${retry}>Retry</button>
      <button type="button" class="button plain" @click=${keep}>Keep text</button>
    </div>
  </div>`
}

export function noteView(note, close) {
  if (!note) return nothing
  return html`<div class="composer-failed" role="alert"><p>${note}</p>
    <div class="composer-ways"><button type="button" class="button plain" @click=${close}>Close</button></div></div>`
}

export function filesView(files, remove) {
  if (!files.length) return nothing
  return html`<ul class="composer-files" aria-label="Attached files">${files.map(({ name, path }) => html`
    <li class="chip" title=${path}><span class="cut">${name}</span>
      <button type="button" class="button plain icon" aria-label=${`Remove ${name}`} @click=${() => remove(path)}>${CROSS}</button>
    </li>`)}</ul>`
}

/** `on` has a function for each button. */
export function toolsView({ busy, empty, enterSends, historyOpen, voice, voiceReason }, on) {
  const speak = voice === 'off' ? 'Speak' : 'Stop listening'
  return html`<div class="composer-tools">
    <input type="file" multiple hidden aria-label="Files to attach" @change=${on.choose}>
    <button type="button" class="button plain icon" aria-label="Attach files" title="Attach files" @click=${on.attach}>${CLIP}</button>
    <button type="button" class="button plain icon speak" data-state=${voice} aria-label=${speak} aria-pressed=${String(voice !== 'off')}
      aria-disabled=${voiceReason ? 'true' : nothing} title=${voiceReason || speak} @click=${on.listen}>${voice === 'off' ? MICROPHONE : STOP}</button>
    <button type="button" class="button plain icon" aria-label="Earlier prompts" title="Earlier prompts" aria-pressed=${String(historyOpen)}
      @click=${on.history}>${CLOCK}</button>
    <button type="button" class="button plain enter-sends" aria-label="Enter sends" aria-pressed=${String(enterSends)}
      title=${enterSends ? 'Enter sends, Shift+Enter makes a line' : 'Enter makes a line, Ctrl+Enter sends'}
      @click=${on.enter}>${RETURN}<span>${enterSends ? 'sends' : 'new line'}</span></button>
    <span class="composer-space"></span>
    <button type="button" class="button plain" ?disabled=${busy || empty} title="Put it into the terminal without pressing Enter"
      @click=${on.type}>${TYPE}<span>Type only</span></button>
    <button type="button" class="button primary send" ?disabled=${busy || empty} @click=${on.send}>${SEND}<span>Send</span></button>
  </div>`
}

export function placeholder(agent) {
  if (!agent) return 'A command, or any text'
  return agent.state === 'waiting' ? `${agent.runtime} waits for your answer first` : `Tell ${agent.runtime} what to do`
}

function told(delivery) {
  if (delivery?.phase === 'typing') return 'typing…'
  return delivery?.phase === 'done' ? `✓ ${receiptWords(delivery)}` : ''
}

function title({ order }) { return order.submit ? 'Not submitted.' : 'Not typed.' }

function sentence(words) { return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`.replace(/([.!?…])\.$/, '$1') }
