// <answer-bar .agent>: what an agent asks and its options as buttons; one tap answers. Shows the same
// wherever it stands, as what is under way is kept in answers.js. With `short` it leaves the question out.
import { View, html, nothing, states } from '../page/view.js'
import { answerFor, answers } from './answers.js'

export class AnswerBar extends View {
  #hear = () => this.update()

  connectedCallback() {
    answers.addEventListener('change', this.#hear)
    super.connectedCallback()
  }

  disconnectedCallback() { answers.removeEventListener('change', this.#hear) }

  view() {
    const { agent } = this
    if (agent?.state !== 'waiting') return nothing
    const given = answerFor(agent)
    return html`
      ${this.short ? nothing : html`<p class="answer-question">${agent.question || 'It waits for an answer.'}</p>`}
      <div class="answer-options" role="group" aria-label=${`Answer ${agent.name}: ${agent.question}`}>
        ${agent.options.map((option) => this.#option(option, given))}
      </div>
      ${agent.options.length ? nothing : html`<p class="quiet">Answer in its terminal: its options could not be read.</p>`}
      <p class="answer-told ${given?.phase === 'failed' ? 'bad' : ''}" role="status">${told(given)}</p>`
  }

  #option({ number, label }, given) {
    const chosen = given?.phase !== 'failed' && given?.number === number
    const busy = given?.phase === 'pending' || given?.phase === 'done'
    return html`<button type="button" class="button answer" ?disabled=${busy} aria-busy=${chosen && given.phase === 'pending' ? 'true' : 'false'}
      data-chosen=${chosen ? given.phase : nothing} @click=${() => this.#answer(number, label)}>
      <span class="answer-number">${number}</span><span class="answer-label">${label}</span>
    </button>`
  }

  #answer(number, label) {
    const { name, question, windowId } = this.agent
    this.act('answer-agent', { agent: name, number, label, question, windowId })
  }
}

states(AnswerBar, { agent: null, short: false })
customElements.define('answer-bar', AnswerBar)

function told(given) {
  if (given?.phase === 'pending') return 'answering…'
  if (given?.phase === 'done') return 'answered'
  return given ? `Not answered: ${given.error}` : ''
}
