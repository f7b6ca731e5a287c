// Markdown as templates: marked reads it, lit-html writes it. No text becomes markup, so that what
// an agent or a page of Notion puts into notes cannot run: HTML in them is shown as it stands.
import { lexer } from '../lib/marked/marked.js'
import { html, nothing } from '../page/view.js'
import { safeLink } from './links.js'

const LENGTH_LIMIT = 200_000 // characters; beyond, typing would wait for the rendering
const DEPTH_LIMIT = 20
const STATUS = /^\[(NS|WIP|BL|CM)\](?=\s|$)/

export function markdown(text) {
  const shown = text.slice(0, LENGTH_LIMIT)
  const cut = shown.length < text.length ? html`<p class="quiet">The rest is too long to be shown here.</p>` : nothing
  try {
    return html`${blocks(lexer(shown, { gfm: true, breaks: true }), 0)}${cut}`
  } catch { // nested deeper than marked can follow
    return html`<pre>${shown}</pre>${cut}`
  }
}

const blocks = (tokens, depth) => tokens.map((token) => block(token, depth + 1))
const spans = (tokens, depth) => tokens.map((token) => span(token, depth + 1))

function block(token, depth) {
  if (depth > DEPTH_LIMIT) return token.raw
  const make = BLOCKS[token.type]
  return make ? make(token, depth) : span(token, depth)
}

const BLOCKS = {
  space: () => nothing,
  def: () => nothing,
  hr: () => html`<hr>`,
  heading: ({ depth: level, tokens }, depth) => HEADINGS[level](spans(tokens, depth)),
  paragraph: ({ tokens }, depth) => html`<p>${spans(tokens, depth)}</p>`,
  blockquote: ({ tokens }, depth) => html`<blockquote>${blocks(tokens, depth)}</blockquote>`,
  code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>`,
  html: ({ raw }) => html`<pre><code>${raw.trimEnd()}</code></pre>`,
  list: ({ ordered, start, items }, depth) => {
    const made = items.map((item) => html`<li>${blocks(item.tokens, depth)}</li>`)
    return ordered ? html`<ol start=${start || 1}>${made}</ol>` : html`<ul>${made}</ul>`
  },
  table: ({ header, rows }, depth) => html`
    <table>
      <thead><tr>${header.map((cell) => html`<th>${spans(cell.tokens, depth)}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${spans(cell.tokens, depth)}</td>`)}</tr>`)}</tbody>
    </table>`,
}

const HEADINGS = [
  null,
  (made) => html`<h1>${made}</h1>`, (made) => html`<h2>${made}</h2>`, (made) => html`<h3>${made}</h3>`,
  (made) => html`<h4>${made}</h4>`, (made) => html`<h5>${made}</h5>`, (made) => html`<h6>${made}</h6>`,
]

function span(token, depth) {
  if (depth > DEPTH_LIMIT) return token.raw
  const make = SPANS[token.type]
  return make ? make(token, depth) : token.raw ?? ''
}

const SPANS = {
  text: ({ text, tokens }, depth) => (tokens ? spans(tokens, depth) : status(text)),
  escape: ({ text }) => text,
  br: () => html`<br>`,
  checkbox: ({ checked }) => html`<input type="checkbox" disabled .checked=${checked} aria-label=${checked ? 'done' : 'not done'}> `,
  strong: ({ tokens }, depth) => html`<strong>${spans(tokens, depth)}</strong>`,
  em: ({ tokens }, depth) => html`<em>${spans(tokens, depth)}</em>`,
  del: ({ tokens }, depth) => html`<del>${spans(tokens, depth)}</del>`,
  codespan: ({ text }) => html`<code>${text}</code>`,
  link: ({ href, tokens }, depth) => link(href, spans(tokens, depth)),
  image: ({ href, text }) => link(href, text || href), // the policy loads no strangers' pictures
}

function link(address, words) {
  const safe = safeLink(address)
  return safe ? html`<a href=${safe} target="_blank" rel="noopener noreferrer">${words}</a>` : words
}

/** The prefix of a task as the board has it. */
function status(text) {
  const found = STATUS.exec(text)
  return found ? html`<span class="chip status ${found[1]}">${found[1]}</span>${text.slice(found[0].length)}` : text
}
