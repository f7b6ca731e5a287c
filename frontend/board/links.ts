// Which addresses in a text become links: web pages and mail addresses, nothing that runs code. Pure.
const ADDRESS = /https?:\/\/[^\s<>"'`]+/g
// Punctuation after an address belongs to the sentence; a closing bracket too, unless the address opens it.
const AFTER = /[.,;:!?]+$/
const LINKS_LIMIT = 50
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** The address, or an empty string if unsafe. One without a scheme would point into this page. */
export function safeLink(address: string): string {
  try {
    const { protocol, href } = new URL(address)
    return SCHEMES.has(protocol) ? href : ''
  } catch {
    return ''
  }
}

/** The addresses in a plain text, each once. */
export function linksIn(text: string): string[] {
  const addresses = [...text.matchAll(ADDRESS)].map(([address]) => safeLink(trimmed(address)))
  return [...new Set(addresses.filter(Boolean))].slice(0, LINKS_LIMIT)
}

function trimmed(address: string): string {
  const bare = address.replace(AFTER, '')
  const isOpen = bare.endsWith(')') && count(bare, ')') > count(bare, '(')
  return isOpen || bare.endsWith(']') ? trimmed(bare.slice(0, -1)) : bare
}

const count = (text: string, character: string) => text.split(character).length - 1
