// A long press by touch, which selects a window: a mouse has Ctrl-click for it.

// Shorter than that of the browser, whose menu would cancel it.
const PRESS_MS = 400
// A finger that moves further scrolls.
const MOVE_LIMIT = 10

/** Listens on `root`; `find` names what is pressed, or returns an empty string. Returns how to stop. */
export function listenForLongPress(
  root: HTMLElement,
  find: (target: Element) => string,
  onPress: (name: string) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let start = { x: 0, y: 0 }
  // The release of a long press is no tap.
  let isPressed = false
  const cancel = () => clearTimeout(timer)
  const listeners = new AbortController()
  const options = { signal: listeners.signal }
  root.addEventListener(
    'pointerdown',
    ({ pointerType, target, clientX, clientY }) => {
      cancel()
      isPressed = false
      const name = pointerType === 'touch' && target instanceof Element ? find(target) : ''
      if (!name) return
      start = { x: clientX, y: clientY }
      timer = setTimeout(() => {
        isPressed = true
        onPress(name)
      }, PRESS_MS)
    },
    options,
  )
  root.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (Math.hypot(clientX - start.x, clientY - start.y) > MOVE_LIMIT) cancel()
    },
    options,
  )
  for (const type of ['pointerup', 'pointercancel'] as const) root.addEventListener(type, cancel, options)
  const suppress = (event: Event) => {
    if (!isPressed) return
    event.preventDefault()
    event.stopPropagation()
    if (event.type === 'click') isPressed = false
  }
  root.addEventListener('click', suppress, { ...options, capture: true })
  // The menu of the browser for a link.
  root.addEventListener('contextmenu', suppress, { ...options, capture: true })
  return () => {
    cancel()
    listeners.abort()
  }
}
