// The letters of terminals: family and size, kept by this browser. Tells `lettering-changed`.
import { load, save } from '../page/memory.js'
import { DEFAULTS } from './terminal-options.js'

export const SIZES = { least: 8, most: 32 }

export function lettering() {
  const kept = load('lettering', {})
  return { size: within(kept.size ?? DEFAULTS.fontSize), family: kept.family || DEFAULTS.fontFamily }
}

/** `by` pixels larger; without it the size is the default again. */
export function changeSize(by) {
  keep({ size: by ? within(lettering().size + by) : undefined })
}

/** An empty family is the default again. */
export function changeFamily(family) {
  keep({ family: family.trim() ? `${family.trim()}, ${DEFAULTS.fontFamily}` : undefined })
}

function keep(change) {
  save('lettering', { ...load('lettering', {}), ...change })
  document.dispatchEvent(new CustomEvent('lettering-changed'))
}

function within(size) {
  return Number.isFinite(size) ? Math.min(SIZES.most, Math.max(SIZES.least, size)) : DEFAULTS.fontSize
}
