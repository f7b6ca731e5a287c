// The card of a task: text, description, links, agent and history. A dialog on a desktop, a sheet at the
// bottom on a phone. Emits `card-save`, `card-close` and `choose`; the screen makes the changes.
import { receiptText } from '../agents/words'
import { customElement, html, nothing, property, state, type TemplateResult, View } from '../core/view'
import type { Command } from './board-actions'
import { describeTask } from './card-history'
import type { Card } from './columns'
import { linksIn } from './links'
import type { OpenedCard } from './opened-card'
import { WORK_CHIPS, WORK_TEXTS, type Work } from './task-card'
import { LABELS, STATUSES } from './tasks'

/** The `detail` of a `card-save` event: what the user saw, and what to store. */
export interface CardSaveDetail {
  card: Card
  text: string
  description: string
}
type FieldEvent<Field extends HTMLElement> = Event & { readonly currentTarget: Field }

@customElement('card-dialog')
export class CardDialog extends View {
  /** The card as the board shows it now; null if it was removed. */
  @property({ attribute: false }) card: Card | null = null
  @property({ attribute: false }) work: Work | null = null
  @property({ attribute: false }) opened: OpenedCard | null = null
  @property({ attribute: false }) sheetTitle = ''
  @property({ attribute: false }) readonly = false
  // What the user typed; null: nothing yet.
  @state() private text: string | null = null
  @state() private description: string | null = null
  @state() private warned = false
  // The card that the user started from.
  #seen: Card | null = null

  open(card: Card): void {
    this.#seen = card
    this.text = null
    this.description = null
    this.warned = false
    this.requestUpdate()
    this.performUpdate()
    const dialog = this.querySelector('dialog')
    if (!dialog?.open) dialog?.showModal()
    // Not the first control: on a phone, a field would open the keyboard.
    dialog?.focus()
  }

  get #changed(): boolean {
    const seen = this.#seen
    if (!seen) return false
    const isNew = (typed: string | null, before: string) => typed !== null && typed.trim() !== before
    return isNew(this.text, seen.text) || isNew(this.description, seen.description ?? '')
  }

  override render(): TemplateResult {
    // A card that is gone stays readable until the dialog is closed.
    const card = this.card ?? this.#seen
    return html`
      <dialog class="card-sheet" aria-labelledby="card-title" tabindex="-1"
        @keydown=${(event: KeyboardEvent) => this.#key(event)}
        @cancel=${(event: Event) => this.#cancel(event)}
        @close=${() => this.#closed()}
        @click=${(event: MouseEvent) => this.#clicked(event)}>
        ${card ? this.#content(card) : nothing}
      </dialog>`
  }

  #content(card: Card): TemplateResult {
    // Until the user types, changes by others are shown and count as seen.
    if (this.card && this.text === null && this.description === null) this.#seen = this.card
    return html`
      <form @submit=${(event: SubmitEvent) => this.#save(event)}>
        <header>
          <h2 id="card-title" class="cut">${this.sheetTitle}</h2>
          ${this.#status(card)}
          <button type="button" class="button plain icon" aria-label="Close" @click=${() => this.#leave()}>✕</button>
        </header>
        <div class="card-body">
          ${this.#fields(card)}
          ${linksView(linksIn(`${this.text ?? card.text}\n${this.description ?? card.description ?? ''}`))}
          ${this.#agent(card)}
          ${this.#history()}
        </div>
        ${this.#foot()}
      </form>`
  }

  #status(card: Card): TemplateResult {
    if (this.readonly) return html`<span class="chip">${LABELS[card.status]}</span>`
    const choose = ({ currentTarget }: FieldEvent<HTMLSelectElement>) => {
      const status = STATUSES.find((name) => name === currentTarget.value)
      if (status && status !== card.status)
        this.emit('choose', { what: 'move', card, status } satisfies Command)
    }
    return html`
      <select class="field" aria-label="Column" .value=${card.status} @change=${choose}>
        ${STATUSES.map((status) => html`<option value=${status} ?selected=${status === card.status}>${LABELS[status]}</option>`)}
      </select>`
  }

  #fields(card: Card): TemplateResult {
    const type = (name: 'text' | 'description') => (event: FieldEvent<HTMLTextAreaElement>) => {
      this[name] = event.currentTarget.value
      this.warned = false
    }
    return html`
      <label class="card-field">Task
        <textarea class="field card-text" name="text" rows="1" ?readonly=${this.readonly}
          .value=${this.text ?? card.text} @input=${type('text')}></textarea>
      </label>
      <label class="card-field">Description
        <textarea class="field card-description" name="description" rows="3" ?readonly=${this.readonly}
          placeholder=${this.readonly ? '' : 'Details, steps, links'}
          .value=${this.description ?? card.description ?? ''} @input=${type('description')}></textarea>
      </label>`
  }

  #agent(card: Card): TemplateResult | typeof nothing {
    const { work } = this
    if (!work && this.readonly) return nothing
    const handoff = html`<button type="button" class="button" @click=${() => this.#give('handoff', card)}>Hand off to agent…</button>
      <button type="button" class="button" @click=${() => this.#give('start', card)}>Start agent…</button>`
    if (!work)
      return html`<section class="card-agent"><h3>Agent</h3><p class="quiet">No agent works on this task.</p><div class="buttons">${handoff}</div></section>`
    const { link, state, title } = work
    return html`
      <section class="card-agent">
        <h3>Agent</h3>
        <p><span class="chip ${WORK_CHIPS[state]}">${title} ${WORK_TEXTS[state]}</span></p>
        <p class="quiet">Handed off ${timeView(link.at)}${link.agent && link.agent !== title ? ` to ${link.agent}` : ''}${
          link.receipt ? `. ${receiptOf(link.receipt)}` : ''
        }</p>
        <div class="buttons">
          ${
            work.alive
              ? html`<button type="button" class="button" @click=${() => this.#openWindow(link.window)}>Open terminal</button>`
              : nothing
          }
          ${this.readonly ? nothing : handoff}
        </div>
      </section>`
  }

  #history(): TemplateResult {
    const { history = null, problem = '' } = this.opened ?? {}
    return html`
      <section class="card-history">
        <h3>History</h3>
        ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
        ${history?.length === 0 ? html`<p class="quiet">No changes recorded.</p>` : nothing}
        <ol>${(history ?? []).map(
          ({ at, by, changes }) =>
            html`<li><b>${by}</b> ${describeTask(changes)} <span class="quiet">${timeView(at)}</span></li>`,
        )}</ol>
      </section>`
  }

  #foot(): TemplateResult {
    if (this.readonly) return html`<footer><p class="quiet">From Notion, read-only here.</p></footer>`
    if (!this.card)
      return html`<footer><p class="problem" role="alert">Someone else removed this task. Copy what you want to keep.</p></footer>`
    return html`
      <footer>
        ${this.warned ? html`<p class="problem" role="alert">Not saved yet. Save, or press Escape again to discard.</p>` : nothing}
        <button type="button" class="button" @click=${() => this.#leave()}>${this.warned ? 'Discard' : 'Close'}</button>
        <button class="button primary" ?disabled=${!this.#changed}>Save</button>
      </footer>`
  }

  // --- events ---

  #save(event: Event): void {
    event.preventDefault()
    const card = this.#seen
    const text = (this.text ?? card?.text ?? '').trim()
    if (!card || !this.#changed || !text || this.readonly || !this.card) return
    const description = this.description ?? card.description ?? ''
    this.emit('card-save', { card, text, description } satisfies CardSaveDetail)
    this.#discard()
  }

  /** The keys of the board do nothing here. Enter in the text saves: a task is one line. */
  #key(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.key !== 'Enter' || event.isComposing) return
    const isText = event.target instanceof HTMLElement && event.target.matches('.card-text')
    if (isText || event.ctrlKey || event.metaKey) this.#save(event)
  }

  /** Escape: unsaved text is discarded only the second time. */
  #cancel(event: Event): void {
    if (!this.#changed || this.warned || !this.card) return
    event.preventDefault()
    this.warned = true
  }

  #clicked({ target, currentTarget }: MouseEvent): void {
    // The backdrop belongs to the dialog; everything else is inside of its form.
    if (target === currentTarget) this.#leave()
  }

  #leave(): void {
    if (this.#changed && !this.warned && this.card) this.warned = true
    else this.#discard()
  }

  #discard(): void {
    this.querySelector('dialog')?.close()
  }

  #closed(): void {
    this.text = null
    this.description = null
    this.emit('card-close', { key: this.#seen?.key ?? '' })
  }

  #openWindow(key: string): void {
    this.#discard()
    this.act('go', { place: { view: 'terminal', key, project: '' } })
  }

  #give(what: 'handoff' | 'start', card: Card): void {
    this.#discard()
    this.emit('choose', { what, card } satisfies Command)
  }
}

function linksView(links: readonly string[]): TemplateResult | typeof nothing {
  if (!links.length) return nothing
  return html`
    <section class="card-links">
      <h3>Links</h3>
      <ul>${links.map((link) => html`<li><a href=${link} target="_blank" rel="noopener noreferrer">${link}</a></li>`)}</ul>
    </section>`
}

function receiptOf({ turnStarted, attempts = 1, ms = 0 }: NonNullable<Work['link']['receipt']>): string {
  return receiptText({ order: { submit: true }, receipt: { turnStarted, attempts, ms } })
}

function timeView(time: string): TemplateResult {
  const shown = new Date(time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
  return html`<time datetime=${time}>${shown}</time>`
}

declare global {
  interface HTMLElementTagNameMap {
    'card-dialog': CardDialog
  }
}
