// A recording as the player takes it, and its two clocks: when something was printed, and where that
// is on a timeline whose pauses are cut short. Pure.

/** asciicast v2 → {cols, rows, events}; times in milliseconds. A last line that is cut is left out. */
export function parseCast(text) {
  const end = text.indexOf('\n')
  const header = JSON.parse(text.slice(0, end))
  const events = []
  for (let at = end + 1; at < text.length;) {
    const next = text.indexOf('\n', at)
    if (next < 0) break
    const [time, code, data] = JSON.parse(text.slice(at, next))
    events.push([time * 1000, code, data])
    at = next + 1
  }
  return { cols: header.width, rows: header.height, events }
}

/**
 * The timeline on which no pause is longer than `limit` seconds, as the player's idleTimeLimit makes
 * it. `shown(t)` is where a moment of the recording is on it, `real(t)` the way back; in seconds.
 */
export function idleClock(events, limit) {
  const cuts = [] // [real time, shown time] after each pause that was cut, in seconds
  let shift = 0
  let before = 0
  for (const [ms] of events) {
    const time = ms / 1000
    if (time - before > limit) {
      shift += time - before - limit
      cuts.push([time, time - shift])
    }
    before = time
  }
  return {
    shown: (time) => convert(cuts, time, 0, 1),
    real: (time) => convert(cuts, time, 1, 0),
  }
}

/** Within a pause the time goes on until the cut, and then waits there. */
function convert(cuts, time, from, to) {
  let at = cuts.findIndex((cut) => cut[from] > time)
  if (at < 0) at = cuts.length
  const [start, offset] = at ? [cuts[at - 1][from], cuts[at - 1][to]] : [0, 0]
  const moved = offset + time - start
  return at < cuts.length ? Math.min(moved, cuts[at][to]) : moved
}
