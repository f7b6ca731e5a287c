// Small things that this browser keeps: JSON in localStorage, under one prefix. A browser that keeps
// nothing (private windows, full disks) is no error: the page then forgets.
const PREFIX = 'webtmux:'

export function load(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? fallback
  } catch {
    return fallback
  }
}

export function save(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value))
  } catch { /* forgotten */ }
}
