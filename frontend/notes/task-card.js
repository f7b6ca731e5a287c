// One card of a board as a template: its text, who changed it, which window works on it. `at` has
// what the card needs to know of its screen: {editing, fresh, focused, readonly, work, tell}.
import { html, nothing } from '../page/view.js'

const WORK = { working: 'works on it', waiting: 'waits for an answer', resting: 'has it', asks: 'has finished', gone: 'is gone' }
const CHIPS = { working: 'working', waiting: 'waiting', asks: 'idle', resting: 'idle', gone: '' }

export function taskCard(card, at) {
  const fresh = at.fresh.get(card.key)
  return html`
    <li class="task ${fresh ? 'fresh' : ''}" data-key=${card.key} data-status=${card.status}
      tabindex=${at.focused === card.key ? 0 : -1} aria-describedby="board-keys">
      ${at.editing?.key === card.key ? editor(at) : html`
        <p class="task-text">${card.text}</p>
        ${at.readonly ? nothing : html`
          <button class="button plain icon task-more" aria-label="Actions for ${card.text}" aria-haspopup="menu"
            tabindex="-1" @click=${(event) => at.tell.menu(card, event.currentTarget)}>⋯</button>`}`}
      ${fresh ? html`<p class="task-by">by ${fresh}</p>` : nothing}
      ${work(card, at)}
    </li>`
}

function editor({ editing, tell }) {
  return html`
    <textarea class="field task-edit" rows="1" aria-label="Text of the task" .value=${editing.was}
      @keydown=${(event) => editKey(event, tell)} @blur=${(event) => tell.edited(event.target.value)}></textarea>`
}

/** Enter keeps, Escape forgets. A task is one line: there is no Shift+Enter. */
function editKey(event, tell) {
  event.stopPropagation()
  if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
  event.preventDefault()
  tell.edited(event.key === 'Enter' ? event.target.value : null)
}

function work(card, { work: of, tell }) {
  const found = of(card)
  if (!found) return nothing
  const { link, title, state } = found
  return html`
    <div class="task-work">
      <button class="chip ${CHIPS[state]}" ?disabled=${state === 'gone'} title="Open its terminal"
        @click=${() => tell.open(link.window)}><span class="cut">${title}</span> ${WORK[state]}</button>
      ${state === 'asks' && card.status === 'WIP' ? html`
        <div class="task-done" role="group" aria-label="Is ${card.text} done?">
          <span>Done?</span>
          <button class="button primary" @click=${() => tell.judge(card, true)}>Yes</button>
          <button class="button" @click=${() => tell.judge(card, false)}>Not yet</button>
        </div>` : nothing}
    </div>`
}
