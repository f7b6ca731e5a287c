// Which addresses of a text become links: those that lead to a page or a letter, and run nothing. Pure.
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** The address, or an empty string: one without a scheme would be a place of our own page. */
export function safeLink(address) {
  try {
    const { protocol, href } = new URL(address)
    return SCHEMES.has(protocol) ? href : ''
  } catch {
    return ''
  }
}
