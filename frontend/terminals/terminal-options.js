// What the attributes of <tmux-adapter-web> mean to xterm.js. Pure: no element, no terminal.

export const DEFAULTS = Object.freeze({
  fontSize: 13,
  // 100,000 lines halve the speed and take 200 MB; tmux keeps the long history.
  scrollback: 10000,
  // Programs for terminals are laid out for 80.
  minCols: 80,
  background: '#0d1117',
  fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
})
// Sixteen colours for each ground, readable on it (black and white are a ground's own, and stay).
const DARK = {
  black: '#3b4549', red: '#ff8078', green: '#6fd48a', yellow: '#e7c267', blue: '#79b0ff', magenta: '#d79bff',
  cyan: '#5fd0d6', white: '#d3dedb', brightBlack: '#8a9a97', brightRed: '#ffa39c', brightGreen: '#95e8aa',
  brightYellow: '#f6da8f', brightBlue: '#a5caff', brightMagenta: '#e6bfff', brightCyan: '#93e6ea', brightWhite: '#ffffff',
  selectionBackground: '#2f5d75',
}
const LIGHT = {
  black: '#17211f', red: '#b42318', green: '#137333', yellow: '#8a5a00', blue: '#1d5fc4', magenta: '#8431a8',
  cyan: '#0b6b75', white: '#5f6b68', brightBlack: '#55635f', brightRed: '#c4321f', brightGreen: '#1a7f3c',
  brightYellow: '#8f6200', brightBlue: '#2a6dd6', brightMagenta: '#9a45c0', brightCyan: '#0e7681', brightWhite: '#3f4a47',
  selectionBackground: '#b7dcec',
}

/** Attributes, by a function like `getAttribute`, as values; what is no number is the default. */
export function readAttributes(get) {
  return {
    fontSize: number(get('font-size'), DEFAULTS.fontSize, 4, 72),
    scrollback: number(get('scrollback'), DEFAULTS.scrollback, 0, 100000),
    minCols: number(get('min-cols'), DEFAULTS.minCols, 2, 1000),
    cursorBlink: ![null, 'false'].includes(get('cursor-blink')),
    background: get('theme-background') || DEFAULTS.background,
    fontFamily: get('font-family') || DEFAULTS.fontFamily,
    size: parseSize(get('size')),
  }
}

/** The options of xterm.js that may change while it runs. The font's size is fitting.js's. */
export function terminalOptions({ scrollback, cursorBlink, background, fontFamily }) {
  return { scrollback, cursorBlink, fontFamily, ...colours(background) }
}

/** `100x30`; null where there is none, and the terminal fits itself into its place. */
export function parseSize(text) {
  const found = /^(\d{1,4})x(\d{1,4})$/.exec(text ?? '')
  if (!found) return null
  const [cols, rows] = found.slice(1).map(Number)
  return cols > 0 && rows > 0 ? { cols, rows } : null
}

/** On a light background what programs choose for dark ones is darkened until it can be read. */
function colours(background) {
  const light = isLight(background)
  const ink = light ? '#1f2328' : '#e6edf3'
  return {
    theme: { background, foreground: ink, cursor: ink, cursorAccent: background, ...(light ? LIGHT : DARK) },
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
