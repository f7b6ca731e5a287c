// What the attributes of <tmux-adapter-web> mean to xterm.js. Pure: no element, no terminal.

export const DEFAULTS = Object.freeze({
  fontSize: 13,
  // 100,000 lines halve the speed and take 200 MB; tmux keeps the long history.
  scrollback: 10000,
  // Programs for terminals are laid out for 80.
  minCols: 80,
  background: '#0d1117',
})
const FONTS = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'

/** Attributes, by a function like `getAttribute`, as values; what is no number is the default. */
export function readAttributes(get) {
  return {
    fontSize: number(get('font-size'), DEFAULTS.fontSize, 4, 72),
    scrollback: number(get('scrollback'), DEFAULTS.scrollback, 0, 100000),
    minCols: number(get('min-cols'), DEFAULTS.minCols, 2, 1000),
    cursorBlink: ![null, 'false'].includes(get('cursor-blink')),
    background: get('theme-background') || DEFAULTS.background,
  }
}

/** The options of xterm.js that may change while it runs. The font's size is fitting.js's. */
export function terminalOptions({ scrollback, cursorBlink, background }) {
  return { scrollback, cursorBlink, fontFamily: FONTS, ...colours(background) }
}

/** On a light background the palette, made for dark ones, is darkened until it can be read. */
function colours(background) {
  const light = isLight(background)
  const ink = light ? '#1f2328' : '#e6edf3'
  return {
    theme: { background, foreground: ink, cursor: ink, cursorAccent: background },
    minimumContrastRatio: light ? 4.5 : 1, // WCAG AA; 1 leaves colours as the program chose them
  }
}

/** Only of `#rgb` and `#rrggbb`; every other way to write a colour counts as dark. */
export function isLight(colour) {
  if (!/^#([0-9a-f]{3}){1,2}$/i.test(colour)) return false
  const width = (colour.length - 1) / 3
  const [red, green, blue] = [0, 1, 2].map((at) => {
    const digits = colour.slice(1 + at * width, 1 + (at + 1) * width)
    return parseInt(width === 1 ? digits + digits : digits, 16)
  })
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140
}

function number(text, fallback, least, most) {
  if (text === null || text.trim() === '' || !Number.isFinite(Number(text))) return fallback
  return Math.min(most, Math.max(least, Number(text)))
}
