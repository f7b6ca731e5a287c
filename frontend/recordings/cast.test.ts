// Reading a recording, and converting between recorded and playback time.
import assert from 'node:assert/strict'
import type { RecordingEvent } from 'asciinema-player'
import { test } from 'vitest'

import { idleClock, parseCast } from './cast'
import { bytes, clock, day, until } from './recording-format'

const at = (...seconds: number[]): RecordingEvent[] => seconds.map((second) => [second * 1000, 'o', ''])

test('a cast is parsed without an incomplete last line', () => {
  const text = '{"version": 2, "width": 80, "height": 24}\n[0.5, "o", "a\\n"]\n[1, "m", "x"]\n[2, "o", "ha'
  assert.deepEqual(parseCast(text), {
    cols: 80,
    rows: 24,
    events: [
      [500, 'o', 'a\n'],
      [1000, 'm', 'x'],
    ],
  })
})

test('pauses are shortened to the limit and later events move up', () => {
  const { shown } = idleClock(at(0, 1, 11, 12, 32), 2)
  assert.deepEqual([0, 1, 11, 12, 32].map(shown), [0, 1, 3, 4, 6])
})

test('a time within a pause maps into the shortened pause', () => {
  const { shown } = idleClock(at(0, 1, 11), 2)
  assert.deepEqual([1.5, 2.9, 5, 10.9].map(shown), [1.5, 2.9, 3, 3])
})

test('converting back returns the same time', () => {
  const { shown, real } = idleClock(at(0, 1, 11, 12, 32, 40), 2)
  for (const time of [0, 0.5, 1, 11, 11.5, 12, 32, 40]) assert.equal(real(shown(time)), time)
})

test('without a limit nothing changes', () => {
  const { shown, real } = idleClock(at(0, 100, 500), Number.POSITIVE_INFINITY)
  assert.deepEqual([0, 250, 500].map(shown), [0, 250, 500])
  assert.equal(real(300), 300)
})

test('lengths, sizes and dates are formatted', () => {
  assert.deepEqual([0, 7.9, 754, 3723].map(clock), ['0:00', '0:07', '12:34', '1:02:03'])
  assert.deepEqual([0, 999, 1200, 45_678, 5.2e7, 3e9].map(bytes), [
    '0 B',
    '999 B',
    '1.2 kB',
    '46 kB',
    '52 MB',
    '3.0 GB',
  ])
  const now = new Date(2026, 10, 16, 12)
  assert.equal(day(new Date(2026, 10, 16, 9, 5), now), 'today 09:05')
  assert.equal(day(new Date(2026, 10, 15, 23, 59), now), 'yesterday 23:59')
  assert.match(day(new Date(2025, 0, 3, 9, 5), now), /^3 Jan 2025 09:05$/)
  const later = (minutes: number) => until(new Date(now.getTime() + minutes * 60_000), now)
  assert.deepEqual([-1, 1, 30, 120, 2880].map(later), [
    'now',
    'in 1 minute',
    'in 30 minutes',
    'in 2 hours',
    'in 2 days',
  ])
})
