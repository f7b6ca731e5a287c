// Where the player's page reads: REST for whoever may see the workspace, /shared/ for a secret link.

export class PlayerSource {
  #root
  #secret
  #token = null // promise: of the page's own token

  constructor(root, secret) {
    this.#root = root
    this.#secret = secret
  }

  get shared() { return this.#secret !== '' }

  detail() { return this.#json(this.shared ? '/detail' : '') }
  search(q) { return this.#json('/search', { q }) }
  async cast() { return (await this.#fetch('/cast')).text() }

  /** For a link: a download carries no header, so a token of the page must stand in it. */
  async castAddress() {
    const { token } = await this.#pageToken()
    return this.#address('/cast', token ? { token } : {})
  }

  async #json(path, query) { return (await this.#fetch(path, query)).json() }

  async #fetch(path, query = {}) {
    const { token } = await this.#pageToken()
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    const answer = await fetch(this.#address(path, query), { headers })
      .catch(() => { throw new Error('the server cannot be reached') })
    if (answer.ok) return answer
    const told = await answer.json().catch(() => null)
    throw new Error(told?.error?.message ?? `the server answered ${answer.status}`)
  }

  #address(path, query = {}) {
    const words = new URLSearchParams(this.shared ? { token: this.#secret, ...query } : query)
    return `${this.#root}${path}${words.size ? `?${words}` : ''}`
  }

  /** Not on a shared page: token.js would take the secret out of the address, and reload would fail. */
  #pageToken() {
    this.#token ??= this.shared ? Promise.resolve({ token: '' }) : import('../page/token.js')
    return this.#token
  }
}
