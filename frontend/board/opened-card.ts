// The card that is open on a board, and its history. Loads the history again after each change.
import { type Api, part } from '../core/api'
import { messageOf } from '../core/events'
import type { PageTaskHistoryOut, TaskHistoryOut } from '../core/generated/api'
import type { Card } from './columns'
import { pathOf } from './sheets'

const ENTRIES = 50

export class OpenedCard {
  /** Newest first; null: not loaded yet. */
  history: readonly TaskHistoryOut[] | null = null
  problem = ''
  #api: Api
  #onChange: () => void

  constructor(
    readonly key: string,
    readonly sheet: string,
    { api, onChange }: { api: Api; onChange: () => void },
  ) {
    this.#api = api
    this.#onChange = onChange
  }

  is(card: Card): boolean {
    return card.key === this.key && card.sheet === this.sheet
  }

  async load(): Promise<void> {
    const path = `${pathOf(this.sheet)}/tasks/${part(this.key)}/history?limit=${ENTRIES}`
    try {
      this.history = (await this.#api<PageTaskHistoryOut>('GET', path)).items
      this.problem = ''
    } catch (error) {
      this.problem = messageOf(error)
    }
    this.#onChange()
  }
}
