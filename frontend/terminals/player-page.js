// The page of one recording: asciinema-player with speed and short pauses, markers and a search that
// jump. What is played comes from player-source.js, the clocks from cast.js.
import { load, save } from '../page/memory.js'
import { applyTheme, isDark } from '../page/theme.js'
import { View, html, live, nothing, repeat } from '../page/view.js'
import { idleClock, parseCast } from './cast.js'
import { PlayerSource } from './player-source.js'
import { bytes, clock, day } from './recording-words.js'

const SPEEDS = [0.5, 1, 1.5, 2, 4, 8]
const PAUSES = [[1, '1 s'], [2, '2 s'], [5, '5 s'], [0, 'uncut']]
const SEARCH_MS = 250
// Behind the moment itself: what happens exactly then is shown.
const AFTER = 0.002
const BEFORE = 24 // characters shown before a hit: the hit itself must be seen

class PlayerPage extends View {
  #source
  #player = null
  #clock = null
  #recording = null
  #detail = null
  #download = ''
  #problem = ''
  #speed = load('player-speed', 1)
  #pause = load('player-pause', 2)
  #query = ''
  #found = null // {hits, complete}
  #chosen = '' // the marker or hit that was jumped to last
  #timer = 0

  connectedCallback() {
    this.#source ??= new PlayerSource(this.getAttribute('root'), this.getAttribute('secret') ?? '')
    applyTheme()
    this.replaceChildren()
    super.connectedCallback()
    document.addEventListener('theme-changed', this.#reopen)
    const at = Number(new URLSearchParams(location.search).get('t')) || 0
    this.toggleAttribute('data-jumped', at > 0)
    this.#load(at)
  }

  disconnectedCallback() {
    document.removeEventListener('theme-changed', this.#reopen)
    this.#player?.dispose()
  }

  async #load(at) {
    try {
      const [detail, text] = await Promise.all([this.#source.detail(), this.#source.cast()])
      this.#download = this.#source.castAddress()
      this.#detail = detail
      this.#recording = parseCast(text)
      this.#problem = ''
      this.paint()
      await this.#open(at, false)
    } catch (problem) {
      this.#problem = problem.message
      this.update()
    }
  }

  /** A player at a moment of the recording. Speed, pauses and colours are chosen when it is made. */
  async #open(at, playing) {
    this.#player?.dispose()
    this.#clock = idleClock(this.#recording.events, this.#pause || Infinity)
    const place = this.querySelector('.stage')
    this.#player = globalThis.AsciinemaPlayer.create({ data: this.#recording, parser: (data) => data }, place, {
      fit: matchMedia('(max-width: 900px)').matches ? 'width' : 'both',
      controls: true,
      preload: true,
      speed: this.#speed,
      theme: isDark() ? 'webtmux-dark' : 'webtmux-light',
      ...(this.#pause ? { idleTimeLimit: this.#pause } : {}),
    })
    this.#player.addEventListener('play', () => { this.dataset.playing = '' })
    for (const name of ['pause', 'ended']) this.#player.addEventListener(name, () => { delete this.dataset.playing })
    await this.#player.seek(this.#clock.shown(at) + AFTER)
    if (playing) await this.#player.play()
    this.dataset.ready = ''
  }

  #reopen = () => {
    if (!this.#recording) return
    const at = this.#clock.real(this.#player.getCurrentTime())
    this.#open(at, 'playing' in this.dataset)
  }

  #choose(name, value) {
    save(`player-${name}`, value)
    if (name === 'speed') this.#speed = value
    else this.#pause = value
    this.#reopen()
    this.update()
  }

  async #jump(time, chosen) {
    this.#chosen = chosen
    this.dataset.jumped = ''
    this.update()
    await this.#player?.seek(this.#clock.shown(time) + AFTER)
    this.querySelector('.ap-wrapper')?.focus({ preventScroll: false })
  }

  #type(query) {
    this.#query = query
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#search(), SEARCH_MS)
  }

  async #search() {
    const query = this.#query
    if (!query.trim()) this.#found = null
    else {
      const found = await this.#source.search(query).catch((problem) => ({ problem: problem.message, hits: [] }))
      if (query !== this.#query) return // something else was typed meanwhile
      this.#found = found
    }
    this.update()
  }

  view() {
    if (this.#problem) return this.#failure()
    if (!this.#detail) return html`<p class="notice" role="status">Loading the recording …</p>`
    return html`
      ${this.#head()}
      <main class="watch">
        <section class="theatre" aria-label="Player">
          ${this.#detail.state === 'recording' ? this.#running() : nothing}
          ${this.#detail.problem ? html`<p class="strip bad" role="status">It stopped by itself: ${this.#detail.problem}</p>` : nothing}
          <div class="stage"></div>
          ${this.#controls()}
        </section>
        <aside class="side" aria-label="Find a moment">${this.#searching()}${this.#markers()}</aside>
      </main>`
  }

  #failure() {
    return html`<main class="missing"><span class="mark" aria-hidden="true"></span>
      <h1>The recording cannot be played</h1><p class="quiet" role="alert">${this.#problem}</p>
      <button class="button" @click=${() => location.reload()}>Try again</button></main>`
  }

  #head() {
    const { title, startedAt, duration, size, window, project, windowName } = this.#detail
    const back = window ? `/#/window/${window}/recordings` : '/#/recordings'
    return html`<header class="head">
      ${this.#source.shared ? html`<span class="mark" aria-hidden="true"></span>`
        : html`<a class="button plain icon" href=${back} aria-label="Back to the recordings" title="Back to the recordings">←</a>`}
      <div class="names">
        <h1 class="cut" title=${title}>${title}</h1>
        <p class="quiet cut">${project ? `${project} · ${windowName} · ` : ''}${day(startedAt)} · ${clock(duration)} · ${bytes(size)}</p>
      </div>
      <a class="button" href=${this.#download} download>Download</a>
    </header>`
  }

  #running() {
    return html`<p class="strip" role="status"><span class="record-dot" aria-hidden="true"></span>Still recording: this is what there was when you opened it.
      <button class="button" @click=${() => this.#load(this.#clock.real(this.#player.getCurrentTime()))}>Load the rest</button></p>`
  }

  #controls() {
    return html`<div class="controls">
      <label>Speed <select class="field" .value=${live(String(this.#speed))} @change=${({ target }) => this.#choose('speed', Number(target.value))}>
        ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === this.#speed}>${speed}×</option>`)}</select></label>
      <label>Pauses at most <select class="field" .value=${live(String(this.#pause))} @change=${({ target }) => this.#choose('pause', Number(target.value))}>
        ${PAUSES.map(([seconds, words]) => html`<option value=${seconds} ?selected=${seconds === this.#pause}>${words}</option>`)}</select></label>
      <p class="quiet keys"><kbd>space</kbd> play <kbd>←</kbd> <kbd>→</kbd> 5 s <kbd>[</kbd> <kbd>]</kbd> markers <kbd>f</kbd> full screen</p>
    </div>`
  }

  #searching() {
    return html`<search>
      <h2><label for="find">Search in the text</label></h2>
      <input id="find" class="field" type="search" maxlength="200" placeholder="What was printed" autocomplete="off"
        .value=${live(this.#query)} @input=${({ target }) => this.#type(target.value)}>
      <div aria-live="polite">${this.#hits()}</div>
    </search>`
  }

  #hits() {
    if (!this.#found) return nothing
    const { hits, complete, problem } = this.#found
    if (problem) return html`<p class="quiet">${problem}</p>`
    if (!hits.length) return html`<p class="quiet">Nowhere in this recording.</p>`
    return html`<p class="quiet">${hits.length}${complete ? '' : ' or more'} ${hits.length === 1 ? 'place' : 'places'}</p>
      <ol class="moments">${hits.map(({ time, before, match, after }, index) => this.#moment(`hit-${index}`, time,
        html`<span class="mono excerpt">${ending(before)}<mark>${match}</mark>${after}</span>`))}</ol>`
  }

  #markers() {
    const { markers } = this.#detail
    return html`<section aria-labelledby="markers">
      <h2 id="markers">Markers</h2>
      ${markers.length ? html`<ol class="moments">${repeat(markers, (_, index) => index, ({ time, label }, index) => this.#moment(`marker-${index}`, time, label))}</ol>`
        : html`<p class="quiet">Prompts that are sent and tasks that are moved while it records stand here.</p>`}
    </section>`
  }

  #moment(name, time, words) {
    return html`<li><button class="moment" aria-current=${this.#chosen === name ? 'true' : nothing} @click=${() => this.#jump(time, name)}>
      <time>${clock(time)}</time><span class="words">${words}</span></button></li>`
  }
}

function ending(text) {
  return text.length > BEFORE ? `…${text.slice(-BEFORE)}` : text
}

customElements.define('player-page', PlayerPage)
