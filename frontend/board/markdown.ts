// Renders Markdown: marked parses it, Lit renders it. Text never becomes markup, so that notes written by
// agents or in Notion cannot run code: HTML in them is shown as text.
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import { html, nothing, type TemplateResult } from '../core/view'
import { safeLink } from './links'

// Characters; with more, rendering would delay typing.
const LENGTH_LIMIT = 200_000
const DEPTH_LIMIT = 20
const STATUS = /^\[(NS|WIP|BL|CM)\](?=\s|$)/

type Content = TemplateResult | string | typeof nothing | Content[]
/** How fenced code is shown, by its language. */
type ShowCode = (text: string, language: string) => Content

export function markdown(text: string, showCode: ShowCode = (code) => code): TemplateResult {
  const shown = text.slice(0, LENGTH_LIMIT)
  const cut =
    shown.length < text.length ? html`<p class="quiet">The rest is too long to show here.</p>` : nothing
  try {
    return html`${blocks(lexer(shown, { gfm: true, breaks: true }), 0, showCode)}${cut}`
  } catch {
    // Nested too deeply for marked.
    return html`<pre>${shown}</pre>${cut}`
  }
}

const blocks = (tokens: Token[], depth: number, showCode: ShowCode): Content[] =>
  tokens.map((token) => block(known(token), depth + 1, showCode))
const spans = (tokens: Token[], depth: number): Content[] =>
  tokens.map((token) => span(known(token), depth + 1))

/** Other tokens come only from extensions of marked, and there are none. */
function known(token: Token): MarkedToken {
  return token as MarkedToken
}

function block(token: MarkedToken, depth: number, showCode: ShowCode): Content {
  if (depth > DEPTH_LIMIT) return token.raw
  switch (token.type) {
    case 'space':
    case 'def':
      return nothing
    case 'hr':
      return html`<hr>`
    case 'heading':
      return heading(token.depth, spans(token.tokens, depth))
    case 'paragraph':
      return html`<p>${spans(token.tokens, depth)}</p>`
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens, depth, showCode)}</blockquote>`
    case 'code':
      return html`<pre tabindex="0"><code>${showCode(token.text, token.lang ?? '')}</code></pre>`
    case 'html':
      return html`<pre><code>${token.raw.trimEnd()}</code></pre>`
    case 'list':
      return list(token, depth, showCode)
    case 'table':
      return table(token, depth)
    default:
      return span(token, depth)
  }
}

function heading(level: number, content: Content): TemplateResult {
  switch (level) {
    case 1:
      return html`<h1>${content}</h1>`
    case 2:
      return html`<h2>${content}</h2>`
    case 3:
      return html`<h3>${content}</h3>`
    case 4:
      return html`<h4>${content}</h4>`
    case 5:
      return html`<h5>${content}</h5>`
    default:
      return html`<h6>${content}</h6>`
  }
}

function list({ ordered, start, items }: Tokens.List, depth: number, showCode: ShowCode): TemplateResult {
  const content = items.map((item) => html`<li>${blocks(item.tokens, depth, showCode)}</li>`)
  return ordered ? html`<ol start=${start || 1}>${content}</ol>` : html`<ul>${content}</ul>`
}

function table({ header, rows }: Tokens.Table, depth: number): TemplateResult {
  return html`
    <table>
      <thead><tr>${header.map((cell) => html`<th>${spans(cell.tokens, depth)}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${spans(cell.tokens, depth)}</td>`)}</tr>`)}</tbody>
    </table>`
}

function span(token: MarkedToken, depth: number): Content {
  if (depth > DEPTH_LIMIT) return token.raw
  switch (token.type) {
    case 'text':
      return 'tokens' in token && token.tokens ? spans(token.tokens, depth) : status(token.text)
    case 'escape':
      return token.text
    case 'br':
      return html`<br>`
    case 'checkbox':
      return html`<input type="checkbox" disabled .checked=${token.checked} aria-label=${token.checked ? 'done' : 'not done'}> `
    case 'strong':
      return html`<strong>${spans(token.tokens, depth)}</strong>`
    case 'em':
      return html`<em>${spans(token.tokens, depth)}</em>`
    case 'del':
      return html`<del>${spans(token.tokens, depth)}</del>`
    case 'codespan':
      return html`<code>${token.text}</code>`
    case 'link':
      return link(token.href, spans(token.tokens, depth))
    case 'image':
      // The content security policy blocks images from other hosts.
      return link(token.href, token.text || token.href)
    default:
      return token.raw
  }
}

function link(address: string, label: Content): Content {
  const safe = safeLink(address)
  return safe ? html`<a href=${safe} target="_blank" rel="noopener noreferrer">${label}</a>` : label
}

/** Shows the status prefix of a task as a chip. */
function status(text: string): Content {
  const match = STATUS.exec(text)
  return match
    ? html`<span class="chip status ${match[1]}">${match[1]}</span>${text.slice(match[0].length)}`
    : text
}
