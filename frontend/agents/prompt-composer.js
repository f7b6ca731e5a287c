// <prompt-composer>: where prompts are written, for the agent or the pane that the page shows. What was
// written is kept (deliveries.js); sending is an action. Files and speech come in at the caret.
import './prompt-history.js'

import { load, save } from '../page/memory.js'
import { Live, html, live, nothing } from '../page/view.js'
import { pastedFiles } from '../terminals/transfers.js'
import { carriesFiles, keepFile } from './attaching.js'
import { deliveryView, filesView, headView, noteView, placeholder, toolsView } from './composer-views.js'
import { askAgain, deliveries, draftOf, drafts, keepDraft } from './deliveries.js'
import { edited, inserted, without } from './drafts.js'
import { NO_WALK, arrow, ordered, step } from './history.js'
import { targetOf } from './target.js'
import { Voice } from './voice.js'

const TOUCH = matchMedia('(pointer: coarse)')

class PromptComposer extends Live {
  static parts = ['windows', 'agents', 'place', 'pane', 'facts', 'projects', 'status']

  services = null
  #target = null
  #walk = NO_WALK
  #historyOpen = false
  #note = '' // what went wrong with a file or the microphone
  #uploading = 0
  #voice = null
  #voiceReason = ''
  #dropping = false
  #wantsFocus = false
  #wasOpen = false
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

  focus() { this.#textarea?.focus() }

  /** Also when the place has yet to change: as soon as there is something to focus. */
  focusSoon() {
    this.#wantsFocus = true
    this.update()
  }

  attach() { this.querySelector('input[type="file"]')?.click() }

  openHistory() {
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

  view() {
    this.#follow()
    if (!this.#target) return nothing
    const { agent, address } = this.#target
    const draft = draftOf(address)
    const delivery = deliveries.get(address)
    const busy = delivery?.phase === 'typing'
    return html`<section class="composer ${this.#dropping ? 'dropping' : ''}" aria-label="Prompt"
      @dragover=${(event) => this.#dragOver(event)} @dragleave=${() => this.#drop(false)} @drop=${(event) => this.#dropped(event)}>
      ${this.#historyOpen ? this.#historyView(address) : nothing}
      ${headView(this.#target, delivery, this.#progress())}
      ${deliveryView(delivery, { retry: () => this.#send(true), keep: () => deliveries.drop(address) })}
      ${noteView(this.#note, () => this.#say(''))}
      <div class="composer-box">
        <textarea rows="1" aria-label=${agent ? `Prompt for ${agent.runtime}` : 'Text for the terminal'} ?readonly=${busy} aria-busy=${String(busy)}
          placeholder=${placeholder(agent)}
          .value=${live(draft.text)} spellcheck="true" autocapitalize="sentences"
          @input=${({ target }) => this.#edit(address, target.value)}
          @keydown=${(event) => this.#key(event)} @paste=${(event) => this.#paste(event)}></textarea>
        ${filesView(draft.files, (path) => this.#edit(address, without(draftOf(address).text, path)))}
        ${this.#toolsView(busy, draft)}
      </div>
    </section>`
  }

  paint() {
    super.paint()
    const textarea = this.#textarea
    if (!textarea) return
    textarea.style.blockSize = 'auto'
    textarea.style.blockSize = `${textarea.scrollHeight}px`
    if (this.#wantsFocus && !this.hidden) {
      this.#wantsFocus = false
      textarea.focus()
    }
  }

  #toolsView(busy, draft) {
    const shown = {
      busy, empty: !draft.text.trim(), enterSends: this.#enterSends, historyOpen: this.#historyOpen,
      voice: this.#voice?.state ?? 'off', voiceReason: this.#voiceReason,
    }
    return toolsView(shown, {
      choose: ({ target }) => this.#chosen(target), attach: () => this.attach(), listen: () => this.listen(),
      history: () => this.#toggleHistory(), enter: () => this.#setEnterSends(!shown.enterSends),
      type: () => this.#send(false), send: () => this.#send(true),
    })
  }

  #historyView(address) {
    return html`<prompt-history .entries=${ordered(load('prompts', []), address)} .address=${address}
      @close=${() => this.#toggleHistory()} @pick=${({ detail }) => this.#pick(address, detail.text)}></prompt-history>`
  }

  #progress() {
    if (this.#uploading) return 'uploading…'
    return { starting: 'starting to listen…', listening: 'listening… press stop when you are done', writing: 'writing down what was said…' }[this.#voice?.state] ?? ''
  }

  get #textarea() { return this.querySelector('textarea') }
  get #enterSends() { return load('enter-sends', !TOUCH.matches) }

  /** What belongs to another window is not carried over; a draft follows its window's key. */
  #follow() {
    const before = this.#target
    this.#target = targetOf(this.store)
    if (before && this.#target && before.address !== this.#target.address) {
      if (before.window.windowId === this.#target.window.windowId) keepDraft(this.#target.address, draftOf(before.address))
      this.#walk = NO_WALK
      this.#historyOpen = false
      this.#note = ''
    }
    if (this.services && !this.#voice) this.#prepareVoice()
    const isOpen = this.store.status === 'open'
    if (isOpen && !this.#wasOpen) askAgain(this.services)
    this.#wasOpen = isOpen
  }

  async #prepareVoice() {
    this.#voice = new Voice(this.services.api)
    this.#voice.addEventListener('change', this.#hear)
    this.#voiceReason = await this.#voice.reason()
    this.update()
  }

  // --- writing ---

  #edit(address, text) {
    this.#walk = NO_WALK
    keepDraft(address, edited(draftOf(address), text))
    if (['done', 'failed', 'unknown'].includes(deliveries.get(address)?.phase)) deliveries.drop(address)
  }

  /** At the caret, or at the end of what is not looked at any more. */
  #insert(address, piece, file = null) {
    const draft = draftOf(address)
    const here = this.#target?.address === address ? this.#textarea : null
    const { text, caret } = inserted(draft.text, here?.selectionStart ?? draft.text.length, here?.selectionEnd ?? draft.text.length, piece)
    keepDraft(address, { text, files: [...draft.files, ...(file ? [file] : [])], sent: null })
    if (here) queueMicrotask(() => queueMicrotask(() => this.#placeCaret(caret)))
  }

  #placeCaret(caret) {
    this.focus()
    this.#textarea?.setSelectionRange(caret, caret)
  }

  #key(event) {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (event.isComposing || altKey) return
    if (key === 'Enter' && (ctrlKey || metaKey || (this.#enterSends && !shiftKey))) this.#send(true)
    else if (key === 'Escape') this.act('focus-terminal')
    else if ((key !== 'ArrowUp' && key !== 'ArrowDown') || shiftKey || ctrlKey || metaKey || !this.#stepHistory(key)) return
    event.preventDefault()
  }

  #stepHistory(key) {
    const { value: text, selectionStart: start, selectionEnd: end } = this.#textarea
    const meant = arrow(key, { text, start, end, walking: this.#walk.at >= 0 })
    if (meant === 'edge') this.#textarea.setSelectionRange(0, 0)
    if (meant !== 'step') return meant !== ''
    const { address } = this.#target
    const stepped = step(ordered(load('prompts', []), address), this.#walk, key === 'ArrowUp' ? 1 : -1, text)
    if (!stepped) return true
    this.#edit(address, stepped.text)
    this.#walk = stepped.walk
    return true
  }

  #pick(address, text) {
    this.#historyOpen = false
    this.#edit(address, text)
    this.focusSoon()
  }

  #toggleHistory() {
    this.#historyOpen = !this.#historyOpen
    if (!this.#historyOpen) this.focusSoon()
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
    this.#walk = NO_WALK
    this.act(submit ? 'send-prompt' : 'type-prompt', { address, pane, agent: agent?.name ?? '', text, submit })
  }

  // --- files ---

  #dragOver(event) {
    if (!carriesFiles(event.dataTransfer)) return
    event.preventDefault() // without it nothing can be dropped
    this.#drop(true)
  }

  #drop(dropping) {
    if (this.#dropping === dropping) return
    this.#dropping = dropping
    this.update()
  }

  #dropped(event) {
    this.#drop(false)
    const files = [...event.dataTransfer.files]
    if (!files.length) return
    event.preventDefault()
    this.#upload(files)
  }

  #paste(event) {
    const files = pastedFiles(event.clipboardData)
    if (!files.length) return
    event.preventDefault()
    this.#upload(files)
  }

  #chosen(input) {
    const files = [...input.files]
    input.value = '' // the same file can be chosen again
    this.#upload(files)
  }

  /** One after the other, in the order in which they were given. */
  async #upload(files) {
    const { address, pane } = this.#target
    this.#say('')
    this.#uploading += 1
    try {
      for (const file of files) await this.#uploadOne(file, address, pane)
    } finally {
      this.#uploading -= 1
      this.update()
    }
  }

  async #uploadOne(file, address, pane) {
    try {
      const kept = await keepFile(this.services.api, pane, file)
      this.#insert(address, kept.path, kept)
    } catch (problem) {
      this.#say(`${file.name || 'The file'} was not attached: ${problem.message}.`)
    }
  }

  #say(note) {
    this.#note = note
    this.update()
  }
}

customElements.define('prompt-composer', PromptComposer)
