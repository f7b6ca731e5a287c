// Trusted Types for the player page: asciinema-player sets its templates as HTML. They are allowed if they
// contain only drawing and text; the browser refuses everything else, and every script.
const TAGS = new Set(
  'button canvas circle defs div g kbd li line mask p path pre polygon polyline rect span svg ul'.split(' '),
)
const RUNS = /[\s/"'](?:on[a-z]+|href|src|srcdoc|action|formaction)\s*=|javascript:/i

/** Whether a template contains only drawing and text. */
export function isHarmless(html: string): boolean {
  if (RUNS.test(html)) return false
  return [...html.matchAll(/<\/?([^\s>/]*)/g)].every(([, tag = '']) => TAGS.has(tag.toLowerCase()))
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(html: string): string | null }): unknown
}

// TypeScript has no types of Trusted Types.
const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
trustedTypes?.createPolicy('default', { createHTML: (html) => (isHarmless(html) ? html : null) })
