// A recording in the format of the player, and the conversion between recorded time and playback time, in
// which pauses are shortened. Pure.
import type { RecordingEvent } from 'asciinema-player'

export interface Cast {
  cols: number
  rows: number
  events: RecordingEvent[]
}

export interface IdleClock {
  /** Recorded time → playback time, in seconds. */
  shown(time: number): number
  /** Playback time → recorded time, in seconds. */
  real(time: number): number
}

/** After a shortened pause, in seconds. */
interface Cut {
  real: number
  shown: number
}

/** asciicast v2; times in milliseconds. An incomplete last line is ignored. */
export function parseCast(text: string): Cast {
  const end = text.indexOf('\n')
  // Written by the server: terminals/recordings/asciicast.py.
  const header = JSON.parse(text.slice(0, end)) as { width: number; height: number }
  const events: RecordingEvent[] = []
  for (let index = end + 1; index < text.length; ) {
    const next = text.indexOf('\n', index)
    if (next < 0) break
    const [time, code, data] = JSON.parse(text.slice(index, next)) as RecordingEvent
    events.push([time * 1000, code, data])
    index = next + 1
  }
  return { cols: header.width, rows: header.height, events }
}

/** Playback time in which no pause is longer than `limit` seconds, like idleTimeLimit of the player. */
export function idleClock(events: readonly RecordingEvent[], limit: number): IdleClock {
  const cuts: Cut[] = []
  let shift = 0
  let previous = 0
  for (const [ms] of events) {
    const time = ms / 1000
    if (time - previous > limit) {
      shift += time - previous - limit
      cuts.push({ real: time, shown: time - shift })
    }
    previous = time
  }
  return {
    shown: (time) => convert(cuts, time, 'real', 'shown'),
    real: (time) => convert(cuts, time, 'shown', 'real'),
  }
}

/** Within a shortened pause the time runs up to the cut and stops there. */
function convert(cuts: readonly Cut[], time: number, from: keyof Cut, to: keyof Cut): number {
  const next = cuts.find((cut) => cut[from] > time)
  const last = next ? cuts[cuts.indexOf(next) - 1] : cuts.at(-1)
  const moved = (last?.[to] ?? 0) + time - (last?.[from] ?? 0)
  return next ? Math.min(moved, next[to]) : moved
}
