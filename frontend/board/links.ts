// Which addresses in a text become links: web pages and mail addresses, nothing that runs code. Pure.
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
