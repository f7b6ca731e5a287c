// Colour schemes of terminals. A scheme sets the colour `--terminal` of the page; terminal-options finds the
// other colours by it, so no two schemes have the same background. Pure.
import type { ITheme } from '@xterm/xterm'

export interface ColourScheme {
  name: string
  title: string
  theme: ITheme & { background: string }
}

// In the order of their numbers.
const ANSI = (
  'black red green yellow blue magenta cyan white ' +
  'brightBlack brightRed brightGreen brightYellow brightBlue brightMagenta brightCyan brightWhite'
).split(' ')

function scheme(
  name: string,
  title: string,
  [background, foreground, selectionBackground]: readonly [string, string, string],
  colours: string,
): ColourScheme {
  const values = colours.split(' ').map((digits) => `#${digits}`)
  const ansi = Object.fromEntries(ANSI.map((key, index) => [key, values[index]]))
  const cursor = { cursor: foreground, cursorAccent: background }
  return { name, title, theme: { background, foreground, selectionBackground, ...cursor, ...ansi } }
}

export const SCHEMES: readonly ColourScheme[] = [
  scheme(
    'solarized-dark',
    'Solarized dark',
    ['#002b36', '#93a1a1', '#0b4a59'],
    '073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 586e75 cb4b16 93a1a1 b58900 839496 6c71c4 93a1a1 fdf6e3',
  ),
  scheme(
    'solarized-light',
    'Solarized light',
    ['#fdf6e3', '#586e75', '#e4dcc3'],
    '073642 dc322f 718200 9a7500 1f78b8 c42f78 20877f 657b83 586e75 b8420f 657b83 8a6a00 586e75 5d62b5 4f6268 073642',
  ),
  scheme(
    'gruvbox',
    'Gruvbox dark',
    ['#282828', '#ebdbb2', '#504945'],
    '3c3836 fb4934 b8bb26 fabd2f 83a598 d3869b 8ec07c d5c4a1 928374 fb4934 b8bb26 fabd2f 83a598 d3869b 8ec07c fbf1c7',
  ),
  scheme(
    'dracula',
    'Dracula',
    ['#282a36', '#f8f8f2', '#44475a'],
    '44475a ff5555 50fa7b f1fa8c bd93f9 ff79c6 8be9fd f8f8f2 6272a4 ff6e6e 69ff94 ffffa5 d6acff ff92df a4ffff ffffff',
  ),
  scheme(
    'black',
    'High contrast',
    ['#000000', '#ffffff', '#3d5a80'],
    '4d4d4d ff6b6b 5af78e f3f99d 7aa2ff ff92df 9aedfe f1f1f0 8a8a8a ff8787 7dffa8 ffffb5 9db9ff ffadea b5f4ff ffffff',
  ),
]

export function schemeOfBackground(background: string): ColourScheme | undefined {
  return SCHEMES.find(({ theme }) => theme.background === background.toLowerCase())
}
