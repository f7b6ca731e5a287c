// Links in the output of programs, as text or OSC 8: the address is shown, and Ctrl or ⌘ opens it in a new
// tab without access to this one. Only http and https, because the output is not trusted.

const PROTOCOLS = new Set(['http:', 'https:'])

interface LinkHandler {
  activate(event: MouseEvent, address: string): void
  hover(event: MouseEvent, address: string): void
  leave(): void
}

/** The xterm.js handler for both kinds; `element` shows the address while the pointer is on the link. */
export function linkHandler(element: HTMLElement): LinkHandler {
  return {
    activate: (event, address) => {
      if (shouldOpen(event)) openLink(address)
    },
    hover: (_, address) => {
      element.title = `${address}\n${isTouch() ? 'Tap' : 'Ctrl+click or ⌘+click'} to open`
    },
    leave: () => {
      element.removeAttribute('title')
    },
  }
}

export function isWebAddress(text: string): boolean {
  try {
    return PROTOCOLS.has(new URL(text).protocol)
  } catch {
    return false
  }
}

function openLink(address: string): void {
  if (isWebAddress(address)) window.open(address, '_blank', 'noopener,noreferrer')
}

/** A plain click focuses the terminal; touch has no Ctrl key. */
function shouldOpen(event: MouseEvent): boolean {
  return event.ctrlKey || event.metaKey || isTouch()
}

function isTouch(): boolean {
  return matchMedia('(pointer: coarse)').matches
}
