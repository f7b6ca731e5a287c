// Lets xterm.js make its <style> elements under a strict Content-Security-Policy.
// Without a nonce on them the terminal shows no colours. Not for styles of our own: those are sheets.

/** The nonce of the page; scripts may read the property, though the attribute is hidden. */
export function pageNonce(document) {
  return document.querySelector('script[nonce], style[nonce], link[nonce]')?.nonce ?? ''
}

/** Runs `make`; every <style> that is created meanwhile carries `nonce`. */
export function withStyleNonce(document, nonce, make) {
  if (!nonce) return make()
  const own = Object.getOwnPropertyDescriptor(document, 'createElement')
  const create = document.createElement
  document.createElement = (tag, ...rest) => {
    const element = create.call(document, tag, ...rest)
    if (String(tag).toLowerCase() === 'style') element.nonce = nonce
    return element
  }
  try {
    return make()
  } finally {
    delete document.createElement
    if (own) Object.defineProperty(document, 'createElement', own)
  }
}
