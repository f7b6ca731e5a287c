// The list of recordings as the screen shows it, merged from responses and events. Pure.
import type { RecordingOut } from '../core/generated/socket'

type Sorted = Pick<RecordingOut, 'key' | 'version' | 'startedAt'>

/** Newest first. A higher version replaces a lower one; an equal one replaces it too, because it may have grown. */
export function merge<Row extends Sorted>(list: readonly Row[], updates: readonly Row[]): Row[] {
  const rows = new Map(list.map((row) => [row.key, row]))
  for (const row of updates) if ((rows.get(row.key)?.version ?? 0) <= row.version) rows.set(row.key, row)
  return [...rows.values()].sort((a, b) => b.startedAt.localeCompare(a.startedAt))
}

export function without<Row extends { key: string }>(list: readonly Row[], keys: readonly string[]): Row[] {
  return list.filter((row) => !keys.includes(row.key))
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
