/**
 * Caches the page's shell: an installed Keepsake opens without the server, too, and says that it is away. The library's
 * content (pictures, responses of calls) never goes through here: rights are checked at every request.
 */
const shell = 'keepsake-shell'
const parts = 'keepsake-parts'
/** Parts of old builds are removed when there are more. */
const maxParts = 150

const worker = self

async function keepShell(response: Response): Promise<void> {
  // The session's value must not reach the next user of this browser.
  const text = (await response.text()).replace(/(<meta name="csrf-token" content=")[^"]*/, '$1')
  const cache = await caches.open(shell)
  await cache.put('/', new Response(text, { headers: response.headers }))
}

async function page(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    if (response.ok && response.headers.get('content-type')?.startsWith('text/html')) {
      await keepShell(response.clone())
    }
    return response
  } catch (error) {
    const kept = await caches.match('/')
    if (kept !== undefined) return kept
    throw error
  }
}

/** Names of parts contain a hash of their content: a cached one is always right. */
async function part(request: Request): Promise<Response> {
  const cache = await caches.open(parts)
  const kept = await cache.match(request)
  if (kept !== undefined) return kept
  const response = await fetch(request)
  if (response.ok) {
    await cache.put(request, response.clone())
    const names = await cache.keys()
    await Promise.all(names.slice(0, Math.max(0, names.length - maxParts)).map(name => cache.delete(name)))
  }
  return response
}

/** At the first visit there was no worker yet: what was loaded then is fetched again, from the browser's cache. */
async function prepare(): Promise<void> {
  const response = await fetch('/')
  if (!response.ok) return
  const addresses = new Set((await response.clone().text()).match(/\/assets\/[^"' )]+/g) ?? [])
  await keepShell(response)
  await Promise.all([...addresses].map(address => part(new Request(address))))
}

worker.addEventListener('install', event => {
  // Without it the shell is cached at the next visit.
  event.waitUntil(Promise.all([worker.skipWaiting(), prepare().catch(() => {})]))
})
worker.addEventListener('activate', event => event.waitUntil(worker.clients.claim()))
worker.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && !pathname.startsWith('/v1/')) event.respondWith(page(request))
  // Models are large, and useless without the server: the browser's own cache is enough.
  else if (pathname.startsWith('/assets/') && !pathname.startsWith('/assets/faceFiles-')) {
    event.respondWith(part(request))
  }
})
