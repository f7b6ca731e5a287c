// /sw.js: shows an offline page when the server cannot be reached, and caches static files.
// Never touches /api, /ws, /mcp or /admin: their responses must be current. The server prepends VERSION
// (terminals/page/pwa.py); a new version replaces the cache of the previous one. It is served as a
// classic script, so it must not import anything.

declare const VERSION: string
declare const self: ServiceWorkerGlobalScope

const CACHE = `webtmux-${VERSION}`
const OFFLINE = '/offline'
// More than the files of one version; beyond it the oldest are removed.
const FILE_LIMIT = 200

self.addEventListener('install', (event) => event.waitUntil(prepare()))
self.addEventListener('activate', (event) => event.waitUntil(takeOver()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const address = new URL(request.url)
  if (request.method !== 'GET' || address.origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (!/^\/(api|admin|mcp)(\/|$)/.test(address.pathname)) event.respondWith(openPage(request))
  } else if (address.pathname.startsWith('/static/')) event.respondWith(openFile(request))
})

/** Caches the offline page and the files that it references. */
async function prepare(): Promise<void> {
  const cache = await caches.open(CACHE)
  const page = await fetch(OFFLINE, { cache: 'no-store' })
  if (!page.ok) throw new Error('The offline page is unavailable.')
  const text = await page.clone().text()
  const files = [...text.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].flatMap(([, file]) => file ?? [])
  await cache.addAll(files)
  await cache.put(OFFLINE, page)
  await self.skipWaiting()
}

async function takeOver(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith('webtmux-') && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
  await self.clients.claim()
}

async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error()
  }
}

/** File names contain a content hash, so that a cached file never becomes stale. */
async function openFile(request: Request): Promise<Response> {
  const cached = await caches.match(request)
  if (cached) return cached
  const response = await fetch(request)
  if (response.status === 200 && response.type === 'basic') void store(request, response.clone())
  return response
}

async function store(request: Request, response: Response): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.put(request, response)
  const files = await cache.keys()
  const excess = files
    .filter(({ url }) => !url.endsWith(OFFLINE))
    .slice(0, Math.max(0, files.length - FILE_LIMIT))
  await Promise.all(excess.map((file) => cache.delete(file)))
}

export {}
