// Small values that this browser remembers: JSON in localStorage, under one prefix. If storage is
// unavailable (private window, full disk), values are simply not remembered.
const PREFIX = 'webtmux:'

/** The stored value, trusted to have the type of `fallback`: only `save` writes under this name. */
export function load<Value>(name: string, fallback: Value): Value {
  try {
    return (JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null') as Value | null) ?? fallback
  } catch {
    return fallback
  }
}

export function save(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch {
    /* not remembered */
  }
}
