// The page of one recording: asciinema-player with speed, shortened pauses, markers and search. The data
// comes from player-source, time conversion from cast.
import { create as createPlayer, type Player } from 'asciinema-player'

import { messageOf } from '../core/events'
import type { HitsOut, RecordingDetailOut } from '../core/generated/api'
import { load, save } from '../core/memory'
import { applyTheme, isDark } from '../core/theme'
import { customElement, html, live, nothing, repeat, state, type TemplateResult, View } from '../core/view'
import { windowTitle } from '../core/workspace'
import { type Cast, type IdleClock, idleClock, parseCast } from './cast'
import { PlayerSource } from './player-source'
import { bytes, clock, day } from './recording-format'

const SPEEDS = [0.5, 1, 1.5, 2, 4, 8]
const PAUSES: readonly [seconds: number, label: string][] = [
  [1, '1 s'],
  [2, '2 s'],
  [5, '5 s'],
  [0, 'no limit'],
]
const SEARCH_MS = 250
// Added to a position, so that output at exactly that time is shown.
const AFTER = 0.002
// Characters shown before a match, so that the match is visible.
const BEFORE = 24

/** An opened recording. Speed, pauses and colours of a player cannot be changed: a new one is opened. */
interface Playing {
  player: Player
  clock: IdleClock
}
type Results = HitsOut | { problem: string }
type FieldEvent<Field extends HTMLElement> = Event & { readonly currentTarget: Field }
type Shown = TemplateResult | typeof nothing

@customElement('player-page')
export class PlayerPage extends View {
  @state() private detail: RecordingDetailOut | null = null
  @state() private download = ''
  @state() private problem = ''
  @state() private speed = load('player-speed', 1)
  @state() private pause = load('player-pause', 2)
  @state() private words = ''
  @state() private results: Results | null = null
  // The marker or search result that was jumped to last.
  @state() private chosen = ''
  #source: PlayerSource | null = null
  #cast: Cast | null = null
  #playing: Playing | null = null
  // Where the user jumped to while the recording was being loaded: maybe beyond the end of the old one.
  #wanted: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  override connectedCallback(): void {
    applyTheme()
    // The server's text for browsers without scripts.
    if (!this.hasUpdated) this.replaceChildren()
    super.connectedCallback()
    document.addEventListener('theme-changed', this.#reopen)
    const position = Number(new URLSearchParams(location.search).get('t')) || 0
    this.toggleAttribute('data-jumped', position > 0)
    void this.#load(position)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    document.removeEventListener('theme-changed', this.#reopen)
    clearTimeout(this.#timer)
    this.#playing?.player.dispose()
    this.#playing = null
  }

  /** Created on first use: the attributes are set by then. */
  get #data(): PlayerSource {
    this.#source ??= new PlayerSource(this.getAttribute('root') ?? '', this.getAttribute('secret') ?? '')
    return this.#source
  }

  /** Without a position: at the current one. */
  async #load(position?: number): Promise<void> {
    this.#wanted = null
    try {
      const [detail, text] = await Promise.all([this.#data.detail(), this.#data.cast()])
      const cast = parseCast(text)
      this.#cast = cast
      this.download = this.#data.castAddress()
      this.detail = detail
      this.problem = ''
      await this.updateComplete
      await this.#open(cast, this.#wanted ?? position ?? this.#position(), false)
    } catch (error) {
      this.problem = messageOf(error)
    }
  }

  async #open(cast: Cast, position: number, playing: boolean): Promise<void> {
    const container = this.querySelector<HTMLElement>('.stage')
    if (!container || !this.isConnected) return
    this.#playing?.player.dispose()
    const clock = idleClock(cast.events, this.pause || Number.POSITIVE_INFINITY)
    const player = createPlayer({ data: [], parser: () => cast }, container, {
      fit: matchMedia('(max-width: 900px)').matches ? 'width' : 'both',
      controls: true,
      preload: true,
      speed: this.speed,
      theme: isDark() ? 'webtmux-dark' : 'webtmux-light',
      ...(this.pause ? { idleTimeLimit: this.pause } : {}),
    })
    this.#playing = { player, clock }
    player.addEventListener('play', () => this.toggleAttribute('data-playing', true))
    player.addEventListener('pause', () => this.toggleAttribute('data-playing', false))
    player.addEventListener('ended', () => this.toggleAttribute('data-playing', false))
    await player.seek(clock.shown(position) + AFTER)
    if (playing) await player.play()
    this.toggleAttribute('data-ready', true)
  }

  #reopen = () => {
    if (this.#cast) void this.#open(this.#cast, this.#position(), this.hasAttribute('data-playing'))
  }

  /** The current recorded time, in seconds. */
  #position(): number {
    return this.#playing ? this.#playing.clock.real(this.#playing.player.getCurrentTime()) : 0
  }

  #choose(name: 'speed' | 'pause', value: number): void {
    save(`player-${name}`, value)
    this[name] = value
    this.#reopen()
  }

  async #jump(time: number, chosen: string): Promise<void> {
    this.chosen = chosen
    this.#wanted = time
    this.toggleAttribute('data-jumped', true)
    if (this.#playing) await this.#playing.player.seek(this.#playing.clock.shown(time) + AFTER)
    this.querySelector<HTMLElement>('.ap-wrapper')?.focus({ preventScroll: false })
  }

  #onQuery(query: string): void {
    this.words = query
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#search(query), SEARCH_MS)
  }

  async #search(query: string): Promise<void> {
    if (!query.trim()) {
      this.results = null
      return
    }
    const results = await this.#data
      .search(query)
      .catch((error: unknown): Results => ({ problem: messageOf(error) }))
    // The query may have changed since.
    if (query === this.words) this.results = results
  }

  override render(): TemplateResult {
    const { detail } = this
    if (this.problem) return this.#failureView()
    if (!detail) return html`<p class="notice" role="status">Loading…</p>`
    return html`
      ${this.#headView(detail)}
      <main class="watch">
        <section class="theatre" aria-label="Player">
          ${detail.state === 'recording' ? this.#runningView() : nothing}
          ${detail.problem ? html`<p class="strip bad" role="status">Recording stopped: ${detail.problem}</p>` : nothing}
          <div class="stage"></div>
          ${this.#controlsView()}
        </section>
        <aside class="side" aria-label="Search and markers">${this.#searchView()}${this.#markersView(detail)}</aside>
      </main>`
  }

  #failureView(): TemplateResult {
    return html`<main class="missing"><span class="mark" aria-hidden="true"></span>
      <h1>Cannot play this recording</h1><p class="quiet" role="alert">${this.problem}</p>
      <button class="button" @click=${() => location.reload()}>Retry</button></main>`
  }

  #headView(detail: RecordingDetailOut): TemplateResult {
    const { title, startedAt, duration, size, window, project } = detail
    const back = window ? `/#/window/${window}/recordings` : '/#/recordings'
    return html`<header class="head">
      ${
        this.#data.shared
          ? html`<span class="mark" aria-hidden="true"></span>`
          : html`<a class="button plain icon" href=${back} aria-label="Back to recordings" title="Back to recordings">←</a>`
      }
      <div class="names">
        <h1 class="cut" title=${title}>${title}</h1>
        <p class="quiet cut">${project ? `${windowTitle(detail)} · ` : ''}${day(startedAt)} · ${clock(duration)} · ${bytes(size)}</p>
      </div>
      <a class="button" href=${this.download} download>Download</a>
    </header>`
  }

  #runningView(): TemplateResult {
    return html`<p class="strip" role="status"><span class="record-dot" aria-hidden="true"></span>Still recording. New output is not shown yet.
      <button class="button" @click=${() => this.#load()}>Load new output</button></p>`
  }

  #controlsView(): TemplateResult {
    const choose = (name: 'speed' | 'pause') => (event: FieldEvent<HTMLSelectElement>) =>
      this.#choose(name, Number(event.currentTarget.value))
    return html`<div class="controls">
      <label>Speed <select class="field" .value=${live(String(this.speed))} @change=${choose('speed')}>
        ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === this.speed}>${speed}×</option>`)}</select></label>
      <label>Limit pauses to <select class="field" .value=${live(String(this.pause))} @change=${choose('pause')}>
        ${PAUSES.map(([seconds, label]) => html`<option value=${seconds} ?selected=${seconds === this.pause}>${label}</option>`)}</select></label>
      <p class="quiet keys"><kbd>Space</kbd> play <kbd>←</kbd> <kbd>→</kbd> 5 s <kbd>[</kbd> <kbd>]</kbd> markers <kbd>f</kbd> full screen</p>
    </div>`
  }

  #searchView(): TemplateResult {
    return html`<search>
      <h2><label for="find">Search</label></h2>
      <input id="find" class="field" type="search" maxlength="200" placeholder="Search output" autocomplete="off"
        .value=${live(this.words)}
        @input=${({ currentTarget }: FieldEvent<HTMLInputElement>) => this.#onQuery(currentTarget.value)}>
      <div aria-live="polite">${this.#resultsView()}</div>
    </search>`
  }

  #resultsView(): Shown {
    if (!this.results) return nothing
    if ('problem' in this.results) return html`<p class="quiet">${this.results.problem}</p>`
    const { hits, complete } = this.results
    if (!hits.length) return html`<p class="quiet">No results.</p>`
    return html`<p class="quiet">${hits.length}${complete ? '' : '+'} ${hits.length === 1 ? 'result' : 'results'}</p>
      <ol class="moments">${hits.map(({ time, before, match, after }, index) =>
        this.#moment(
          `hit-${index}`,
          time,
          html`<span class="mono excerpt">${lastCharacters(before)}<mark>${match}</mark>${after}</span>`,
        ),
      )}</ol>`
  }

  #markersView({ markers }: RecordingDetailOut): TemplateResult {
    const moments = repeat(
      markers,
      (_, index) => index,
      ({ time, label }, index) => this.#moment(`marker-${index}`, time, label),
    )
    return html`<section aria-labelledby="markers">
      <h2 id="markers">Markers</h2>
      ${
        markers.length
          ? html`<ol class="moments">${moments}</ol>`
          : html`<p class="quiet">Prompts sent and tasks moved during the recording appear here.</p>`
      }
    </section>`
  }

  #moment(name: string, time: number, label: string | TemplateResult): TemplateResult {
    return html`<li><button class="moment" aria-current=${this.chosen === name ? 'true' : nothing} @click=${() => this.#jump(time, name)}>
      <time>${clock(time)}</time><span class="label">${label}</span></button></li>`
  }
}

function lastCharacters(text: string): string {
  return text.length > BEFORE ? `…${text.slice(-BEFORE)}` : text
}

declare global {
  interface HTMLElementTagNameMap {
    'player-page': PlayerPage
  }
}
