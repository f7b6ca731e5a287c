// The dialog to hand off a task to an agent: which agent, and the prompt. Emits `handoff`; the screen
// sends it and reports the result.
import type { AgentOut } from '../core/generated/socket'
import { customElement, html, nothing, property, state, type TemplateResult, View } from '../core/view'
import type { Command } from './board-actions'
import type { Card } from './columns'
import { candidates } from './handoff-state'

/** The `detail` of a `handoff` event. */
export interface HandoffDetail {
  card: Card
  agent: string
  prompt: string
}

@customElement('handoff-dialog')
export class HandoffDialog extends View {
  @property({ attribute: false }) problem = ''
  @property({ attribute: false }) sending = false
  @state() private card: Card | null = null
  @state() private agents: readonly AgentOut[] = []
  @state() private chosen = ''
  #titleOf: (agent: AgentOut) => string = ({ name }) => name

  /** `session`: the session of the task, whose agents are listed first. `titleOf`: the window of an agent. */
  open(card: Card, agents: Iterable<AgentOut>, session: string, titleOf: (agent: AgentOut) => string): void {
    this.#titleOf = titleOf
    this.card = card
    this.agents = candidates(agents, session)
    this.chosen = this.agents[0]?.name ?? ''
    this.problem = ''
    this.sending = false
    this.performUpdate()
    const text = this.querySelector('textarea')
    if (text) text.value = card.text
    this.querySelector('dialog')?.showModal()
  }

  close(): void {
    this.querySelector('dialog')?.close()
  }

  override render(): TemplateResult | typeof nothing {
    const { card } = this
    if (!card) return nothing
    return html`
      <dialog class="handoff" aria-labelledby="handoff-title" @keydown=${(event: Event) => event.stopPropagation()}>
        <form method="dialog" @submit=${(event: SubmitEvent) => this.#send(event, card)}>
          <h2 id="handoff-title">Hand off to an agent</h2>
          ${
            this.agents.length
              ? this.#fields()
              : html`
            <p class="quiet">No agent is running.</p>`
          }
          ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
          <div class="buttons">
            <button type="button" class="button" @click=${() => this.close()}>Cancel</button>
            ${
              this.agents.length
                ? html`
              <button class="button primary" ?disabled=${this.sending}>${this.sending ? 'Sending…' : 'Send prompt'}</button>`
                : html`
              <button type="button" class="button primary" @click=${() => this.emit('choose', { what: 'start', card } satisfies Command)}>Start an agent…</button>`
            }
          </div>
        </form>
      </dialog>`
  }

  #fields(): TemplateResult {
    const choose = (name: string) => () => {
      this.chosen = name
    }
    return html`
      <fieldset>
        <legend>Agent</legend>
        ${this.agents.map(
          (agent) => html`
          <label class="agent">
            <input type="radio" name="agent" .value=${agent.name} .checked=${agent.name === this.chosen}
              @change=${choose(agent.name)}>
            <span class="cut" title=${this.#titleOf(agent)}><b>${this.#titleOf(agent)}</b> <span class="quiet">${agent.runtime}</span></span>
            <span class="chip ${agent.state}">${agent.state}</span>
          </label>`,
        )}
      </fieldset>
      <label class="prompt">Prompt
        <textarea class="field" rows="6" required></textarea>
      </label>`
  }

  #send(event: SubmitEvent, card: Card): void {
    event.preventDefault()
    const prompt = this.querySelector('textarea')?.value.trim()
    if (!prompt || this.sending) return
    this.emit('handoff', { card, agent: this.chosen, prompt } satisfies HandoffDetail)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'handoff-dialog': HandoffDialog
  }
}
