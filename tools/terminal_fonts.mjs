// Writes the fonts of the terminal to frontend/terminals/fonts: from font packages, only the characters that
// programs and agents print there. Runs before Vite (package.json). Emoji are left to the system: they are
// coloured and two cells wide.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../frontend/terminals/fonts')
const DEJAVU = '@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff2'
// The first load has room for small files only. So the characters of each file are the ones of its
// `unicode-range` in terminals/terminal.css, and a browser loads the larger ones when they are printed.
const FONTS = [
  {
    name: 'mono',
    source: DEJAVU,
    // Latin, punctuation, common arrows, boxes, blocks, shapes.
    ranges: [
      [0x20, 0x7e],
      [0xa0, 0x17f],
      [0x2010, 0x205e],
      [0x20ac, 0x20ac],
      [0x2190, 0x2199],
      [0x2500, 0x25ff],
    ],
  },
  {
    name: 'mono-more',
    source: DEJAVU,
    // Greek, Cyrillic, letters, other arrows, operators, technical.
    ranges: [
      [0x370, 0x3ff],
      [0x400, 0x45f],
      [0x2100, 0x214f],
      [0x219a, 0x22ff],
      [0x2300, 0x23ff],
    ],
  },
  {
    name: 'dingbats',
    source: DEJAVU,
    // The ones in recorded screens of agents (tests/agents/screens), and their relatives.
    ranges: [
      [0x2605, 0x2606],
      [0x2610, 0x2612],
      [0x26a0, 0x26a0],
      [0x26c0, 0x26c1],
      [0x2713, 0x2718],
      [0x2722, 0x2727],
      [0x2731, 0x273d],
      [0x276e, 0x276f],
      [0x2794, 0x2794],
      [0x279c, 0x279c],
    ],
  },
  {
    name: 'dingbats-more',
    source: DEJAVU,
    ranges: [
      [0x2600, 0x2604],
      [0x2607, 0x260f],
      [0x2613, 0x269f],
      [0x26a1, 0x26bf],
      [0x26c2, 0x2712],
      [0x2719, 0x2721],
      [0x2728, 0x2730],
      [0x273e, 0x276d],
      [0x2770, 0x2793],
      [0x2795, 0x279b],
      [0x279d, 0x27ef],
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
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
for (const { name, source, ranges } of FONTS) {
  // Screens do without hints, which are a third of these files.
  const options = { targetFormat: 'woff2', preserveNameIds: NAMES, noHinting: true }
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
