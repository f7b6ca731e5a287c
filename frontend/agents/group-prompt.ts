// <group-prompt>: the dialog that sends one prompt to several agents and shows the receipt of each.
// Loaded on first use.
import { sentence } from '../core/sentence'
import { customElement, html, nothing, state, type TemplateResult, View } from '../core/view'
import type { WindowRow } from '../core/workspace'
import { GroupDelivery, type PromptSocket, type Recipient } from './group-delivery'

const STATUS: Readonly<Record<Recipient['phase'], string>> = {
  ready: '',
  sending: 'Sending…',
  sent: 'Sent.',
  refused: 'Refused.',
  unknown: 'Not confirmed.',
}

@customElement('group-prompt')
export class GroupPrompt extends View {
  @state() private delivery: GroupDelivery | null = null
  #onChange = () => this.requestUpdate()

  open(windows: readonly WindowRow[], socket: PromptSocket): void {
    // Receipts that are still missing stay in view.
    if (!this.delivery?.isSending) {
      this.delivery?.removeEventListener('change', this.#onChange)
      this.delivery = new GroupDelivery(windows, socket)
      this.delivery.addEventListener('change', this.#onChange)
      this.performUpdate()
      const field = this.querySelector('textarea')
      if (field) field.value = ''
    }
    this.querySelector('dialog')?.showModal()
    this.querySelector('textarea')?.focus()
  }

  override render(): TemplateResult | typeof nothing {
    const { delivery } = this
    if (!delivery) return nothing
    const { recipients, skipped } = delivery
    const isStarted = recipients.some(({ phase }) => phase !== 'ready')
    return html`
      <dialog class="group-prompt" aria-labelledby="group-prompt-title">
        <form method="dialog" @submit=${this.#submit}>
          <h2 id="group-prompt-title">${recipients.length === 1 ? 'Prompt for 1 agent' : `Prompt for ${recipients.length} agents`}</h2>
          <textarea class="field" rows="5" required aria-label="Prompt" placeholder="Sent to every agent below"
            ?readonly=${isStarted} @keydown=${this.#key}></textarea>
          <ul class="group-recipients" aria-label="Agents">${recipients.map(recipientView)}</ul>
          ${skipped.length ? html`<p class="group-skipped quiet">Skipped, no agent: ${skipped.join(', ')}</p>` : nothing}
          <footer>
            <button type="button" class="button" @click=${() => this.querySelector('dialog')?.close()}>${isStarted ? 'Close' : 'Cancel'}</button>
            ${this.#sendButton(delivery, isStarted)}
          </footer>
        </form>
      </dialog>`
  }

  #sendButton({ open, isSending, recipients }: GroupDelivery, isStarted: boolean) {
    if (isStarted && !isSending && open.length === 0) return nothing
    const verb = isStarted ? `Retry (${open.length})` : 'Send'
    return html`<button class="button primary" ?disabled=${isSending || recipients.length === 0}>${isSending ? 'Sending…' : verb}</button>`
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const prompt = this.querySelector('textarea')?.value ?? ''
    if (prompt.trim()) void this.delivery?.send(prompt)
  }

  #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    this.querySelector('form')?.requestSubmit()
  }
}

function recipientView({ agent, title, runtime, phase, text }: Recipient): TemplateResult {
  return html`
    <li class="group-recipient ${phase}" data-agent=${agent}>
      <span class="cut" title=${title}>${title}</span><span class="quiet">${runtime}</span>
      <p class="group-status" role="status">${STATUS[phase]} ${text ? sentence(text) : nothing}</p>
    </li>`
}

declare global {
  interface HTMLElementTagNameMap {
    'group-prompt': GroupPrompt
  }
}
