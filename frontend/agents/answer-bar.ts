// <answer-bar .agent>: the question of an agent and its options as buttons; one tap answers. All instances
// show the same, because the state of an answer is in answers.ts. With `short` the question is left out.
import type { AgentOut, OptionOut } from '../core/generated/socket'
import { sentence } from '../core/sentence'
import { customElement, html, nothing, property, type TemplateResult, View } from '../core/view'
import { type Answer, answerFor, answers } from './answers'

@customElement('answer-bar')
export class AnswerBar extends View {
  @property({ attribute: false }) agent: AgentOut | null = null
  @property({ attribute: false }) short = false

  #onChange = () => this.requestUpdate()

  override connectedCallback(): void {
    super.connectedCallback()
    answers.addEventListener('change', this.#onChange)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    answers.removeEventListener('change', this.#onChange)
  }

  override render() {
    const { agent } = this
    if (agent?.state !== 'waiting') return nothing
    const answer = answerFor(agent)
    return html`
      ${this.short ? nothing : html`<p class="answer-question">${agent.question || 'Waiting for an answer.'}</p>`}
      <div class="answer-options" role="group" aria-label=${`Answer ${agent.name}: ${agent.question}`}>
        ${agent.options.map((option) => this.#option(agent, option, answer))}
      </div>
      ${agent.options.length ? nothing : html`<p class="quiet">Its options could not be read. Answer in the terminal.</p>`}
      <p class="answer-status ${answer?.phase === 'failed' ? 'bad' : ''}" role="status">${statusText(answer)}</p>`
  }

  #option(agent: AgentOut, { number, label }: OptionOut, answer: Answer | null): TemplateResult {
    const chosen = answer && answer.phase !== 'failed' && answer.number === number ? answer.phase : null
    const busy = answer?.phase === 'pending' || answer?.phase === 'done'
    return html`<button type="button" class="button answer" ?disabled=${busy} aria-busy=${chosen === 'pending' ? 'true' : 'false'}
      data-chosen=${chosen ?? nothing} @click=${() => this.#answer(agent, number, label)}>
      <span class="answer-number">${number}</span><span class="answer-label">${label}</span>
    </button>`
  }

  #answer({ name, question, windowId }: AgentOut, number: number, label: string): void {
    this.act('answer-agent', { agent: name, number, label, question, windowId })
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'answer-bar': AnswerBar
  }
}

function statusText(answer: Answer | null): string {
  if (answer?.phase === 'pending') return 'Sending…'
  if (answer?.phase === 'done') return 'Answered'
  return answer ? `Not answered. ${sentence(answer.error)}` : ''
}
