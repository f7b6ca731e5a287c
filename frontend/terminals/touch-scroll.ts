// Scrolls the terminal by touch: xterm.js 6 supports the wheel only.
import type { Terminal } from '@xterm/xterm'

/** `element` receives the touch events. */
export function scrollByTouch(element: HTMLElement, terminal: Terminal): void {
  let lastY: number | null = null
  // The part of a line that was not scrolled yet.
  let rest = 0
  element.addEventListener(
    'touchstart',
    ({ touches }) => {
      lastY = touches.length === 1 ? (touches[0]?.clientY ?? null) : null
      rest = 0
    },
    { passive: true },
  )
  element.addEventListener(
    'touchmove',
    (event) => {
      const [touch] = event.touches
      if (lastY === null || !touch) return
      // Otherwise the page scrolls too.
      event.preventDefault()
      const { clientX, clientY } = touch
      const moved = lastY - clientY
      lastY = clientY
      if (wheelIsInput(terminal)) sendWheel(terminal, { deltaY: moved, clientX, clientY })
      else rest = scroll(terminal, rest + moved / cellHeight(terminal))
    },
    { passive: false },
  )
}

/** On the alternate screen, and for programs with mouse support, the wheel is input. */
function wheelIsInput(terminal: Terminal): boolean {
  return terminal.buffer.active.type === 'alternate' || terminal.modes.mouseTrackingMode !== 'none'
}

function sendWheel(terminal: Terminal, position: WheelEventInit): void {
  const options = { ...position, bubbles: true, cancelable: true }
  screenOf(terminal)?.dispatchEvent(new WheelEvent('wheel', options))
}

function scroll(terminal: Terminal, lines: number): number {
  const whole = Math.trunc(lines)
  if (whole !== 0) terminal.scrollLines(whole)
  return lines - whole
}

function cellHeight(terminal: Terminal): number {
  return (screenOf(terminal)?.clientHeight ?? 0) / terminal.rows
}

function screenOf(terminal: Terminal): Element | null {
  return terminal.element?.querySelector('.xterm-screen') ?? null
}
