// Lets xterm.js create its <style> elements under a strict Content-Security-Policy. Without a nonce on them
// the terminal has no colours. Not for our own styles: those are stylesheets.

type CreateElement = (tag: string, options?: ElementCreationOptions) => { nonce?: string }
/** What is needed of a Document; `createElement` is replaced for a moment. */
interface Factory {
  createElement: CreateElement
}

/** The nonce of the page; scripts may read the property, though the attribute is hidden. */
export function pageNonce(document: Document): string {
  return document.querySelector<HTMLElement>('script[nonce], style[nonce], link[nonce]')?.nonce ?? ''
}

/** Runs `create`; every <style> created during the call gets the nonce. */
export function withStyleNonce<Result>(document: Factory, nonce: string, create: () => Result): Result {
  if (!nonce) return create()
  const own = Object.getOwnPropertyDescriptor(document, 'createElement')
  const original = document.createElement
  const replacement: CreateElement = (tag, options) => {
    const element = original.call(document, tag, options)
    if (String(tag).toLowerCase() === 'style') element.nonce = nonce
    return element
  }
  Object.defineProperty(document, 'createElement', { value: replacement, configurable: true, writable: true })
  try {
    return create()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
    if (own) Object.defineProperty(document, 'createElement', own)
  }
}
