// Translates the attributes of <tmux-adapter-web> into options of xterm.js. Pure: no element, no terminal.
import type { ITheme } from '@xterm/xterm'
import type { GridSize } from './cells'
import { schemeOfBackground } from './colour-schemes'

export interface Attributes {
  fontSize: number
  scrollback: number
  minCols: number
  cursorBlink: boolean
  background: string
  fontFamily: string
  size: GridSize | null
}

interface Colours {
  theme: ITheme
  minimumContrastRatio: number
}
type Appearance = Pick<Attributes, 'scrollback' | 'cursorBlink' | 'fontFamily'>

export const DEFAULTS = Object.freeze({
  fontSize: 13,
  // 100,000 lines halve the speed and need 200 MB; tmux keeps the full history.
  scrollback: 10000,
  // Terminal programs are laid out for 80 columns.
  minCols: 80,
  background: '#0d1117',
  fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
})
// Sixteen readable colours for each background (black and white stay close to the background colours).
const DARK = {
  black: '#3b4549',
  red: '#ff8078',
  green: '#6fd48a',
  yellow: '#e7c267',
  blue: '#79b0ff',
  magenta: '#d79bff',
  cyan: '#5fd0d6',
  white: '#d3dedb',
  brightBlack: '#8a9a97',
  brightRed: '#ffa39c',
  brightGreen: '#95e8aa',
  brightYellow: '#f6da8f',
  brightBlue: '#a5caff',
  brightMagenta: '#e6bfff',
  brightCyan: '#93e6ea',
  brightWhite: '#ffffff',
  selectionBackground: '#2f5d75',
}
const LIGHT = {
  black: '#17211f',
  red: '#b42318',
  green: '#137333',
  yellow: '#8a5a00',
  blue: '#1d5fc4',
  magenta: '#8431a8',
  cyan: '#0b6b75',
  white: '#5f6b68',
  brightBlack: '#55635f',
  brightRed: '#c4321f',
  brightGreen: '#1a7f3c',
  brightYellow: '#8f6200',
  brightBlue: '#2a6dd6',
  brightMagenta: '#9a45c0',
  brightCyan: '#0e7681',
  brightWhite: '#3f4a47',
  selectionBackground: '#b7dcec',
}

/** Reads the attributes through a function like `getAttribute`; invalid numbers become the default. */
export function readAttributes(get: (name: string) => string | null): Attributes {
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

/** The xterm.js options that may change at runtime. The font size is set by fitting.ts. */
export function terminalOptions({
  scrollback,
  cursorBlink,
  background,
  fontFamily,
}: Appearance & Pick<Attributes, 'background'>): Appearance & Colours {
  return { scrollback, cursorBlink, fontFamily, ...colours(background) }
}

/** Parses `100x30`; null if missing, and the terminal fits itself into its container. */
export function parseSize(text: string | null): GridSize | null {
  const match = /^(\d{1,4})x(\d{1,4})$/.exec(text ?? '')
  const [cols, rows] = [Number(match?.[1]), Number(match?.[2])]
  return cols > 0 && rows > 0 ? { cols, rows } : null
}

/** On a light background, colours chosen for dark ones are darkened until they are readable. */
function colours(background: string): Colours {
  const scheme = schemeOfBackground(background)
  if (scheme) return { theme: scheme.theme, minimumContrastRatio: 1 }
  const light = isLight(background)
  const text = light ? '#1f2328' : '#e6edf3'
  return {
    theme: {
      background,
      foreground: text,
      cursor: text,
      cursorAccent: background,
      ...(light ? LIGHT : DARK),
    },
    // WCAG AA; 1 leaves the colours of programs unchanged.
    minimumContrastRatio: light ? 4.5 : 1,
  }
}

/** Supports `#rgb` and `#rrggbb`; any other notation counts as dark. */
export function isLight(colour: string): boolean {
  if (!/^#([0-9a-f]{3}){1,2}$/i.test(colour)) return false
  const width = (colour.length - 1) / 3
  const channel = (index: number) => {
    const digits = colour.slice(1 + index * width, 1 + (index + 1) * width)
    return Number.parseInt(width === 1 ? digits + digits : digits, 16)
  }
  return 0.299 * channel(0) + 0.587 * channel(1) + 0.114 * channel(2) > 140
}

function number(text: string | null, fallback: number, least: number, most: number): number {
  if (text === null || text.trim() === '' || !Number.isFinite(Number(text))) return fallback
  return Math.min(most, Math.max(least, Number(text)))
}
