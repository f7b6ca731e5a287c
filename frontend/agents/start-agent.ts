// <start-agent>: the dialog that starts an agent: which one, in which folder, with which first prompt. It
// shows the progress, and what the agent asks before it takes a prompt. Loaded on first use.
import './answer-bar'
import '../shell/suggest-field'

import type { Api } from '../core/api'
import { messageOf } from '../core/events'
import type { RuntimeOut, StartedAgentOut } from '../core/generated/api'
import { load, save } from '../core/memory'
import { sentence } from '../core/sentence'
import type { FormField } from '../core/services'
import type { Part } from '../core/store'
import { customElement, html, Live, nothing, state, type TemplateResult } from '../core/view'
import { AgentStart, type OnSent } from './agent-start'

const REMEMBERED = 'started-runtime'

export interface StartOptions {
  api: Api
  title: string
  /** The session of the new window; empty: named after the folder. */
  session: string
  cwd: string
  prompt: string
  suggestFolders: NonNullable<FormField['suggest']>
  onSent: OnSent | null
  /** The agent runs, and has its prompt if there is one. */
  onDone(started: StartedAgentOut, runtime: RuntimeOut, cwd: string): void
  /** The user wants to see its window; `prompt` was not sent. */
  onOpen(started: StartedAgentOut, prompt: string): void
}

@customElement('start-agent')
export class StartAgent extends Live {
  static override parts: readonly Part[] = ['agents']

  @state() private runtimes: readonly RuntimeOut[] | null = null
  @state() private chosen = ''
  @state() private problem = ''
  #options: StartOptions | null = null
  #start: AgentStart | null = null
  #onChange = () => this.#changed()

  open(options: StartOptions): void {
    // A start that is under way stays in view.
    if (!this.#start?.isBusy) this.#begin(options)
    const dialog = this.querySelector('dialog')
    if (!dialog?.open) dialog?.showModal()
    // Not the first control: it may change, and on a phone a field would open the keyboard.
    dialog?.focus()
  }

  #begin(options: StartOptions): void {
    this.#options = options
    this.#renew()
    this.requestUpdate()
    this.performUpdate()
    this.querySelector('suggest-field')?.reset()
    const prompt = this.querySelector('textarea')
    if (prompt) prompt.value = options.prompt
    void this.#load(options.api)
  }

  /** Nothing has been started yet, or what was started has ended. */
  #renew(): void {
    const { api, onSent } = this.#options ?? {}
    if (!api) return
    this.#start?.removeEventListener('change', this.#onChange)
    this.#start = new AgentStart(api, onSent ?? null)
    this.#start.addEventListener('change', this.#onChange)
  }

  async #load(api: Api): Promise<void> {
    this.problem = ''
    try {
      this.runtimes = await api<RuntimeOut[]>('GET', '/runtimes')
    } catch (error) {
      this.problem = sentence(messageOf(error))
      return
    }
    const installed = this.runtimes.filter(({ program }) => program)
    const last = load(REMEMBERED, '')
    const wanted = [this.chosen, last].find((name) => installed.some(({ runtime }) => runtime === name))
    this.chosen = wanted ?? installed[0]?.runtime ?? ''
  }

  override render(): TemplateResult | typeof nothing {
    const start = this.#start
    if (!this.#options || !start) return nothing
    const isStarted = start.started !== null && start.phase !== 'ended'
    return html`
      <dialog class="start-agent" aria-labelledby="start-agent-title" tabindex="-1" @keydown=${(event: Event) => event.stopPropagation()}>
        <form method="dialog" @submit=${this.#submit}>
          <h2 id="start-agent-title">${this.#options.title}</h2>
          <fieldset ?disabled=${start.isBusy || isStarted}>
            <legend>Agent</legend>
            ${isStarted && this.#runtime ? this.#row(this.#runtime) : this.#list()}
          </fieldset>
          <suggest-field ?inert=${start.isBusy || isStarted} .field=${this.#folderField()}
            .problem=${start.problem.field === 'cwd' ? start.problem.text : ''}></suggest-field>
          <label class="start-prompt">Prompt <span class="quiet">(optional)</span>
            <textarea class="field" rows="3" ?readonly=${start.isBusy} @keydown=${this.#key}></textarea>
          </label>
          ${this.#status(start)}
          ${this.#buttons(start, isStarted)}
        </form>
      </dialog>`
  }

  #folderField(): FormField {
    const { session = '', cwd = '', suggestFolders } = this.#options ?? {}
    const hint = session
      ? `Leave empty for the directory of the session ${session}.`
      : 'A path on the server, such as ~/shop. Leave empty for the default.'
    return {
      name: 'cwd',
      label: 'Folder',
      hint,
      value: cwd,
      ...(suggestFolders ? { suggest: suggestFolders } : {}),
    }
  }

  #list(): TemplateResult {
    if (this.problem) return html`<p class="question-problem" role="alert">${this.problem}</p>`
    if (!this.runtimes) return html`<p class="quiet" role="status">Looking for installed agents…</p>`
    const installed = this.runtimes.filter(({ program }) => program)
    const missing = this.runtimes.filter(({ program }) => !program)
    return html`
      ${
        installed.length
          ? nothing
          : html`<p class="question-problem" role="alert">No agent was found on the PATH of your login shell. Install one of these, then open this dialog again.</p>`
      }
      <div class="start-runtimes">${installed.map((runtime) => this.#row(runtime))}</div>
      ${
        missing.length
          ? html`<details ?open=${installed.length === 0}><summary class="quiet">Not installed (${missing.length})</summary>
        <div class="start-runtimes" tabindex="0" role="group" aria-label="Not installed">${missing.map((runtime) => this.#row(runtime))}</div></details>`
          : nothing
      }`
  }

  #row({ runtime, title, program, install }: RuntimeOut): TemplateResult {
    const choose = () => {
      this.chosen = runtime
    }
    const detail = program || install
    return html`<label class="start-runtime ${program ? '' : 'missing'}">
      <input type="radio" name="runtime" .value=${runtime} ?disabled=${!program} .checked=${runtime === this.chosen} @change=${choose}>
      <b>${title}</b><span class="quiet mono cut" title=${detail}>${detail}</span>
    </label>`
  }

  #status({ phase, problem, started }: AgentStart): TemplateResult {
    const title = this.#runtime?.title ?? 'the agent'
    const texts = {
      starting: `Starting ${title}…`,
      sending: 'Waiting for its composer…',
      done: 'Prompt sent.',
    }
    const text = phase in texts ? texts[phase as keyof typeof texts] : ''
    const agent = phase === 'unsent' && started?.agent ? this.store.agents.get(started.agent.name) : null
    return html`
      <p class="start-status" role="status" ?hidden=${!text}>${text}</p>
      ${problem.text && problem.field !== 'cwd' ? html`<p class="question-problem" role="alert">${problem.text}</p>` : nothing}
      ${phase === 'ended' && started?.output ? html`<pre class="start-output" tabindex="0" aria-label="Output">${started.output}</pre>` : nothing}
      ${agent?.state === 'waiting' ? html`<answer-bar .agent=${agent}></answer-bar>` : nothing}`
  }

  #buttons(start: AgentStart, isStarted: boolean): TemplateResult {
    const { phase, started, isBusy } = start
    const verb = isStarted ? 'Send prompt' : phase === 'ended' ? 'Start again' : 'Start'
    const open = started && !isBusy ? started : null
    return html`
      <footer>
        <button type="button" class="button" @click=${() => this.#close()}>${started ? 'Close' : 'Cancel'}</button>
        ${open ? html`<button type="button" class="button" @click=${() => this.#open(open)}>Open terminal</button>` : nothing}
        <button class="button primary" ?disabled=${isBusy || (!isStarted && !this.chosen)}>${isBusy ? 'Starting…' : verb}</button>
      </footer>`
  }

  // --- events ---

  get #runtime(): RuntimeOut | undefined {
    return this.runtimes?.find(({ runtime }) => runtime === this.chosen)
  }

  get #prompt(): string {
    return this.querySelector('textarea')?.value ?? ''
  }

  get #folder(): string {
    return this.querySelector<HTMLInputElement>('[name="cwd"]')?.value ?? ''
  }

  #submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const start = this.#start
    if (!start || start.isBusy) return
    if (start.started && start.phase !== 'ended') {
      void start.send(this.#prompt)
      return
    }
    if (!this.chosen) return
    save(REMEMBERED, this.chosen)
    const { session = '' } = this.#options ?? {}
    const order = { runtime: this.chosen, cwd: this.#folder.trim(), session, prompt: this.#prompt }
    if (start.phase === 'ended') this.#renew()
    void this.#start?.start(order)
  }

  #changed(): void {
    this.requestUpdate()
    const { phase, started, problem } = this.#start ?? {}
    if (phase === 'done' && started && this.#runtime) {
      this.#close()
      this.#options?.onDone(started, this.#runtime, this.#folder)
    }
    const isClosed = this.querySelector('dialog')?.open === false
    // What happened after the user has closed the dialog.
    if (problem?.text && isClosed) this.querySelector('dialog')?.showModal()
  }

  #open(started: StartedAgentOut): void {
    this.#close()
    this.#options?.onOpen(started, this.#prompt)
  }

  #close(): void {
    this.querySelector('dialog')?.close()
  }

  #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    this.querySelector('form')?.requestSubmit()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'start-agent': StartAgent
  }
}
