// The font family and size of terminals, stored in this browser. Emits `font-changed`.
import { load, save } from '../core/memory'
import { DEFAULTS } from './terminal-options'

export interface FontSettings {
  size: number
  family: string
}

export const SIZES = { least: 8, most: 32 }
// The name in localStorage, from earlier versions.
const STORED = 'lettering'

export function fontSettings(): FontSettings {
  const stored = loadStored()
  return { size: clamp(stored.size ?? DEFAULTS.fontSize), family: stored.family || DEFAULTS.fontFamily }
}

/** Changes the size by `by` pixels; 0 restores the default. */
export function changeSize(by: number): void {
  store({ size: by ? clamp(fontSettings().size + by) : undefined })
}

/** An empty family restores the default. */
export function changeFamily(family: string): void {
  store({ family: family.trim() ? `${family.trim()}, ${DEFAULTS.fontFamily}` : undefined })
}

function loadStored(): Partial<FontSettings> {
  return load<Partial<FontSettings>>(STORED, {})
}

/** A setting that is undefined is not stored: JSON has no such value. */
function store(change: { [Name in keyof FontSettings]?: FontSettings[Name] | undefined }): void {
  save(STORED, { ...loadStored(), ...change })
  document.dispatchEvent(new CustomEvent('font-changed'))
}

function clamp(size: number): number {
  return Number.isFinite(size) ? Math.min(SIZES.most, Math.max(SIZES.least, size)) : DEFAULTS.fontSize
}
