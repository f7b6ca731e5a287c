// A card in the main area instead of content: loading, no session yet, window gone. notices.ts decides
// which. While it is shown, `data-notice` on <body> hides the rest.
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  nothing,
  type PropertyValues,
  state,
  type TemplateResult,
} from '../core/view'
import { windowTitle } from '../core/workspace'
import { newSessionCommand } from '../terminals/attaching'
import { type Notice, notice } from './notices'

// The page may open the address of a new window before the next poll of tmux reports it.
const GRACE_MS = 2_000

@customElement('stage-notice')
export class StageNotice extends Live {
  static override parts: readonly Part[] = [
    'windows',
    'savedWindows',
    'place',
    'problem',
    'tmuxCommand',
    'status',
  ]

  // The address of a window that is still missing after the grace period.
  @state() private missingKey = ''
  #kind: Notice = ''
  #timer: ReturnType<typeof setTimeout> | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stop()
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    this.#kind = this.#withGrace(notice(this.store))
    if (this.#kind) document.body.dataset['notice'] = this.#kind
    else delete document.body.dataset['notice']
  }

  override render(): TemplateResult | typeof nothing {
    if (this.#kind === 'loading') return this.#loading()
    if (this.#kind === 'empty') return this.#empty()
    if (this.#kind === 'gone') return this.#gone()
    return nothing
  }

  #withGrace(kind: Notice): Notice {
    if (kind !== 'gone') {
      this.#stop()
      this.missingKey = ''
    } else if (this.missingKey !== this.store.place.key) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.missingKey = this.store.place.key
      }, GRACE_MS)
      return 'loading'
    }
    return kind
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #loading(): TemplateResult {
    return html`
    <div class="notice-skeleton" role="status"><span class="visually-hidden">Loading…</span>
      <i></i><i></i><i></i><i></i></div>`
  }

  #empty(): TemplateResult {
    const command = newSessionCommand(this.store.tmuxCommand)
    return html`
    <section class="notice card" aria-labelledby="notice-title">
      <span class="mark" aria-hidden="true"></span>
      <h2 id="notice-title">No tmux sessions</h2>
      <p>A session holds the terminals of one project. It keeps running when you close this page,
        and you can attach to it from any terminal on this machine.</p>
      <div class="notice-ways">
        <button class="button primary" @click=${() => this.act('start-agent')}>Start an agent</button>
        <button class="button" @click=${() => this.act('create-session')}>Start a session</button>
      </div>
      <p class="quiet">Or start one in a terminal. It appears here right away:</p>
      <div class="notice-command">
        <pre tabindex="0"><code>${command}</code></pre>
        <button class="button" @click=${() => this.act('copy-text', { text: command })}>Copy</button>
      </div>
      ${this.store.problem ? html`<p class="quiet notice-why">tmux: ${this.store.problem}</p>` : nothing}
    </section>`
  }

  #gone(): TemplateResult {
    const { key } = this.store.place
    const saved = this.store.savedWindows.get(key)
    return html`
      <section class="notice card" aria-labelledby="notice-title">
        <h2 id="notice-title">${saved ? `${windowTitle(saved)} has ended` : 'Window not found'}</h2>
        <p>${
          saved
            ? 'This window was closed. Its notes and chat are kept.'
            : 'It was closed, or the link is from another machine.'
        }</p>
        <div class="notice-ways">
          <a class="button primary" href="#/">All agents</a>
          ${saved ? html`<a class="button" href="#/window/${key}/chat">Open chat</a><a class="button" href="#/window/${key}/notes">Open notes</a>` : nothing}
        </div>
      </section>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'stage-notice': StageNotice
  }
}
