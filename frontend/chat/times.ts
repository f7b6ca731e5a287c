// Formats timestamps: relative, by day, and exact. Pure, except for the language of the browser.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
// Shared, because creating one takes longer than rendering a message.
const SHORT = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const WHOLE_DAY = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

export function ago(ts: number, now = Date.now()): string {
  const past = now - ts
  if (past < MINUTE) return 'just now'
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`
  if (past < DAY) return `${Math.floor(past / HOUR)} h ago`
  return SHORT.format(ts)
}

export function dayOf(ts: number, now = Date.now()): string {
  const day = new Date(ts).toDateString()
  if (day === new Date(now).toDateString()) return 'Today'
  if (day === new Date(now - DAY).toDateString()) return 'Yesterday'
  return WHOLE_DAY.format(ts)
}

export function exactly(ts: number): string {
  return EXACT.format(ts)
}
