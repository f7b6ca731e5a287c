// Links that a program prints, spelled out or as OSC 8: where they lead is shown, and they open with
// Ctrl or ⌘ in a tab that knows nothing of this one. Only http and https: what prints is not trusted.

const PROTOCOLS = new Set(['http:', 'https:'])

/** The handler of xterm.js for both kinds; `place` shows the address while the pointer is on it. */
export function linkHandler(place) {
  return {
    activate: (event, address) => { if (isMeant(event)) openLink(address) },
    hover: (_, address) => { place.title = `${address}\n${isTouch() ? 'Tap' : 'Ctrl+click or ⌘+click'} to open` },
    leave: () => { place.removeAttribute('title') },
  }
}

export function isWebAddress(text) {
  try {
    return PROTOCOLS.has(new URL(text).protocol)
  } catch {
    return false
  }
}

function openLink(address) {
  if (isWebAddress(address)) window.open(address, '_blank', 'noopener,noreferrer')
}

/** A plain click puts the focus into the terminal; a finger has no Ctrl. */
function isMeant(event) {
  return event.ctrlKey || event.metaKey || isTouch()
}

function isTouch() {
  return matchMedia('(pointer: coarse)').matches
}
