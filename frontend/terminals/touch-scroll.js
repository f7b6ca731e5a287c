// One finger scrolls the terminal: xterm.js 6 knows the wheel but no touch.

/** `place` is the element that the finger moves on. */
export function scrollByTouch(place, terminal) {
  let lastY = null
  let rest = 0 // what was moved of the next line
  place.addEventListener('touchstart', ({ touches }) => {
    lastY = touches.length === 1 ? touches[0].clientY : null
    rest = 0
  }, { passive: true })
  place.addEventListener('touchmove', (event) => {
    if (lastY === null) return
    event.preventDefault() // else the page moves too
    const { clientX, clientY } = event.touches[0]
    const moved = lastY - clientY
    lastY = clientY
    if (programScrolls(terminal)) turnWheel(terminal, { deltaY: moved, clientX, clientY })
    else rest = scroll(terminal, rest + moved / cellHeight(terminal))
  }, { passive: false })
}

/** On the alternate screen, and under a program that listens to the mouse, the wheel is input. */
function programScrolls(terminal) {
  return terminal.buffer.active.type === 'alternate' || terminal.modes.mouseTrackingMode !== 'none'
}

function turnWheel(terminal, where) {
  const options = { ...where, bubbles: true, cancelable: true }
  terminal.element.querySelector('.xterm-screen').dispatchEvent(new WheelEvent('wheel', options))
}

function scroll(terminal, lines) {
  const whole = Math.trunc(lines)
  if (whole !== 0) terminal.scrollLines(whole)
  return lines - whole
}

function cellHeight(terminal) {
  return terminal.element.querySelector('.xterm-screen').clientHeight / terminal.rows
}
