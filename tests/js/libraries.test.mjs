// What the pages use of npm is there, and the lock names no host.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { copyLibraries, libraries } from '../../frontend/libraries.mjs'

test('every library of the list is copied whole', async () => {
  const to = await mkdtemp(join(tmpdir(), 'webtmux-'))
  await copyLibraries(undefined, to)
  for (const target of Object.keys(libraries)) {
    assert.ok((await stat(join(to, target))).size > 0, target)
  }
})

test('the terminal library loads as a module', async () => {
  const { Terminal } = await import('@xterm/xterm/lib/xterm.mjs').catch(() => ({}))
  const source = await readFile('node_modules/@xterm/xterm/lib/xterm.mjs', 'utf8')
  assert.ok(Terminal || /export\s*\{/.test(source))
})

test('the lock names every package by its hash and none by its host', async () => {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8'))
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
  assert.ok(packages.length > 0)
  for (const [path, entry] of packages) {
    assert.equal(entry.resolved, undefined, path)
    assert.match(entry.integrity, /^sha512-/, path)
  }
})
