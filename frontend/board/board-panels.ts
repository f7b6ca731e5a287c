// Parts of a board that appear when needed: the form of a new task, and the choice after a conflict.
import { html, nothing, type TemplateResult } from '../core/view'
import type { BoardActions, BoardClash } from './board-actions'
import type { Status } from './tasks'

const AGAIN = {
  gone: 'Add mine again',
  edit: 'Use mine',
  describe: 'Use mine',
  move: 'Move anyway',
  remove: 'Delete anyway',
}

/** The column and the sheet of a new task. */
export interface Adding {
  status: Status
  sheet: string
}
type FieldEvent = Event & { readonly currentTarget: HTMLSelectElement }

/** `sheets`: those that can get the task. `set` changes or, with null, closes the form. */
export function newTaskForm(
  adding: Adding,
  sheets: readonly { id: string; title: string }[],
  actions: BoardActions,
  set: (adding: Adding | null) => void,
): TemplateResult {
  return html`
    <form class="task-new" @submit=${(event: SubmitEvent) => actions.added(event)}>
      <textarea class="field" rows="1" aria-label="New task" placeholder="What needs to be done?"
        @keydown=${(event: KeyboardEvent) => actions.addKey(event)}></textarea>
      ${
        sheets.length > 1
          ? html`
        <select class="field" aria-label="Project"
          @change=${({ currentTarget }: FieldEvent) => set({ ...adding, sheet: currentTarget.value })}>
          ${sheets.map((sheet) => html`<option value=${sheet.id} ?selected=${sheet.id === adding.sheet}>${sheet.title}</option>`)}
        </select>`
          : nothing
      }
      <div class="buttons">
        <button class="button primary">Add</button>
        <button type="button" class="button plain" @click=${() => set(null)}>Close</button>
      </div>
    </form>`
}

export function clashView(clash: BoardClash, actions: BoardActions): TemplateResult {
  const { change, gone, theirs, again } = clash
  return html`
    <section class="card clash" role="alert">
      <p><b>${gone ? 'Someone else removed this task.' : 'Someone else changed this task.'}</b> Choose what to keep:</p>
      <dl>
        <dt>Yours</dt><dd>${mine(clash)}</dd>
        ${gone ? nothing : html`<dt>Current</dt><dd>${theirs}</dd>`}
      </dl>
      <div class="buttons">
        <button class="button primary" @click=${() => actions.settle(clash, again)}>${AGAIN[gone ? 'gone' : change.kind]}</button>
        <button class="button" @click=${() => actions.settle(clash, null)}>Keep current version</button>
      </div>
    </section>`
}

function mine({ change }: BoardClash): string {
  if (change.kind === 'edit') return change.text
  return change.kind === 'describe' ? change.description : change.was
}
