// The summary of a window: bullets and their author. State in (`summary`), events out: `summarize`.
// Closed at first, to leave the room to the messages; whether it is open is remembered for all windows.
import { load, save } from '../core/memory'
import type { UsageTotalOut } from '../core/generated/api'
import { customElement, html, nothing, property, View } from '../core/view'
import { NO_SUMMARY, type Summary } from './chat-lookup'
import { timeElement } from './chat-message'

const COUNT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const PRICE = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const COLLAPSED = 'chat-summary-folded'

@customElement('chat-summary')
export class ChatSummary extends View {
  @property({ attribute: false }) summary: Summary = NO_SUMMARY
  @property({ attribute: false }) usage: UsageTotalOut | null = null

  override render() {
    const { phase, bullets, at, problem } = this.summary
    if (phase === 'ready' && !bullets.length) return nothing
    return html`
      <details class="chat-summary" ?open=${!load(COLLAPSED, true)}>
        <summary @click=${this.#onClick}><span class="chat-summary-name">Summary</span> <span class="quiet">${author(this.summary)}</span>${usageText(this.usage)}</summary>
        ${phase === 'failed' ? html`<p class="quiet" role="status">${problem}</p>` : nothing}
        ${bullets.length ? html`<ul>${bullets.map((bullet) => html`<li>${bullet}</li>`)}</ul>` : nothing}
        <footer class="quiet">
          ${at ? html`<span>Updated ${timeElement(at)}</span>` : nothing}
          <button class="button plain" ?disabled=${phase === 'loading'} @click=${() => this.emit('summarize')}>Refresh</button>
        </footer>
      </details>`
  }

  // Not the event `toggle`: it comes later, perhaps when the page is already gone.
  #onClick = () => save(COLLAPSED, this.querySelector('details')?.open ?? false)
}

declare global {
  interface HTMLElementTagNameMap {
    'chat-summary': ChatSummary
  }
}

/** Tokens and cost, of all replies that the journals know. */
function usageText(usage: UsageTotalOut | null) {
  if (!usage?.replies) return nothing
  const { input, output, cached, cost, replies, sessions } = usage
  const title = `${replies} replies in ${sessions} ${sessions === 1 ? 'session' : 'sessions'}, ${COUNT.format(cached)} tokens from the cache`
  const price = cost ? ` · ${PRICE.format(cost)}` : ''
  return html`<span class="quiet chat-usage" title=${title}>${COUNT.format(input + cached)} tokens in · ${COUNT.format(output)} out${price}</span>`
}

function author({ phase, by, model }: Summary): string {
  if (phase === 'loading') return 'Writing…'
  if (phase === 'failed') return 'Not available'
  return by === 'model' ? `Written by ${model}` : 'Excerpts and counts, no language model'
}
