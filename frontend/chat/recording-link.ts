// Links a timestamp to the recording that covers it. Pure. The player takes the start position in seconds.
import type { RecordingOut } from '../core/generated/api'

const LEAD_SECONDS = 2 // starts a little earlier, so that nothing is missed

/** The address of the newest recording that covers this timestamp, or null. */
export function recordingAt(
  recordings: readonly Pick<RecordingOut, 'key' | 'startedAt' | 'endedAt'>[],
  ts: number,
  now = Date.now(),
): string | null {
  const recording = recordings.find(
    ({ startedAt, endedAt }) => Date.parse(startedAt) <= ts && ts <= (endedAt ? Date.parse(endedAt) : now),
  )
  if (!recording) return null
  const second = Math.max(0, Math.floor((ts - Date.parse(recording.startedAt)) / 1000) - LEAD_SECONDS)
  return `/recordings/${encodeURIComponent(recording.key)}?t=${second}`
}
