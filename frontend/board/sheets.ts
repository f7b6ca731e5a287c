// Loads and changes note sheets. Their newest state from the server is in the store; here are the changes of
// this page that are not confirmed yet. Emits `change` with the author and the differences. Knows no element.
import { ApiError, type Api, type Method } from '../core/api'
import { typedTarget } from '../core/events'
import type { NotesOut, PageNotesOut, RecordOut, UpdatedOut, WrittenOut } from '../core/generated/api'
import type { Services } from '../core/services'
import type { Socket } from '../core/socket'
import type { Sheet, Store } from '../core/store'
import { type Difference, differences } from './task-changes'
import {
  applied,
  type Change,
  type Conflict,
  conflict,
  type KeyedChange,
  type PendingChange,
  requestBody,
} from './tasks'

// Each conflict means that another change was stored; with more attempts something is wrong.
const ATTEMPTS = 30
const PAUSE_MS = 15
const PAGE = 100
// For the board of all projects.
const SHEETS_LIMIT = 1000

export type { Sheet }

export interface SheetChange {
  // The sheet that changed; empty if `returned`.
  id: string
  // The author of a change by others, else empty.
  by: string
  changes: readonly Difference[]
  // The subscription is back after a lost connection: any sheet may have changed.
  returned: boolean
}

const instances = new WeakMap<Services, Sheets>()

/** The instance of the page, created on first use. */
export function sheetsOf(services: Services): Sheets {
  const sheets = instances.get(services) ?? new Sheets(services).listen(services.socket)
  instances.set(services, sheets)
  return sheets
}

/** The id of a sheet is its address: projects/work, windows/4rfdg3ymzj. */
export function sheetId({ scope, project, window }: Pick<Sheet, 'scope' | 'project' | 'window'>): string {
  return scope === 'window' && window ? `windows/${window.key}` : `projects/${project}`
}

export function pathOf(id: string): string {
  const [kind, ...name] = id.split('/')
  return `/${kind}/${encodeURIComponent(name.join('/'))}`
}

/** Whether the server refused a change because another one was stored before it. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'conflict'
}

/** Not for a description: it may be changed together with the text. */
const expectedText = (change: PendingChange) =>
  change.kind === 'add' || change.kind === 'describe' ? '' : change.was

/** A change that conflicts: `theirs` is the current text of the task, empty if it is gone. */
export class Clash extends Error {
  readonly gone: boolean
  readonly theirs: string

  constructor(
    readonly change: KeyedChange,
    { gone, theirs }: Conflict,
  ) {
    super(gone ? 'Someone else removed this task.' : 'Someone else changed this task.')
    this.gone = gone
    this.theirs = theirs
  }
}

export class Sheets extends typedTarget<{ change: SheetChange }>() {
  #api: Api
  #store: Store
  // id → changes of this page that are not confirmed yet
  #pending = new Map<string, readonly PendingChange[]>()
  // id → promise of its last queued write
  #queues = new Map<string, Promise<void>>()
  #temporaryKeys = 0

  constructor({ api, store }: Pick<Services, 'api' | 'store'>) {
    super()
    this.#api = api
    this.#store = store
  }

  listen(socket: Socket): this {
    socket.addEventListener('event', ({ detail }) => {
      if (detail.type === 'notes-updated') this.take(detail, detail)
    })
    socket.subscribe('subscribe-notes', {}, () => this.#emit({ id: '', by: '', changes: [], returned: true }))
    return this
  }

  /** The sheet with the changes of this page applied; undefined if it was never loaded. */
  get(id: string): Sheet | undefined {
    const sheet = this.#store.sheets.get(id)
    const pending = this.#pending.get(id)
    return sheet && pending?.length ? { ...sheet, tasks: pending.reduce(applied, sheet.tasks) } : sheet
  }

  /** How many changes of this page are not confirmed yet. */
  waiting(id: string): number {
    return this.#pending.get(id)?.length ?? 0
  }

  /** The ids of all loaded sheets. */
  ids(): string[] {
    return [...this.#store.sheets.keys()]
  }

  async load(path: string): Promise<string> {
    const sheet = await this.#api<NotesOut>('GET', `${path}/notes`)
    this.take(sheet)
    return sheetId(sheet)
  }

  async loadAll(): Promise<void> {
    for (let offset = 0, count = 1; offset < Math.min(count, SHEETS_LIMIT); offset += PAGE) {
      const page = await this.#api<PageNotesOut>('GET', `/notes?limit=${PAGE}&offset=${offset}`)
      count = page.count
      for (const sheet of page.items) this.take(sheet)
    }
  }

  /** Stores a state of a sheet unless it is older than the known one. `by`: the author, for changes by others. */
  take(sheet: Sheet, { by = '' }: { by?: string } = {}): void {
    const id = sheetId(sheet)
    const before = this.get(id)
    if (!this.#store.takeSheet(id, sheet)) return
    const changes = before && by ? differences(before.tasks, this.get(id)?.tasks ?? []) : []
    this.#emit({ id, by, changes, returned: false })
  }

  /** Shows the change at once and queues the write. If that fails, the change is undone and the error thrown. */
  async change(id: string, change: Change): Promise<void> {
    const own = this.#pendingChange(id, change)
    this.#setPending(id, [...(this.#pending.get(id) ?? []), own])
    const write = (this.#queues.get(id) ?? Promise.resolve()).then(() => this.#send(id, own))
    this.#queues.set(
      id,
      write.catch(() => {}),
    )
    try {
      await write
    } finally {
      this.#setPending(id, this.#pending.get(id)?.filter((other) => other !== own) ?? [])
    }
  }

  /** Writes the whole text; refused (409) if it changed since `version`. */
  async write(id: string, notes: string, version: number): Promise<RecordOut> {
    const body = { notes, expectedVersion: version }
    const { record } = await this.#api<WrittenOut>('PUT', `${pathOf(id)}/notes`, body)
    return record
  }

  /** Calls an endpoint of one sheet (Notion, handoff) and reloads the sheet. */
  async call(id: string, method: Method, path: string, body?: object): Promise<void> {
    await this.#api<unknown>(method, path, body)
    await this.load(pathOf(id))
  }

  #pendingChange(id: string, change: Change): PendingChange {
    if (change.kind !== 'add') return change
    const known = new Set(this.get(id)?.tasks.map((task) => task.key))
    return { ...change, mark: `+${++this.#temporaryKeys}`, known }
  }

  async #send(id: string, change: PendingChange): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const sheet = this.#store.sheets.get(id)
      if (!sheet) throw new Error('These notes are not loaded.')
      if (await this.#attempt(id, sheet, change)) return
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS * attempt))
      if (this.#store.sheets.get(id)?.version === sheet.version) await this.load(pathOf(id))
    }
    throw new Error('These notes are changing too often. Try again.')
  }

  /** Returns false if another change was stored first. */
  async #attempt(id: string, sheet: Sheet, change: PendingChange): Promise<boolean> {
    const clash = conflict(sheet.tasks, change)
    if (clash && change.kind !== 'add') throw new Clash(change, clash)
    const body = requestBody(sheet.tasks, change)
    if (!body) return true
    const text = expectedText(change)
    try {
      const { record, tasks } = await this.#api<UpdatedOut>('POST', `${pathOf(id)}/tasks`, {
        ...body,
        expectedVersion: sheet.version,
        ...(text ? { expectedText: text } : {}),
      })
      this.take({ ...record, tasks })
      return true
    } catch (error) {
      if (!isConflict(error)) throw error
      return false
    }
  }

  #setPending(id: string, pending: readonly PendingChange[]): void {
    this.#pending.set(id, pending)
    this.#emit({ id, by: '', changes: [], returned: false })
  }

  #emit(detail: SheetChange): void {
    this.dispatchEvent(new CustomEvent('change', { detail }))
  }
}
