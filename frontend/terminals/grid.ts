// Which windows are shown side by side: one, two or four slots, each with the address of a window or empty.
// Pure. The current window always has a slot; no window has two.
import type { WindowRow } from '../core/workspace'

export const COUNTS = [1, 2, 4] as const

interface Arrangement {
  count: number
  // The previous slots.
  slots: readonly string[]
  // The addresses of the current, the previous and all windows.
  current: string
  before: string
  known: readonly string[]
}

/** The slots for `count` windows. A new window takes the slot of the previous one. */
export function arrange({ count, slots, current, before, known }: Arrangement): string[] {
  const valid = slots.map((address) => (known.includes(address) ? address : ''))
  const places = Array.from({ length: count }, (_, index) => valid[index] ?? '')
  if (!current) return places
  if (places.includes(current)) return places
  return places.with(slotFor(places, before), current)
}

/** Fills empty slots with windows that are not shown yet, in the order of the sidebar after the current one. */
export function fill(places: readonly string[], current: string, known: readonly string[]): string[] {
  const from = known.indexOf(current) + 1
  const rest = [...known.slice(from), ...known.slice(0, from)].filter((address) => !places.includes(address))
  return places.map((address) => address || (rest.shift() ?? ''))
}

/** Puts a window into a slot; if it has another slot, the two are swapped. */
export function put(places: readonly string[], index: number, address: string): string[] {
  const elsewhere = places.indexOf(address)
  return places.map((shown, slot) => {
    if (slot === index) return address
    return slot === elsewhere ? (places[index] ?? '') : shown
  })
}

/** Replaces tmux ids by keys: a window is addressed by its id until its key is known. */
export function withKeys(
  slots: readonly string[],
  windows: readonly Pick<WindowRow, 'windowId' | 'key'>[],
): string[] {
  const addresses = new Map(windows.filter(({ key }) => key).map(({ windowId, key }) => [windowId, key]))
  return slots.map((address) => addresses.get(address) ?? address)
}

function slotFor(places: readonly string[], before: string): number {
  const last = places.indexOf(before)
  return last >= 0 ? last : Math.max(0, places.indexOf(''))
}
