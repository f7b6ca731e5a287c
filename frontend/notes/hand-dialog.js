// Hands a task to an agent: whom, and with which words. Tells `hand` with {card, agent, prompt}; the
// screen sends it and says how that went.
import { View, html, nothing, states } from '../page/view.js'
import { candidates } from './handed.js'

class HandDialog extends View {
  #card = null
  #agents = []
  #chosen = ''

  /** `session`: the task's own, whose agents come first. */
  open(card, agents, session) {
    this.#card = card
    this.#agents = candidates(agents, session)
    this.#chosen = this.#agents[0]?.name ?? ''
    this.problem = ''
    this.sending = false
    this.paint()
    const dialog = this.querySelector('dialog')
    const text = dialog.querySelector('textarea')
    if (text) text.value = card.text
    dialog.showModal()
  }

  close() { this.querySelector('dialog')?.close() }

  view() {
    if (!this.#card) return nothing
    return html`
      <dialog class="hand" aria-labelledby="hand-title" @keydown=${(event) => event.stopPropagation()}>
        <form method="dialog" @submit=${(event) => this.#send(event)}>
          <h2 id="hand-title">Hand to an agent</h2>
          ${this.#agents.length ? this.#fields() : html`
            <p class="quiet">No agent is running. Start one in a window, for example with <code>claude</code>, and come back.</p>`}
          ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
          <div class="buttons">
            <button type="button" class="button" @click=${() => this.close()}>Cancel</button>
            ${this.#agents.length ? html`
              <button class="button primary" ?disabled=${this.sending}>${this.sending ? 'Sending…' : 'Send prompt'}</button>` : nothing}
          </div>
        </form>
      </dialog>`
  }

  #fields() {
    return html`
      <fieldset>
        <legend>Agent</legend>
        ${this.#agents.map((agent) => html`
          <label class="agent">
            <input type="radio" name="agent" .value=${agent.name} .checked=${agent.name === this.#chosen}
              @change=${() => { this.#chosen = agent.name }}>
            <span class="cut"><b>${agent.name}</b> <span class="quiet">${agent.runtime}</span></span>
            <span class="chip ${agent.state}">${agent.state}</span>
          </label>`)}
      </fieldset>
      <label class="prompt">Prompt
        <textarea class="field" rows="6" required></textarea>
      </label>`
  }

  #send(event) {
    event.preventDefault()
    const prompt = this.querySelector('textarea').value.trim()
    if (prompt && !this.sending) this.tell('hand', { card: this.#card, agent: this.#chosen, prompt })
  }
}

states(HandDialog, { problem: '', sending: false })
customElements.define('hand-dialog', HandDialog)
