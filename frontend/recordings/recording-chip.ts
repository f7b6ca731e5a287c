// <recording-chip .recordings>: shows in the header that the window is being recorded, for how long, and stops it.
import { icons } from '../core/icons'
import type { RecordingOut, ShownWindowOut } from '../core/generated/socket'
import type { Store } from '../core/store'
import { customElement, html, nothing, property, type TemplateResult, View } from '../core/view'
import { clock } from './recording-format'
import { lengthOf } from './recording-list'

const TICK_MS = 1_000

/** The running recordings of the panes of a window, the oldest first. */
export function recordingsOf(store: Pick<Store, 'recordings'>, window: ShownWindowOut): RecordingOut[] {
  return window.panes
    .flatMap(({ paneId }) => store.recordings.get(paneId) ?? [])
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt))
}

@customElement('recording-chip')
export class RecordingChip extends View {
  @property({ attribute: false }) recordings: readonly RecordingOut[] = []
  #timer: ReturnType<typeof setInterval> | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stopTimer()
  }

  override updated(): void {
    if (this.recordings.length === 0 || !this.isConnected) this.#stopTimer()
    else this.#timer ??= setInterval(() => this.requestUpdate(), TICK_MS)
  }

  override render(): TemplateResult | typeof nothing {
    const [oldest] = this.recordings
    if (!oldest) return nothing
    const count = this.recordings.length
    const label = count > 1 ? `Stop recording ${count} panes` : 'Stop recording'
    return html`<time class="recording-now">${clock(lengthOf(oldest))}</time>
      <button type="button" class="button plain icon recording-stop" aria-label=${label} title=${label}
        @click=${() => this.act('record-stop')}>${icons.stop}</button>`
  }

  #stopTimer(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'recording-chip': RecordingChip
  }
}
