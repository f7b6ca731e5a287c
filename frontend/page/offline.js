// The offline page looks for the server by itself, and returns to the page once it answers.
const PAUSES = [2, 3, 5, 8, 10] // seconds; the last again and again
const state = document.querySelector('#state')
let tries = 0
let left = 0

async function look() {
  state.textContent = 'Looking for the server…'
  try {
    const answer = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(5000) })
    if (answer.ok) return location.reload()
  } catch { /* still away */ }
  left = PAUSES[Math.min(tries++, PAUSES.length - 1)]
  say()
}

function say() {
  state.textContent = `Still away. Next look in ${left} ${left === 1 ? 'second' : 'seconds'}.`
}

setInterval(() => {
  if (left === 0) return // a look is under way
  left -= 1
  if (left === 0) look()
  else say()
}, 1000)
document.querySelector('#now').addEventListener('click', () => { left = 0; look() })
addEventListener('online', () => { left = 0; look() })
look()
