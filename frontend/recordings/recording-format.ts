// Formats lengths, sizes and dates of recordings. Pure.

/** `0:07`, `12:34`, `1:02:03`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const two = (number: number) => String(number).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

export function bytes(count: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(count, 1)) / 3))
  const value = count / 1000 ** power
  return `${power && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`
}

/** `today 14:05`, `yesterday 09:00`, `3 Nov 14:05`, `3 Nov 2025 14:05`. */
export function day(timestamp: string | Date, now = new Date()): string {
  const date = new Date(timestamp)
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const days = Math.round((midnight(now) - midnight(date)) / 86_400_000)
  if (days === 0) return `today ${time}`
  if (days === 1) return `yesterday ${time}`
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const }
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })} ${time}`
}

/** `in 3 days`, `in 5 hours`, `in 2 minutes`, `now`. */
export function until(timestamp: string | Date, now = new Date()): string {
  const minutes = Math.ceil((new Date(timestamp).getTime() - now.getTime()) / 60_000)
  if (minutes <= 0) return 'now'
  if (minutes < 90) return inUnits(minutes, 'minute')
  return minutes < 36 * 60
    ? inUnits(Math.round(minutes / 60), 'hour')
    : inUnits(Math.round(minutes / 1440), 'day')
}

function inUnits(count: number, unit: string): string {
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}
