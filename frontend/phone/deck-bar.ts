// <deck-bar>: the bar at the bottom of the home view on a phone, where there is no sidebar: new session or
// window, new agent, search, board, notifications.
import { icons } from '../core/icons'
import { format } from '../core/router'
import type { MenuItem } from '../core/services'
import type { Part } from '../core/store'
import { customElement, html, Live, type TemplateResult } from '../core/view'
import { type ProjectRow, tree } from '../core/workspace'
import type { MenuDetail } from '../shell/action-menu'
import { isOn } from '../shell/notifier'

@customElement('deck-bar')
export class DeckBar extends Live {
  static override parts: readonly Part[] = ['place']

  #onChange = () => this.requestUpdate()

  override connectedCallback(): void {
    super.connectedCallback()
    document.addEventListener('notifications-changed', this.#onChange)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    document.removeEventListener('notifications-changed', this.#onChange)
  }

  override render(): TemplateResult {
    const notifies = isOn()
    return html`<nav class="deck-bar" aria-label="Home">
      <button type="button" aria-haspopup="menu" aria-expanded="false" @click=${this.#new}>${icons.plus}<span>New</span></button>
      <button type="button" aria-label="Start agent" @click=${() => this.act('start-agent')}>${icons.agent}<span>Agent</span></button>
      <button type="button" @click=${() => this.act('open-palette')}>${icons.search}<span>Search</span></button>
      <a href=${format({ view: 'board' })}>${icons.board}<span>Board</span></a>
      <button type="button" aria-pressed=${notifies}
        @click=${() => this.act(notifies ? 'notifications-off' : 'notifications-on')}>${icons.bell}<span>Notifications</span></button>
    </nav>`
  }

  #new = ({ currentTarget }: MouseEvent & { currentTarget: HTMLElement }): void => {
    const items: MenuItem[] = [
      { name: 'create-session', title: 'New session…' },
      ...tree(this.store).map((session) => ({
        name: 'create-window',
        title: `New window in ${titleOf(session)}…`,
        args: { session },
      })),
    ]
    this.emit('menu', { opener: currentTarget, items, label: 'New' } satisfies MenuDetail)
  }
}

function titleOf({ project, session }: ProjectRow): string {
  return project === session ? project : `${project} (${session})`
}

declare global {
  interface HTMLElementTagNameMap {
    'deck-bar': DeckBar
  }
}
