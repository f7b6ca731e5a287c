// Code with colours, as soon as they are loaded; plain text before that, and for what is too long.
import type { Coloured } from './code-colours'

const LENGTH_LIMIT = 12_000 // characters: colouring takes about 20 ms then
const CACHE_LIMIT = 200
const cache = new Map<string, Coloured | string>()
let colours: typeof import('./code-colours') | null = null
let loading: Promise<void> | null = null

/** The code, to be rendered. `loaded` is called once, if colours for it were not loaded yet. */
export function code(text: string, language: string, loaded: () => void): Coloured | string {
  const name = language.trim().split(/\s/, 1)[0]?.toLowerCase() ?? ''
  if (!name || text.length > LENGTH_LIMIT) return text
  if (!colours) {
    loading ??= load()
    void loading.then(loaded)
    return text
  }
  const key = `${name}\n${text}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const parts = colours.coloured(text, name) ?? text
  if (cache.size >= CACHE_LIMIT) cache.clear()
  cache.set(key, parts)
  return parts
}

async function load(): Promise<void> {
  try {
    colours = await import('./code-colours')
  } catch {
    loading = null // offline: the text is readable without
  }
}

/** What a tool was given: a change of a file, a command, JSON, or words. */
export function languageOf(tool: string, input: string): string {
  if (/^(?:[+-] ?|@@|\*\*\* )/m.test(input) && /edit|patch|write|replace|update/i.test(tool)) return 'diff'
  if (/^\s*[{[]/.test(input)) return 'json'
  return /bash|shell|exec|run|command/i.test(tool) ? 'bash' : ''
}
