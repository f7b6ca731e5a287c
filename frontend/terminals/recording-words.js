// Lengths, sizes and days of recordings, in words. Pure.

/** `0:07`, `12:34`, `1:02:03`. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (number) => String(number).padStart(2, '0')
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

export function bytes(count) {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(count, 1)) / 3))
  const value = count / 1000 ** power
  return `${power && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`
}

/** `today 14:05`, `yesterday 09:00`, `3 Nov 14:05`, `3 Nov 2025 14:05`. */
export function day(moment, now = new Date()) {
  const at = new Date(moment)
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000)
  if (days === 0) return `today ${time}`
  if (days === 1) return `yesterday ${time}`
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...year })} ${time}`
}

/** `in 3 days`, `in 5 hours`, `in 2 minutes`, `now`. */
export function until(moment, now = new Date()) {
  const minutes = Math.ceil((new Date(moment) - now) / 60_000)
  if (minutes <= 0) return 'now'
  const [count, unit] = minutes < 90 ? [minutes, 'minute']
    : minutes < 36 * 60 ? [Math.round(minutes / 60), 'hour'] : [Math.round(minutes / 1440), 'day']
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`
}

function midnight(moment) {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate())
}
