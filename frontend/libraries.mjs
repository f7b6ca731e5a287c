// Copies what the pages use of the npm packages into frontend/lib, with their licences.
// The list is the whole interface to npm: nothing else of node_modules is ever served.
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const libraries = {
  'xterm/xterm.mjs': '@xterm/xterm/lib/xterm.mjs',
  'xterm/xterm.css': '@xterm/xterm/css/xterm.css',
  'xterm/LICENSE': '@xterm/xterm/LICENSE',
  'xterm/addon-fit.mjs': '@xterm/addon-fit/lib/addon-fit.mjs',
  'xterm/addon-unicode11.mjs': '@xterm/addon-unicode11/lib/addon-unicode11.mjs',
}

export async function copyLibraries(from = join(root, 'node_modules'), to = join(root, 'frontend', 'lib')) {
  await rm(to, { recursive: true, force: true })
  for (const [target, source] of Object.entries(libraries)) {
    await mkdir(dirname(join(to, target)), { recursive: true })
    await cp(join(from, source), join(to, target))
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await copyLibraries()
