// The fonts that the page ships (terminal.css): symbols that agents print, and a monospaced font for devices
// without a good one. They are named only once they are loaded: then xterm.js measures its cells again. Files
// with rare characters are loaded by the browser when one is printed.
import { type FontSettings, fontSettings } from './font-settings'
import { DEFAULTS } from './terminal-options'

// Symbols come first: the system would draw ⏺ and ✳ as emoji. They contain no letters, so that the font of the
// letters, and with it the size of a cell, is the one of the system.
const SHIPPED_FAMILY = `"webtmux Symbols", ${DEFAULTS.fontFamily.replace('"DejaVu Sans Mono"', '"webtmux Mono"')}`
// One character of each file that is not rare.
const SAMPLES = [
  ['"webtmux Mono"', 'W'],
  ['"webtmux Symbols"', '✻⠋⏺⎿'],
] as const
// Later fonts are used, too; but the terminal does not wait for them.
const WAIT_MS = 3_000

let isLoaded = false
let isSettled = false
let laterFiles = 0
let loading: Promise<void> | null = null

/** Loads the fonts once and emits `font-changed`. */
export function loadFonts(): Promise<void> {
  loading ??= load()
  return loading
}

/** Whether the fonts are loaded, or will not be soon. */
export function areFontsSettled(): boolean {
  return isSettled
}

/** The font of terminals: as set by the user, with the fonts of the page as soon as they are loaded. */
export function shownFont(): FontSettings {
  const { size, family } = fontSettings()
  if (!isLoaded) return { size, family }
  // xterm.js keeps the width of each character until the family is another text: so spaces are added.
  return { size, family: family.replace(DEFAULTS.fontFamily, SHIPPED_FAMILY) + ' '.repeat(laterFiles) }
}

async function load(): Promise<void> {
  const timer = setTimeout(settle, WAIT_MS)
  let first = new Set<FontFace>()
  try {
    const faces = await Promise.all(
      SAMPLES.map(([family, text]) => document.fonts.load(`13px ${family}`, text)),
    )
    isLoaded = faces.every((found) => found.length > 0)
    first = new Set(faces.flat())
  } catch {
    // The fonts of the system are used.
  }
  clearTimeout(timer)
  settle()
  document.fonts.addEventListener('loadingdone', ({ fontfaces }) => {
    if (!fontfaces.some((face) => face.family.includes('webtmux') && !first.has(face))) return
    laterFiles++
    document.dispatchEvent(new CustomEvent('font-changed'))
  })
}

function settle(): void {
  isSettled = true
  document.dispatchEvent(new CustomEvent('font-changed'))
}
