// /sw.js: a page that says so when the server cannot be reached, and static files kept for good.
// Never touches /api, /ws, /mcp or /admin: what they say is only true now. The server writes VERSION
// above (terminals/installing.py): a new one replaces the cache of the last.
const CACHE = `webtmux-${VERSION}`
const OFFLINE = '/offline'
// More than all files of a version; beyond it the oldest go.
const MOST_FILES = 200

addEventListener('install', (event) => event.waitUntil(prepare()))
addEventListener('activate', (event) => event.waitUntil(takeOver()))
addEventListener('fetch', (event) => {
  const { request } = event
  const address = new URL(request.url)
  if (request.method !== 'GET' || address.origin !== location.origin) return
  if (request.mode === 'navigate') {
    if (!/^\/(api|admin|mcp)(\/|$)/.test(address.pathname)) event.respondWith(openPage(request))
  } else if (address.pathname.startsWith('/static/')) event.respondWith(openFile(request))
})

/** The offline page and the files that it names. */
async function prepare() {
  const cache = await caches.open(CACHE)
  const page = await fetch(OFFLINE, { cache: 'no-store' })
  if (!page.ok) throw new Error('no offline page')
  const files = [...(await page.clone().text()).matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)]
  await cache.addAll(files.map(([, file]) => file))
  await cache.put(OFFLINE, page)
  await skipWaiting()
}

async function takeOver() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith('webtmux-') && name !== CACHE).map((name) => caches.delete(name)))
  await clients.claim()
}

async function openPage(request) {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error()
  }
}

/** Names hold their hash: what is kept under one is right for ever. */
async function openFile(request) {
  const kept = await caches.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.status === 200 && answer.type === 'basic') keep(request, answer.clone())
  return answer
}

async function keep(request, answer) {
  const cache = await caches.open(CACHE)
  await cache.put(request, answer)
  const files = await cache.keys()
  const spare = files.filter(({ url }) => !url.endsWith(OFFLINE)).slice(0, Math.max(0, files.length - MOST_FILES))
  await Promise.all(spare.map((file) => cache.delete(file)))
}
