// The sheets of notes that the page knows: the newest that the server told, with this page's own
// changes on top until they are done. Tells `change` with who did what. Knows no element.
import { differences } from './news.js'
import { applied, asked, conflict } from './tasks.js'

// Each loss means that somebody else's change was stored; beyond that something is wrong.
const TRIES = 30
const PAUSE_MS = 15
const PAGE = 100
const SHEETS_LIMIT = 1000 // of the board over all projects

const known = new WeakMap()

/** The page's one, made when the first screen asks for it. */
export function sheetsOf(services) {
  if (!known.has(services)) known.set(services, new Sheets(services).listen(services.socket))
  return known.get(services)
}

/** Names a sheet, and is its address: projects/work, windows/4rfdg3ymzj. */
export function sheetId({ scope, project, window }) {
  return scope === 'window' ? `windows/${window.key}` : `projects/${project}`
}

export function pathOf(id) {
  const [kind, ...name] = id.split('/')
  return `/${kind}/${encodeURIComponent(name.join('/'))}`
}

/** A change that must not be done: `theirs` is what the task says by now, empty if it is gone. */
export class Clash extends Error {
  constructor(change, { gone, theirs }) {
    super(gone ? 'somebody removed this task meanwhile' : 'somebody changed this task meanwhile')
    Object.assign(this, { change, gone, theirs })
  }
}

export class Sheets extends EventTarget {
  #api
  #sheets = new Map() // id → as the server told it
  #pending = new Map() // id → changes of this page that are not answered yet
  #turns = new Map() // id → the end of the queue of its writes
  #marks = 0

  constructor({ api }) {
    super()
    this.#api = api
  }

  listen(socket) {
    socket.addEventListener('event', ({ detail }) => {
      if (detail.type === 'notes-updated') this.take(detail, detail)
    })
    socket.subscribe('subscribe-notes', {}, () => this.#tell({ returned: true }))
    return this
  }

  /** With this page's own changes; undefined if it was never loaded. */
  get(id) {
    const sheet = this.#sheets.get(id)
    const pending = this.#pending.get(id)
    return sheet && pending?.length ? { ...sheet, tasks: pending.reduce(applied, sheet.tasks) } : sheet
  }

  /** How many changes of this page are not answered yet. */
  waiting(id) { return this.#pending.get(id)?.length ?? 0 }

  all() { return [...this.#sheets.keys()].map((id) => this.get(id)) }

  async load(path) {
    const sheet = await this.#api('GET', `${path}/notes`)
    this.take(sheet)
    return sheetId(sheet)
  }

  async loadAll() {
    for (let offset = 0, count = 1; offset < Math.min(count, SHEETS_LIMIT); offset += PAGE) {
      const page = await this.#api('GET', `/notes?limit=${PAGE}&offset=${offset}`)
      count = page.count
      page.items.forEach((sheet) => this.take(sheet))
    }
  }

  /** A state of a sheet; an older one than is known is dropped. `by`: who made it, if that is news. */
  take(sheet, { by = '', action = '' } = {}) {
    const id = sheetId(sheet)
    const before = this.get(id)
    if (before && before.version >= sheet.version) return
    this.#sheets.set(id, sheet)
    const changes = before && by ? differences(before.tasks, this.get(id).tasks) : []
    this.#tell({ id, by, action, changes })
  }

  /** Shown at once, done in its turn; taken back where that fails, with the reason thrown. */
  async change(id, change) {
    const tasks = this.get(id)?.tasks ?? []
    const mine = change.kind === 'add'
      ? { ...change, mark: `+${++this.#marks}`, known: new Set(tasks.map((task) => task.key)) } : change
    this.#put(id, [...(this.#pending.get(id) ?? []), mine])
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(() => this.#write(id, mine))
    this.#turns.set(id, turn.catch(() => {}))
    try {
      await turn
    } finally {
      this.#put(id, this.#pending.get(id).filter((each) => each !== mine))
    }
  }

  /** The whole text; refused (409) if somebody else wrote since `version`. */
  async write(id, notes, version) {
    const { record } = await this.#api('PUT', `${pathOf(id)}/notes`, { notes, expectedVersion: version })
    return record
  }

  /** What is asked of one sheet beside its tasks: Notion, tasks handed over. */
  async ask(id, method, path, body) {
    await this.#api(method, path, body)
    await this.load(pathOf(id))
  }

  async #write(id, change) {
    for (let tries = 0; tries < TRIES; tries++) {
      const sheet = this.#sheets.get(id)
      const clash = conflict(sheet.tasks, change)
      if (clash) throw new Clash(change, clash)
      const body = asked(sheet.tasks, change)
      if (!body) return
      const expected = { expectedVersion: sheet.version, ...(change.was ? { expectedText: change.was } : {}) }
      try {
        const { record, tasks } = await this.#api('POST', `${pathOf(id)}/tasks`, { ...body, ...expected })
        return this.take({ ...record, tasks })
      } catch (problem) {
        if (problem.code !== 'conflict') throw problem
      }
      await new Promise((done) => setTimeout(done, Math.random() * PAUSE_MS * tries))
      if (this.#sheets.get(id).version === sheet.version) await this.load(pathOf(id))
    }
    throw new Error('others change these notes all the time: try again')
  }

  #put(id, pending) {
    this.#pending.set(id, pending)
    this.#tell({ id, by: '', action: '', changes: [] })
  }

  #tell(detail) { this.dispatchEvent(new CustomEvent('change', { detail })) }
}
