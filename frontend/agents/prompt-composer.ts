// <prompt-composer>: the editor for prompts to the agent or pane that the page shows. Drafts are kept
// (deliveries.ts); sending is an action. Files and speech are inserted at the caret.
import './prompt-field'

import { messageOf } from '../core/events'
import { load, save } from '../core/memory'
import { sentence } from '../core/sentence'
import type { Services } from '../core/services'
import type { Part } from '../core/store'
import {
  customElement,
  html,
  Live,
  nothing,
  type PropertyValues,
  property,
  query,
  state,
  type TemplateResult,
} from '../core/view'
import { hasFiles, type UploadedFile, uploadFile } from './attaching'
import { deliveryView, filesView, headView, noteView, placeholder, toolsView } from './composer-views'
import { checkUnknown, deliveries, draftOf, drafts, prompts, saveDraft } from './deliveries'
import { type Draft, edited, insertText, removePath } from './drafts'
import { ordered } from './history'
import type { PromptField } from './prompt-field'
import { type Target, targetOf } from './target'
import { Voice, type VoiceState } from './voice'

const TOUCH = matchMedia('(pointer: coarse)')
const VOICE_PROGRESS: Readonly<Record<VoiceState, string>> = {
  off: '',
  starting: 'Starting…',
  listening: 'Listening…',
  writing: 'Transcribing…',
}

@customElement('prompt-composer')
export class PromptComposer extends Live {
  static override parts: readonly Part[] = [
    'windows',
    'agents',
    'place',
    'pane',
    'savedWindows',
    'projects',
    'status',
  ]

  @property({ attribute: false }) services!: Services
  @state() private historyOpen = false
  // An error with a file or the microphone.
  @state() private note = ''
  @state() private uploads = 0
  @state() private dropping = false
  @state() private voiceReason = ''
  @query('prompt-field') private field!: PromptField | null

  // Computed before each rendering.
  #target: Target | null = null
  #wantsFocus = false
  #wasOpen = false
  #voice: Voice | null = null
  #onChange = () => this.requestUpdate()

  override connectedCallback(): void {
    super.connectedCallback()
    for (const ledger of [deliveries, drafts]) ledger.addEventListener('change', this.#onChange)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    for (const ledger of [deliveries, drafts]) ledger.removeEventListener('change', this.#onChange)
    this.#voice?.stop()
  }

  // --- called by actions ---

  /** Focuses the field once it is shown: the place may still have to change. */
  focusSoon(): void {
    this.#wantsFocus = true
    this.requestUpdate()
  }

  attach(): void {
    this.querySelector<HTMLInputElement>('input[type="file"]')?.click()
  }

  async openHistory(): Promise<void> {
    await import('./prompt-history')
    this.historyOpen = true
  }

  /** Starts dictation, or stops it if it is running. */
  async listen(): Promise<void> {
    if (!this.#voice || !this.#target) return
    if (this.#voice.state !== 'off') return this.#voice.stop()
    const { address } = this.#target
    this.note = ''
    try {
      const text = await this.#voice.listen()
      if (text) this.#insert(address, text)
      else this.note = 'No speech detected.'
    } catch (error) {
      this.note = `Dictation failed. ${sentence(messageOf(error))}`
    }
  }

  // --- rendering ---

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed)
    this.#updateTarget()
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const { field } = this
    if (!this.#wantsFocus || this.hidden || !field) return
    this.#wantsFocus = false
    // A new field must be rendered first.
    void field.updateComplete.then(() => field.focus())
  }

  override render() {
    const target = this.#target
    if (!target) return nothing
    const { agent, address } = target
    const draft = draftOf(address)
    const delivery = deliveries.get(address)
    const busy = delivery?.phase === 'typing'
    const progress = this.uploads ? 'Uploading…' : VOICE_PROGRESS[this.#voice?.state ?? 'off']
    return html`<section class="composer ${this.dropping ? 'dropping' : ''}" aria-label="Prompt"
      @dragover=${this.#onDragOver} @dragleave=${this.#onDragLeave} @drop=${this.#onDrop}>
      ${this.historyOpen ? this.#historyView(address) : nothing}
      ${headView(target, delivery, progress)}
      ${deliveryView(delivery, { retry: () => this.#send(true), keep: () => deliveries.drop(address) })}
      ${noteView(this.note, () => {
        this.note = ''
      })}
      <div class="composer-box">
        <prompt-field .text=${draft.text} .busy=${busy} .enterSends=${this.#enterSends} .placeholder=${placeholder(agent)}
          .label=${agent ? `Prompt for ${agent.runtime}` : 'Text for the terminal'} .entries=${this.#entries}
          @edit=${({ detail }: CustomEvent<{ text: string }>) => this.#edit(address, detail.text)} @send=${() => this.#send(true)}
          @leave=${() => this.act('focus-terminal')} @files=${({ detail }: CustomEvent<{ files: File[] }>) => this.#attach(detail.files)}></prompt-field>
        ${filesView(draft.files, (path) => this.#edit(address, removePath(draftOf(address).text, path)))}
        ${this.#toolsView(busy, draft)}
      </div>
    </section>`
  }

  #toolsView(busy: boolean, draft: Draft) {
    const { historyOpen, voiceReason } = this
    const enterSends = this.#enterSends
    const voice = this.#voice?.state ?? 'off'
    return toolsView(
      { busy, empty: !draft.text.trim(), enterSends, historyOpen, voice, voiceReason },
      {
        // The listener is on the input.
        choose: ({ target }) => this.#choose(target as HTMLInputElement),
        attach: () => this.attach(),
        listen: () => void this.listen(),
        history: () => this.#toggleHistory(),
        enter: () => this.#setEnterSends(!enterSends),
        type: () => this.#send(false),
        send: () => this.#send(true),
      },
    )
  }

  #historyView(address: string): TemplateResult {
    return html`<prompt-history .entries=${this.#entries()} .address=${address}
      @close=${() => this.#toggleHistory()} @pick=${({ detail }: CustomEvent<{ text: string }>) => this.#pick(address, detail.text)}></prompt-history>`
  }

  get #enterSends(): boolean {
    return load('enter-sends', !TOUCH.matches)
  }

  #entries = () => ordered(prompts(), this.#target?.address ?? '')

  /** Resets the state of the previous window; a draft moves along when its window gets a key. */
  #updateTarget(): void {
    const before = this.#target
    const target = targetOf(this.store)
    this.#target = target
    if (before && target && before.address !== target.address) this.#targetChanged(before, target)
    if (!this.#voice) void this.#prepareVoice()
    const isOpen = this.store.status === 'open'
    if (isOpen && !this.#wasOpen) checkUnknown(this.services)
    this.#wasOpen = isOpen
  }

  #targetChanged(before: Target, target: Target): void {
    const isSame = before.window.windowId === target.window.windowId
    if (isSame && draftOf(before.address).text) saveDraft(target.address, draftOf(before.address))
    this.field?.reset()
    this.historyOpen = false
    this.note = ''
  }

  async #prepareVoice(): Promise<void> {
    this.#voice = new Voice(this.services.api)
    this.#voice.addEventListener('change', this.#onChange)
    this.voiceReason = await this.#voice.reason()
  }

  // --- writing ---

  #edit(address: string, text: string): void {
    saveDraft(address, edited(draftOf(address), text))
    if (deliveries.get(address)?.phase !== 'typing') deliveries.drop(address)
  }

  /** Inserts at the caret, or at the end of a draft that is not shown any more. */
  #insert(address: string, piece: string, files: readonly UploadedFile[] = []): void {
    const draft = draftOf(address)
    const end = draft.text.length
    const field = this.#target?.address === address ? this.field : null
    const text = field ? field.insert(piece) : insertText(draft.text, end, end, piece).text
    saveDraft(address, { text, files: [...draft.files, ...files], sent: null })
  }

  #pick(address: string, text: string): void {
    this.#edit(address, text)
    this.#toggleHistory()
  }

  #toggleHistory(): void {
    if (!this.historyOpen) return void this.openHistory()
    this.historyOpen = false
    this.focusSoon()
  }

  #setEnterSends(sends: boolean): void {
    save('enter-sends', sends)
    this.requestUpdate()
  }

  #send(submit: boolean): void {
    if (!this.#target) return
    const { address, agent, pane } = this.#target
    const { text } = draftOf(address)
    if (!text.trim()) return
    this.field?.reset()
    this.act(submit ? 'send-prompt' : 'type-prompt', {
      address,
      pane,
      agent: agent?.name ?? '',
      text,
      submit,
    })
  }

  // --- files ---

  #onDragOver = (event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return
    // Required to allow a drop.
    event.preventDefault()
    this.dropping = true
  }

  #onDragLeave = () => {
    this.dropping = false
  }

  #onDrop = (event: DragEvent) => {
    this.dropping = false
    if (!hasFiles(event.dataTransfer)) return
    // Otherwise the browser opens the file.
    event.preventDefault()
    void this.#attach([...event.dataTransfer.files])
  }

  #choose(input: HTMLInputElement): void {
    void this.#attach([...(input.files ?? [])])
    // Allows choosing the same file again.
    input.value = ''
  }

  /** Uploads one after the other, in the given order. */
  async #attach(files: readonly File[]): Promise<void> {
    if (!this.#target) return
    const { address, pane } = this.#target
    this.uploads += 1
    this.note = ''
    for (const file of files) {
      try {
        const uploaded = await uploadFile(this.services.api, pane, file)
        this.#insert(address, uploaded.path, [uploaded])
      } catch (error) {
        this.note = `Could not attach ${file.name || 'the file'}. ${sentence(messageOf(error))}`
      }
    }
    this.uploads -= 1
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'prompt-composer': PromptComposer
  }
}
