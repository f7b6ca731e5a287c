// Where a moment is on a recording. Pure. The player takes the second it should begin at.

const LEAD_SECONDS = 2 // so that what is looked for is not over when it begins

/** The address of the newest recording that covers this moment; null where none does. */
export function recordingAt(recordings, ts, now = Date.now()) {
  const found = recordings.find((one) => Date.parse(one.startedAt) <= ts && ts <= (one.endedAt ? Date.parse(one.endedAt) : now))
  if (!found) return null
  const second = Math.max(0, Math.floor((ts - Date.parse(found.startedAt)) / 1000) - LEAD_SECONDS)
  return `/recordings/${encodeURIComponent(found.key)}?t=${second}`
}
