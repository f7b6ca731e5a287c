// <prompt-composer>: where prompts are written, for the agent or the pane that the page shows. What was
// written is kept (deliveries.js); sending is an action. Files and speech come in at the caret.
import './prompt-field.js'

import { load, save } from '../page/memory.js'
import { Live, html, nothing } from '../page/view.js'
import { carriesFiles, keepFile } from './attaching.js'
import { deliveryView, filesView, headView, noteView, placeholder, toolsView } from './composer-views.js'
import { askAgain, deliveries, draftOf, drafts, keepDraft } from './deliveries.js'
import { edited, inserted, without } from './drafts.js'
import { ordered } from './history.js'
import { targetOf } from './target.js'
import { Voice } from './voice.js'

const TOUCH = matchMedia('(pointer: coarse)')
const LISTENING = {
  starting: 'starting to listen…',
  listening: 'listening…',
  writing: 'writing down what was said…',
}

class PromptComposer extends Live {
  static parts = ['windows', 'agents', 'place', 'pane', 'facts', 'projects', 'status']

  services = null
  #target = null
  #historyOpen = false
  #note = '' // what went wrong with a file or the microphone
  #uploads = 0
  #dropping = false
  #wantsFocus = false
  #wasOpen = false
  #voice = null
  #voiceReason = ''
  #hear = () => this.update()

  connectedCallback() {
    for (const ledger of [deliveries, drafts]) ledger.addEventListener('change', this.#hear)
    super.connectedCallback()
  }

  disconnectedCallback() {
    for (const ledger of [deliveries, drafts]) ledger.removeEventListener('change', this.#hear)
    super.disconnectedCallback()
  }

  // --- what actions ask for ---

  /** As soon as there is something to focus: the place may have yet to change. */
  focusSoon() {
    this.#wantsFocus = true
    this.update()
  }

  attach() { this.querySelector('input[type="file"]')?.click() }

  async openHistory() {
    await import('./prompt-history.js')
    this.#historyOpen = true
    this.update()
  }

  /** Starts to listen; while it listens, stops. */
  async listen() {
    if (this.#voice.state !== 'off') return this.#voice.stop()
    const { address } = this.#target
    this.#say('')
    try {
      const said = await this.#voice.listen()
      if (said) this.#insert(address, said)
      else this.#say('Nothing was heard.')
    } catch (problem) {
      this.#say(`No speech: ${problem.message}.`)
    }
  }

  // --- what is shown ---

  paint() {
    this.#follow()
    super.paint()
    if (!this.#wantsFocus || this.hidden || !this.#field) return
    this.#wantsFocus = false
    queueMicrotask(() => this.#field?.focus()) // a field that is new is painted first
  }

  view() {
    if (!this.#target) return nothing
    const { agent, address } = this.#target
    const draft = draftOf(address)
    const delivery = deliveries.get(address)
    const busy = delivery?.phase === 'typing'
    return html`<section class="composer ${this.#dropping ? 'dropping' : ''}" aria-label="Prompt"
      @dragover=${(event) => this.#dragOver(event)} @dragleave=${() => this.#setDropping(false)} @drop=${(event) => this.#drop(event)}>
      ${this.#historyOpen ? this.#historyView(address) : nothing}
      ${headView(this.#target, delivery, this.#uploads ? 'uploading…' : LISTENING[this.#voice.state])}
      ${deliveryView(delivery, { retry: () => this.#send(true), keep: () => deliveries.drop(address) })}
      ${noteView(this.#note, () => this.#say(''))}
      <div class="composer-box">
        <prompt-field .text=${draft.text} .busy=${busy} .enterSends=${this.#enterSends} .placeholder=${placeholder(agent)}
          .label=${agent ? `Prompt for ${agent.runtime}` : 'Text for the terminal'} .entries=${this.#entries}
          @edit=${({ detail }) => this.#edit(address, detail.text)} @send=${() => this.#send(true)}
          @leave=${() => this.act('focus-terminal')} @files=${({ detail }) => this.#attach(detail.files)}></prompt-field>
        ${filesView(draft.files, (path) => this.#edit(address, without(draftOf(address).text, path)))}
        ${this.#toolsView(busy, draft)}
      </div>
    </section>`
  }

  #toolsView(busy, draft) {
    const shown = {
      busy, empty: !draft.text.trim(), enterSends: this.#enterSends, historyOpen: this.#historyOpen,
      voice: this.#voice.state, voiceReason: this.#voiceReason,
    }
    return toolsView(shown, {
      choose: ({ target }) => this.#choose(target), attach: () => this.attach(), listen: () => this.listen(),
      history: () => this.#toggleHistory(), enter: () => this.#setEnterSends(!shown.enterSends),
      type: () => this.#send(false), send: () => this.#send(true),
    })
  }

  #historyView(address) {
    return html`<prompt-history .entries=${this.#entries()} .address=${address}
      @close=${() => this.#toggleHistory()} @pick=${({ detail }) => this.#pick(address, detail.text)}></prompt-history>`
  }

  get #field() { return this.querySelector('prompt-field') }
  get #enterSends() { return load('enter-sends', !TOUCH.matches) }
  #entries = () => ordered(load('prompts', []), this.#target.address)

  /** What belongs to another window is not carried over; a draft follows its window's key. */
  #follow() {
    if (!this.services) return
    const before = this.#target
    this.#target = targetOf(this.store)
    if (before && this.#target && before.address !== this.#target.address) this.#moved(before)
    if (!this.#voice) this.#prepareVoice()
    const isOpen = this.store.status === 'open'
    if (isOpen && !this.#wasOpen) askAgain(this.services)
    this.#wasOpen = isOpen
  }

  #moved(before) {
    const isSame = before.window.windowId === this.#target.window.windowId
    if (isSame && draftOf(before.address).text) keepDraft(this.#target.address, draftOf(before.address))
    this.#field?.reset()
    this.#historyOpen = false
    this.#note = ''
  }

  async #prepareVoice() {
    this.#voice = new Voice(this.services.api)
    this.#voice.addEventListener('change', this.#hear)
    this.#voiceReason = await this.#voice.reason()
    this.update()
  }

  // --- writing ---

  #edit(address, text) {
    keepDraft(address, edited(draftOf(address), text))
    if (deliveries.get(address)?.phase !== 'typing') deliveries.drop(address)
  }

  /** At the caret, or at the end of what is not looked at any more. */
  #insert(address, piece, files = []) {
    const draft = draftOf(address)
    const isHere = this.#target?.address === address && this.#field
    const text = isHere ? this.#field.insert(piece) : inserted(draft.text, draft.text.length, draft.text.length, piece).text
    keepDraft(address, { text, files: [...draft.files, ...files], sent: null })
  }

  #pick(address, text) {
    this.#edit(address, text)
    this.#toggleHistory()
  }

  #toggleHistory() {
    if (!this.#historyOpen) return this.openHistory()
    this.#historyOpen = false
    this.#wantsFocus = true
    this.update()
  }

  #setEnterSends(sends) {
    save('enter-sends', sends)
    this.update()
  }

  #send(submit) {
    const { address, agent, pane } = this.#target
    const { text } = draftOf(address)
    if (!text.trim()) return
    this.#field.reset()
    this.act(submit ? 'send-prompt' : 'type-prompt', { address, pane, agent: agent?.name ?? '', text, submit })
  }

  // --- files ---

  #dragOver(event) {
    if (!carriesFiles(event.dataTransfer)) return
    event.preventDefault() // without it nothing can be dropped
    this.#setDropping(true)
  }

  #setDropping(dropping) {
    this.#dropping = dropping
    this.update()
  }

  #drop(event) {
    this.#setDropping(false)
    if (!carriesFiles(event.dataTransfer)) return
    event.preventDefault() // the browser would open the file instead of the page
    this.#attach([...event.dataTransfer.files])
  }

  #choose(input) {
    this.#attach([...input.files])
    input.value = '' // the same file can be chosen again
  }

  /** One after the other, in the order in which they were given. */
  async #attach(files) {
    const { address, pane } = this.#target
    this.#uploads += 1
    this.#say('')
    for (const file of files) {
      try {
        const kept = await keepFile(this.services.api, pane, file)
        this.#insert(address, kept.path, [kept])
      } catch (problem) {
        this.#say(`${file.name || 'The file'} was not attached: ${problem.message}.`)
      }
    }
    this.#uploads -= 1
    this.update()
  }

  #say(note) {
    this.#note = note
    this.update()
  }
}

customElements.define('prompt-composer', PromptComposer)
