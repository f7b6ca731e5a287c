// The offline page: polls the server and reloads once it responds.
import './offline.css'

const DELAYS = [2, 3, 5, 8] // seconds, then LONGEST_DELAY
const LONGEST_DELAY = 10
const TIMEOUT_MS = 5000
const state = document.querySelector('#state')
let attempts = 0
let left = 0

async function check(): Promise<void> {
  show('Connecting…')
  try {
    const response = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.ok) return location.reload()
  } catch {
    /* still offline */
  }
  left = DELAYS[attempts++] ?? LONGEST_DELAY
  showCountdown()
}

function checkNow(): void {
  left = 0
  void check()
}

function showCountdown(): void {
  show(`Still offline. Retrying in ${left} ${left === 1 ? 'second' : 'seconds'}.`)
}

function show(text: string): void {
  if (state) state.textContent = text
}

setInterval(() => {
  if (left === 0) return // a check is in progress
  left -= 1
  if (left === 0) void check()
  else showCountdown()
}, 1000)
document.querySelector('#now')?.addEventListener('click', checkNow)
addEventListener('online', checkNow)
void check()
