// Secret links to one recording: create, copy, list and revoke them.
import type { Api } from '../core/api'
import { messageOf } from '../core/events'
import type { NewShareOut, RecordingOut, ShareOut } from '../core/generated/api'
import {
  customElement,
  html,
  nothing,
  property,
  repeat,
  state,
  type TemplateResult,
  View,
} from '../core/view'
import { day, until } from './recording-format'

const DEFAULT_HOURS = 24
const HOURS: readonly [hours: number, label: string][] = [
  [1, '1 hour'],
  [24, '1 day'],
  [24 * 7, '7 days'],
  [24 * 30, '30 days'],
]

type Shared = Pick<RecordingOut, 'key' | 'title'>

@customElement('share-dialog')
export class ShareDialog extends View {
  @property({ attribute: false }) api!: Api
  @state() private recording: Shared | null = null
  @state() private shares: readonly ShareOut[] | null = null
  @state() private link = ''
  @state() private copied = false
  @state() private problem = ''

  async open(recording: Shared): Promise<void> {
    this.recording = recording
    this.shares = null
    this.link = ''
    this.problem = ''
    this.performUpdate()
    this.querySelector('dialog')?.showModal()
    await this.#try(async () => {
      this.shares = await this.api<ShareOut[]>('GET', sharesPath(recording))
    })
  }

  async #create(event: SubmitEvent, recording: Shared): Promise<void> {
    event.preventDefault()
    // A submit event comes from its form.
    const hours = Number(new FormData(event.target as HTMLFormElement).get('hours'))
    await this.#try(async () => {
      const { path, ...share } = await this.api<NewShareOut>('POST', sharesPath(recording), { hours })
      this.link = new URL(path, location.href).href
      this.copied = false
      this.shares = [...(this.shares ?? []), share]
    })
    await this.updateComplete
    this.querySelector<HTMLInputElement>('.link input')?.select()
  }

  #revoke(share: ShareOut, recording: Shared): Promise<void> {
    return this.#try(async () => {
      await this.api<ShareOut>('DELETE', `${sharesPath(recording)}/${share.key}`)
      this.shares = this.shares?.filter(({ key }) => key !== share.key) ?? null
      this.link = ''
    })
  }

  #copy(): Promise<void> {
    return this.#try(async () => {
      await navigator.clipboard.writeText(this.link)
      this.copied = true
    })
  }

  async #try(request: () => Promise<void>): Promise<void> {
    try {
      await request()
      this.problem = ''
    } catch (error) {
      this.problem = messageOf(error)
    }
  }

  override render(): TemplateResult {
    return html`<dialog class="share" aria-labelledby="share-title">${this.recording ? this.#body(this.recording) : nothing}</dialog>`
  }

  #body(recording: Shared): TemplateResult {
    return html`
      <h2 id="share-title">Share “${recording.title}”</h2>
      <p class="quiet">Anyone with the link can watch this recording, and nothing else, until it expires.</p>
      <form @submit=${(event: SubmitEvent) => this.#create(event, recording)}>
        <label>Expires after <select class="field" name="hours">
          ${HOURS.map(([hours, label]) => html`<option value=${hours} ?selected=${hours === DEFAULT_HOURS}>${label}</option>`)}</select></label>
        <button class="button primary">Create link</button>
      </form>
      ${this.link ? this.#linkView() : nothing}
      ${this.problem ? html`<p class="error-text" role="alert">${this.problem}</p>` : nothing}
      ${this.#list(recording)}
      <form method="dialog" class="close"><button class="button">Close</button></form>`
  }

  #linkView(): TemplateResult {
    return html`<div class="link">
      <label class="visually-hidden" for="share-link">Link</label>
      <input id="share-link" class="field mono" readonly .value=${this.link}>
      <button class="button" @click=${() => this.#copy()}>${this.copied ? 'Copied' : 'Copy'}</button>
      <p class="quiet">Copy it now. webtmux does not store it.</p>
    </div>`
  }

  #list(recording: Shared): TemplateResult | typeof nothing {
    if (!this.shares) return this.problem ? nothing : html`<p class="quiet" role="status">Loading…</p>`
    if (!this.shares.length) return html`<p class="quiet">No active links.</p>`
    const rows = repeat(
      this.shares,
      ({ key }) => key,
      (share) => html`<li>
      <span>Created ${day(share.createdAt)}, expires ${until(share.expiresAt)}</span>
      <button class="button danger" @click=${() => this.#revoke(share, recording)} aria-label=${`Revoke link that expires ${until(share.expiresAt)}`}>Revoke</button></li>`,
    )
    return html`<h3>Active links</h3><ul class="shares">${rows}</ul>`
  }
}

function sharesPath(recording: Shared): string {
  return `/recordings/${recording.key}/shares`
}

declare global {
  interface HTMLElementTagNameMap {
    'share-dialog': ShareDialog
  }
}
