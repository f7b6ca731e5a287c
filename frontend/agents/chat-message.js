// How one message, one record or one day of the chat looks. Templates only: state in, template out.
import { html, nothing } from '../page/view.js'
import { pieces } from './highlights.js'
import { blocks, cut } from './text-blocks.js'
import { ago, dayOf, exactly } from './times.js'

const LINE_PX = 21
const HEAD_PX = 62

// By item: a message is cut and parted once, however often it is drawn.
const guesses = new WeakMap()
const short = new WeakMap()

/** A guess at a row's height before it was seen. */
export function estimate({ kind, item }) {
  if (kind !== 'message') return 44
  return known(guesses, item, ({ text }) => {
    const shown = cut(text)
    return HEAD_PX + LINE_PX * shown.text.split('\n').length + (shown.hidden ? 40 : 0)
  })
}

export function moment(ts) {
  return html`<time datetime=${new Date(ts).toISOString()} title=${exactly(ts)}>${ago(ts)}</time>`
}

export function marked(text, wanted) {
  return pieces(text, wanted).map((piece) => piece.hit ? html`<mark>${piece.text}</mark>` : piece.text)
}

/**
 * `look`: {who: {user, assistant}, raw, wanted, isOpen(key), isMarked(key),
 * isCopied(key), recording(ts), on}, where
 * `on` has what its buttons do: open(key), copy(key, item).
 */
export function row({ key, kind, item, ts }, look) {
  if (kind === 'begin') return html`<p class="chat-edge quiet">The beginning of what was recorded here</p>`
  if (kind === 'day') return html`<h2 class="chat-day"><span>${dayOf(ts)}</span></h2>`
  const who = look.who[item.role]
  const film = look.recording(item.ts)
  return html`
    <article class="chat-row ${item.role} ${look.raw ? 'raw' : ''} ${look.isMarked(key) ? 'found' : ''}" data-ts=${item.ts} aria-label="${who}, ${ago(item.ts)}">
      <div class="chat-said">
        <header>
          <span class="chat-who">${who}</span>
          ${moment(item.ts)}
          ${item.confirmed ? html`<span class="chat-sure" title="The agent's own log has these words too">✓ confirmed</span>` : nothing}
          <span class="chat-tools">
            ${film ? html`<a class="chat-tool" href=${film} target="_blank" rel="noopener" aria-label="Watch this moment of the recording">▶ Watch</a>` : nothing}
            <button class="chat-tool" aria-label="Copy what ${who} said" @click=${() => look.on.copy(key, item)}>${look.isCopied(key) ? 'Copied' : 'Copy'}</button>
          </span>
        </header>
        ${body(key, item, look)}
      </div>
    </article>`
}

function body(key, item, look) {
  const isOpen = look.isOpen(key)
  const { parts, hidden } = isOpen ? parted(item.text, 0, look.raw) : known(short, item, () => {
    const shown = cut(item.text)
    return parted(shown.text, shown.hidden, look.raw)
  })
  return html`
    ${parts.map((part) => part.kind === 'code'
      ? html`<pre class="chat-code" tabindex="0"><code>${marked(part.text, look.wanted)}</code></pre>`
      : html`<p class="chat-prose">${marked(part.text, look.wanted)}</p>`)}
    ${hidden || isOpen ? html`
      <button class="button plain chat-more" aria-expanded=${isOpen} @click=${() => look.on.open(key)}>
        ${isOpen ? 'Show less' : `Show ${hidden} more ${hidden === 1 ? 'line' : 'lines'}`}
      </button>` : nothing}`
}

function parted(text, hidden, raw) {
  return { parts: raw ? [{ kind: 'code', text }] : blocks(text), hidden }
}

function known(table, item, make) {
  if (!table.has(item)) table.set(item, make(item))
  return table.get(item)
}
