// Where the player's page reads: REST for whoever may see the workspace, /shared/ for a secret link.

export class PlayerSource {
  #root
  #secret

  constructor(root, secret) {
    this.#root = root
    this.#secret = secret
  }

  get shared() { return this.#secret !== '' }

  detail() { return this.#json(this.shared ? '/detail' : '') }
  search(q) { return this.#json('/search', { q }) }
  async cast() { return (await this.#fetch('/cast')).text() }

  castAddress() { return this.#address('/cast') }

  async #json(path, query) { return (await this.#fetch(path, query)).json() }

  async #fetch(path, query = {}) {
    const answer = await fetch(this.#address(path, query))
      .catch(() => { throw new Error('the server cannot be reached') })
    if (answer.ok) return answer
    const told = await answer.json().catch(() => null)
    throw new Error(told?.error?.message ?? `the server answered ${answer.status}`)
  }

  #address(path, query = {}) {
    const words = new URLSearchParams(this.shared ? { token: this.#secret, ...query } : query)
    return `${this.#root}${path}${words.size ? `?${words}` : ''}`
  }
}
