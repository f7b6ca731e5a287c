// Writes the fonts of the terminal to frontend/terminals/fonts: from font packages, only the characters that
// programs and agents print there. Runs before Vite (package.json). Emoji are left to the system: they are
// coloured and two cells wide.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../frontend/terminals/fonts')
const FONTS = [
  {
    name: 'mono',
    source: '@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2',
    // Latin, Greek, Cyrillic, punctuation, arrows, operators, technical, boxes, blocks, shapes, dingbats.
    ranges: [
      [0x20, 0x7e],
      [0xa0, 0x17f],
      [0x370, 0x3ff],
      [0x400, 0x45f],
      [0x2010, 0x205e],
      [0x20ac, 0x20ac],
      [0x2100, 0x214f],
      [0x2190, 0x22ff],
      [0x2300, 0x23ff],
      [0x2500, 0x27ef],
    ],
  },
  {
    name: 'symbols',
    source: '@fontsource/noto-sans-symbols-2/files/noto-sans-symbols-2-symbols-400-normal.woff2',
    // ⏸ ⏹ ⏺ ⏵ and braille, of which spinners are made.
    ranges: [
      [0x23cf, 0x23fa],
      [0x2800, 0x28ff],
    ],
  },
  {
    name: 'technical',
    source: '@fontsource/noto-sans-symbols/files/noto-sans-symbols-symbols-400-normal.woff2',
    // ⎇ and ⎿, which Claude Code prints before results.
    ranges: [
      [0x2387, 0x2387],
      [0x23be, 0x23cc],
    ],
  },
]

// Copyright, licence and its address stay in the files, as the licences require.
const NAMES = [0, 13, 14]

const require = createRequire(import.meta.url)
await mkdir(FOLDER, { recursive: true })
for (const { name, source, ranges } of FONTS) {
  const options = { targetFormat: 'woff2', preserveNameIds: NAMES }
  const subset = await subsetFont(await readFile(require.resolve(source)), characters(ranges), options)
  await writeFile(join(FOLDER, `${name}.woff2`), subset)
}

/** @param {readonly (readonly [number, number])[]} ranges */
function characters(ranges) {
  return ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .map((code) => String.fromCodePoint(code))
    .filter((character) => !/\p{Emoji_Presentation}/u.test(character))
    .join('')
}
