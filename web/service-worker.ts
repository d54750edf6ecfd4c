/**
 * Caches the page's shell, so that an installed Keepsake opens without the server and can report that. The library's
 * content (pictures, responses of calls) is never cached, because rights are checked at every request.
 */
const shell = 'keepsake-shell'
const parts = 'keepsake-parts'
/** Maximum number of cached parts; above it, the oldest are removed. */
const maxParts = 150

const worker = self

async function keepShell(response: Response): Promise<void> {
  // The session's CSRF value must not reach the next user of this browser.
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

/** Names of parts contain a hash of their content, so a cached part is never outdated. */
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

/**
 * The page loaded its files before this worker existed, so fetch them again, from the browser's own cache. Its language
 * is fetched by the page (main.tsx), as the document names all languages.
 */
async function prepare(): Promise<void> {
  const response = await fetch('/')
  if (!response.ok) return
  const addresses = new Set((await response.clone().text()).match(/\/assets\/(?!language-)[^"' )]+/g) ?? [])
  await keepShell(response)
  await Promise.all([...addresses].map(address => part(new Request(address))))
}

worker.addEventListener('install', event => {
  // If this fails, the shell is cached on the next visit.
  event.waitUntil(Promise.all([worker.skipWaiting(), prepare().catch(() => {})]))
})
worker.addEventListener('activate', event => event.waitUntil(worker.clients.claim()))
worker.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && !pathname.startsWith('/v1/')) event.respondWith(page(request))
  // Models are large and useless without the server, so the browser's own cache is enough.
  else if (pathname.startsWith('/assets/') && !pathname.startsWith('/assets/faceFiles-')) {
    event.respondWith(part(request))
  }
})
