// The lock file of the packages, checked where it is used.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

interface Lock {
  packages: Record<string, { resolved?: string; integrity?: string }>
}

test('the lock file has a hash and no host for every package', async () => {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
  expect(packages.length).toBeGreaterThan(0)
  for (const [path, entry] of packages) {
    expect(entry.resolved, path).toBeUndefined()
    expect(entry.integrity, path).toMatch(/^sha512-/)
  }
})
