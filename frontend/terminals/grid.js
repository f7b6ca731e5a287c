// Which windows stand beside each other: one, two or four places, each with the address of a window
// or nothing. Pure. The window that is looked at always has a place; no window has two.

export const COUNTS = [1, 2, 4]

/**
 * The places for `count` windows. `slots` are those before, `current` is looked at, `known` are the
 * addresses of all windows there are. A window that comes anew takes the place that was looked at.
 */
export function arrange({ count, slots, current, before, known }) {
  const kept = slots.map((address) => (known.includes(address) ? address : ''))
  const places = Array.from({ length: count }, (_, at) => kept[at] ?? '')
  if (!current) return places
  if (places.includes(current)) return places
  places[placeFor(places, before)] = current
  return places
}

/** Places without a window get one that is not shown yet, in the order of the rail after the current. */
export function fill(places, current, known) {
  const from = known.indexOf(current) + 1
  const rest = [...known.slice(from), ...known.slice(0, from)].filter((address) => !places.includes(address))
  return places.map((address) => address || (rest.shift() ?? ''))
}

/** Another window in one place; if it stands elsewhere the two change places. */
export function put(places, at, address) {
  const elsewhere = places.indexOf(address)
  return places.map((shown, place) => {
    if (place === at) return address
    return place === elsewhere ? places[at] : shown
  })
}

/** A window is called by tmux's id until the server has told its key. */
export function renamed(slots, windows) {
  const addresses = new Map(windows.filter(({ key }) => key).map(({ windowId, key }) => [windowId, key]))
  return slots.map((address) => addresses.get(address) ?? address)
}

function placeFor(places, before) {
  const empty = places.indexOf('')
  const last = places.indexOf(before)
  if (last >= 0) return last
  return empty >= 0 ? empty : 0
}
