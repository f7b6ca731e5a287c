// Copies what the pages use of the npm packages into frontend/lib, with their licences.
// The list is the whole interface to npm: nothing else of node_modules is ever served.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const libraries = {
  'xterm/xterm.mjs': '@xterm/xterm/lib/xterm.mjs',
  'xterm/xterm.css': '@xterm/xterm/css/xterm.css',
  'xterm/LICENSE': '@xterm/xterm/LICENSE',
  'xterm/addon-fit.mjs': '@xterm/addon-fit/lib/addon-fit.mjs',
  'xterm/addon-search.mjs': '@xterm/addon-search/lib/addon-search.mjs',
  'xterm/addon-unicode11.mjs': '@xterm/addon-unicode11/lib/addon-unicode11.mjs',
  'xterm/addon-web-links.mjs': '@xterm/addon-web-links/lib/addon-web-links.mjs',
  'xterm/addon-webgl.mjs': '@xterm/addon-webgl/lib/addon-webgl.mjs',
  'lit-html/lit-html.js': 'lit-html/lit-html.js',
  'lit-html/directive.js': 'lit-html/directive.js',
  'lit-html/directive-helpers.js': 'lit-html/directive-helpers.js',
  'lit-html/directives/live.js': 'lit-html/directives/live.js',
  'lit-html/directives/repeat.js': 'lit-html/directives/repeat.js',
  'lit-html/LICENSE': 'lit-html/LICENSE',
  'sortablejs/sortable.js': 'sortablejs/modular/sortable.core.esm.js',
  'sortablejs/LICENSE': 'sortablejs/LICENSE',
  'marked/marked.js': 'marked/lib/marked.esm.js',
  'marked/LICENSE': 'marked/LICENSE',
  'asciinema-player/asciinema-player.js': 'asciinema-player/dist/bundle/asciinema-player.min.js',
  'asciinema-player/asciinema-player.css': 'asciinema-player/dist/bundle/asciinema-player.css',
  'asciinema-player/LICENSE': 'asciinema-player/LICENSE',
}

export async function copyLibraries(from = join(root, 'node_modules'), to = join(root, 'frontend', 'lib')) {
  await rm(to, { recursive: true, force: true })
  for (const [target, source] of Object.entries(libraries)) {
    await mkdir(dirname(join(to, target)), { recursive: true })
    if (target.endsWith('.js')) await copyScript(join(from, source), join(to, target))
    else await cp(join(from, source), join(to, target))
  }
}

/** Without the address of a source map: the file is not there, and its hash cannot be made. */
async function copyScript(from, to) {
  const text = await readFile(from, 'utf8')
  await writeFile(to, text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await copyLibraries()
