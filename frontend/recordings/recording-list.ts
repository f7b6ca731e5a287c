// Lists of recordings. Pure.
import type { RecordingOut } from '../core/generated/socket'

export function newestFirst<Row extends Pick<RecordingOut, 'startedAt'>>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => b.startedAt.localeCompare(a.startedAt))
}

/** Whether a recording belongs to this window; without a window, all do. */
export function belongs(row: Pick<RecordingOut, 'window'>, window: string): boolean {
  return !window || row.window === window
}

/** The length in seconds; of a running recording until now. */
export function lengthOf(
  row: Pick<RecordingOut, 'state' | 'startedAt' | 'duration'>,
  now = Date.now(),
): number {
  return row.state === 'recording' ? Math.max(0, (now - Date.parse(row.startedAt)) / 1000) : row.duration
}
