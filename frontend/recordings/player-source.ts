// Loads the data of the player page: over REST for users of the workspace, from /shared/ for a secret link.
import type { ErrorOut, HitsOut, RecordingDetailOut } from '../core/generated/api'

export class PlayerSource {
  #root: string
  #secret: string

  constructor(root: string, secret: string) {
    this.#root = root
    this.#secret = secret
  }

  get shared(): boolean {
    return this.#secret !== ''
  }

  detail(): Promise<RecordingDetailOut> {
    return this.#json<RecordingDetailOut>(this.shared ? '/detail' : '')
  }

  search(q: string): Promise<HitsOut> {
    return this.#json<HitsOut>('/search', { q })
  }

  async cast(): Promise<string> {
    return (await this.#fetch('/cast')).text()
  }

  castAddress(): string {
    return this.#address('/cast')
  }

  /** The response is trusted to have the type of its schema. */
  async #json<Result>(path: string, query?: Record<string, string>): Promise<Result> {
    const response = await this.#fetch(path, query)
    return (await response.json()) as Result
  }

  async #fetch(path: string, query: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(this.#address(path, query)).catch(() => {
      throw new Error('Cannot reach the server.')
    })
    if (response.ok) return response
    // An error of a proxy may have another body, or none.
    const payload = (await response.json().catch(() => null)) as Partial<ErrorOut> | null
    throw new Error(payload?.error?.message ?? `The server returned an error (${response.status}).`)
  }

  #address(path: string, query: Record<string, string> = {}): string {
    const parameters = new URLSearchParams(this.shared ? { token: this.#secret, ...query } : query)
    return `${this.#root}${path}${parameters.size ? `?${parameters}` : ''}`
  }
}
