// <answer-bar .agent>: the question of an agent, what it is about, and its options as buttons; one tap
// answers. An option that takes words has a field for them. All instances show the same, because the
// state of an answer is in answers.ts.
import './question-subject'

import type { AgentOut, OptionOut } from '../core/generated/socket'
import { sentence } from '../core/sentence'
import { customElement, html, nothing, property, type TemplateResult, View } from '../core/view'
import { type Answer, answerFor, answers } from './answers'

@customElement('answer-bar')
export class AnswerBar extends View {
  @property({ attribute: false }) agent: AgentOut | null = null

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
    const talking = agent.options.findLast((option) => option.takesWords)
    return html`
      <question-subject .question=${agent.question}></question-subject>
      <div class="answer-options" role="group" aria-label=${`Answer ${agent.name}: ${agent.question?.title ?? ''}`}>
        ${agent.options.map((option) => this.#option(agent, option, answer))}
      </div>
      ${talking ? this.#words(agent, talking, answer) : nothing}
      ${agent.options.length ? nothing : html`<p class="quiet">Its options could not be read. Answer in the terminal.</p>`}
      <p class="answer-status ${answer?.phase === 'failed' ? 'bad' : ''}" role="status">${statusText(answer)}</p>`
  }

  #option(agent: AgentOut, option: OptionOut, answer: Answer | null): TemplateResult {
    const { number, label, takesWords } = option
    const chosen = answer && answer.phase !== 'failed' && answer.number === number ? answer.phase : null
    return html`<button type="button" class="button answer" title=${label} ?disabled=${isBusy(answer)} aria-busy=${chosen === 'pending' ? 'true' : 'false'}
      data-chosen=${chosen ?? nothing} @click=${() => this.#answer(agent, option, takesWords ? this.#reason : '')}>
      <span class="answer-number">${number}</span><span class="answer-label">${label}</span>
    </button>`
  }

  #words(agent: AgentOut, option: OptionOut, answer: Answer | null): TemplateResult {
    const submit = (event: SubmitEvent) => {
      event.preventDefault()
      this.#answer(agent, option, this.#reason)
    }
    return html`<form class="answer-words" @submit=${submit}>
      <input class="field" name="reason" autocomplete="off" ?disabled=${isBusy(answer)}
        aria-label=${`What to do instead, with ${option.number}: ${option.label}`}
        placeholder=${`With ${option.number}: what to do instead`}>
    </form>`
  }

  get #reason(): string {
    return this.querySelector<HTMLInputElement>('[name=reason]')?.value.trim() ?? ''
  }

  #answer({ name, question, windowId }: AgentOut, { number, label }: OptionOut, reason: string): void {
    this.act('answer-agent', { agent: name, number, label, question: question?.id ?? '', reason, windowId })
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'answer-bar': AnswerBar
  }
}

function isBusy(answer: Answer | null): boolean {
  return answer?.phase === 'pending' || answer?.phase === 'done'
}

function statusText(answer: Answer | null): string {
  if (answer?.phase === 'pending') return 'Sending…'
  if (answer?.phase === 'done') return 'Answered'
  return answer ? `Not answered. ${sentence(answer.error)}` : ''
}
