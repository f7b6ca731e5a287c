// What has been going on in a window, in bullets, and who wrote them. State in (`summary`), events
// out: `summarize`. Folded or not is remembered for all windows.
import { load, save } from '../page/memory.js'
import { View, html, nothing, states } from '../page/view.js'
import { moment } from './chat-message.js'

const FOLDED = 'chat-summary-folded'
const isSmall = () => matchMedia('(max-width: 700px)').matches // there the messages need the room

class ChatSummary extends View {
  view() {
    const { phase, bullets, by, model, at, problem } = this.summary
    if (phase === 'ready' && !bullets.length) return nothing
    return html`
      <details class="chat-summary" ?open=${!load(FOLDED, isSmall())} @toggle=${({ target }) => save(FOLDED, !target.open)}>
        <summary><span class="chat-summary-name">Summary</span> <span class="quiet">${author(phase, by, model)}</span></summary>
        ${phase === 'failed' ? html`<p class="quiet" role="status">${problem}</p>` : nothing}
        ${bullets.length ? html`<ul>${bullets.map((bullet) => html`<li>${bullet}</li>`)}</ul>` : nothing}
        <footer class="quiet">
          ${at ? html`<span>Made ${moment(at)}</span>` : nothing}
          <button class="button plain" ?disabled=${phase === 'loading'} @click=${() => this.tell('summarize')}>Refresh</button>
        </footer>
      </details>`
  }
}

function author(phase, by, model) {
  if (phase === 'loading') return 'is being written…'
  if (phase === 'failed') return 'could not be made'
  return by === 'model' ? `by the language model ${model}` : 'quotations and counts, by webtmux itself'
}

states(ChatSummary, { summary: { phase: 'loading', bullets: [], by: '', model: '', at: 0, problem: '' } })
customElements.define('chat-summary', ChatSummary)
