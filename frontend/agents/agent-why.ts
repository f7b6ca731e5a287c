// <agent-why .agent>: the state of an agent as a button that opens a panel: what its hook, journal,
// screen and process say, and which of them decided.
import type { EventOut, ExplainOut } from '../core/generated/api'
import type { AgentOut } from '../core/generated/socket'
import { customElement, html, nothing, property, state, type TemplateResult, View } from '../core/view'
import { ago } from './words'

const GAP = 6

@customElement('agent-why')
export class AgentWhy extends View {
  @property({ attribute: false }) agent: AgentOut | null = null
  @state() private explained: ExplainOut | null = null
  @state() private problem = ''

  override render() {
    const { agent } = this
    if (!agent) return nothing
    const { state, disputed } = agent
    return html`
      <button type="button" class="chip why-state ${state}" aria-haspopup="dialog" title="Why this state?"
        @click=${this.#open}>${state}${disputed ? ', disputed' : ''}<span class="visually-hidden">: why?</span></button>
      <div class="why-panel" popover role="dialog" aria-label=${`Why ${agent.name} is ${state}`}>${this.#panel(agent)}</div>`
  }

  #panel(agent: AgentOut): TemplateResult {
    const { explained } = this
    if (!explained) return html`<p role="status">${this.problem || 'Loading…'}</p>`
    const { hook, journal, process, decidedBy } = explained
    const rule = explained.rule ? `${explained.state}, by the rule “${explained.rule}”` : explained.state
    return html`
      <h2>${agent.name} is ${explained.believed ?? 'unknown'}</h2>
      <p>Decided by ${decidedBy === 'screen' ? 'its screen' : `its ${decidedBy ?? 'screen'}`}.
        ${explained.disputed ? html`<strong>Disputed:</strong> the witnesses contradict each other.` : nothing}</p>
      <dl>
        <dt>Hook</dt><dd>${eventText(hook, 'No hook has reported anything.')}</dd>
        <dt>Journal</dt><dd>${eventText(journal, 'Nothing read.')}</dd>
        <dt>Screen</dt><dd>${rule}${explained.evidence ? html`<code class="why-evidence">${explained.evidence}</code>` : nothing}</dd>
        <dt>Process</dt><dd>${process ? `${process.pid}, ${processText(process)}` : 'Unknown.'}</dd>
      </dl>`
  }

  #open = async ({ currentTarget }: MouseEvent & { currentTarget: HTMLElement }): Promise<void> => {
    const panel = this.querySelector<HTMLElement>('.why-panel')
    if (!panel || !this.agent) return
    this.explained = null
    this.problem = ''
    panel.showPopover()
    const { left, bottom } = currentTarget.getBoundingClientRect()
    panel.style.top = `${bottom + GAP}px`
    panel.style.left = `${Math.max(GAP, Math.min(left, innerWidth - panel.offsetWidth - GAP))}px`
    this.act('explain-agent', {
      agent: this.agent.name,
      show: (explained: ExplainOut | null, problem: string) => {
        this.explained = explained
        this.problem = problem
      },
    })
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'agent-why': AgentWhy
  }
}

export function eventText(event: EventOut | null, none: string): string {
  if (!event) return none
  const { state, tool, ageSeconds, session } = event
  const words = event.event.replaceAll('-', ' ')
  const age = ageSeconds < 10 ? 'just now' : `${ago(ageSeconds * 1000)} ago`
  const about = [tool, session ? `session ${session.slice(0, 8)}` : ''].filter(Boolean).join(', ')
  return `${words} ${age}: ${state}${about ? ` (${about})` : ''}`
}

function processText({ stopped, foreground }: { stopped: boolean; foreground: boolean }): string {
  if (stopped) return 'stopped'
  return foreground ? 'in front of its terminal' : 'in the background'
}
