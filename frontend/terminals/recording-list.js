// The list of recordings as the screen shows it: what the server told, kept in order. Pure.

/** Newest first; of one key the higher version, and of the same one the later word (it grows). */
export function merge(list, told) {
  const rows = new Map(list.map((row) => [row.key, row]))
  for (const row of told) if ((rows.get(row.key)?.version ?? 0) <= row.version) rows.set(row.key, row)
  return [...rows.values()].sort((one, other) => other.startedAt.localeCompare(one.startedAt))
}

export function without(list, keys) {
  return list.filter((row) => !keys.includes(row.key))
}

/** Whether a recording belongs to what is looked at: one window, or all. */
export function belongs(row, window) {
  return !window || row.window === window
}

/** Seconds until now of one that runs, else its whole length. */
export function lengthOf(row, now = Date.now()) {
  return row.state === 'recording' ? Math.max(0, (now - Date.parse(row.startedAt)) / 1000) : row.duration
}
