// <question-subject .question>: what an agent asks for: its question, the whole command, the path, the
// change, and what the model wrote about it. Everything is text of the agent, so it is shown as text.
import type { QuestionKind, QuestionOut } from '../core/generated/socket'
import { customElement, html, nothing, property, type TemplateResult, View } from '../core/view'

const KIND_WORDS: Record<QuestionKind, string> = {
  command: 'Command',
  edit: 'Edit',
  write: 'New file',
  fetch: 'Web access',
  plan: 'Plan',
  choice: 'Choice',
  trust: 'Trust',
  other: '',
}

// What the bar of a question shows without scrolling.
const LONG_TEXT = 120
const LONG_LINES = 2

@customElement('question-subject')
export class QuestionSubject extends View {
  @property({ attribute: false }) question: QuestionOut | null = null

  override render() {
    const { question } = this
    if (!question) return html`<p class="answer-question">${questionTitle(question)}</p>`
    const { kind, path, subject, diff, reason, cut } = question
    const word = KIND_WORDS[kind]
    return html`
      <p class="answer-question">${questionTitle(question)}</p>
      ${path ? html`<p class="answer-path mono">${path}</p>` : nothing}
      ${subject ? html`<pre class="answer-subject mono" tabindex="0" aria-label=${word || 'Subject'}>${subject}</pre>` : nothing}
      ${diff ? this.#diff(diff) : nothing}
      ${reason ? html`<p class="answer-reason quiet">The model says: ${reason}</p>` : nothing}
      ${cut ? html`<p class="answer-cut">Shortened. The terminal shows all of it.</p>` : nothing}`
  }

  #diff(diff: string): TemplateResult {
    const lines = diff.split('\n')
    return html`<pre class="answer-diff mono" tabindex="0" aria-label="Change">${lines.map(
      (line) => html`<span class=${lineClass(line)}>${line || ' '}</span>`,
    )}</pre>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'question-subject': QuestionSubject
  }
}

/** The kind of the question as a word, and the agent's own words. */
export function questionTitle(question: QuestionOut | null): TemplateResult {
  const word = question ? KIND_WORDS[question.kind] : ''
  return html`${word ? html`<span class="chip answer-kind">${word}</span> ` : nothing}${question?.title || 'Waiting for an answer.'}`
}

/** Whether it may need more room than a bar has. */
export function isLong(question: QuestionOut | null): boolean {
  const text = question?.diff || question?.subject || ''
  return text.length > LONG_TEXT || text.split('\n').length > LONG_LINES
}

function lineClass(line: string): string {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('@') || line.startsWith('*') ? 'quiet' : ''
}
