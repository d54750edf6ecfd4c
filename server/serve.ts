/** Runs the server, one per data directory, until it is asked to stop. */
import http from 'node:http'
import { networkInterfaces } from 'node:os'
import type { Hono } from 'hono'
import { openNamedFile } from '../core/files/open-file.ts'
import { acquireServerLock } from '../core/kernel/data/server-lock.ts'
import { setServedAddress } from '../core/kernel/served-address.ts'
import type { Library } from '../core/library.ts'
import { Failure, reasonOf, sentence } from '../schema/errors.ts'
import { createApp } from './app.ts'
import { createMediaOnDemand } from './bytes/media-on-demand.ts'
import { development, developmentRoutes } from './development.ts'
import { superviseJobs } from './jobs/supervisor.ts'
import { createRealtime, type Realtime } from './realtime/realtime.ts'
import { loadWebAssets } from './web-assets.ts'

export interface RunningServer {
  /** Addresses of the server: localhost, then those in the network; or only the one that it listens on. */
  addresses: string[]
  /** The same for printed links; `base_url` comes first if it is set. */
  linkAddresses: string[]
  stop(): Promise<void>
}

/** Idle seconds for ordinary requests; uploads and long responses have their own: see `allowSlow`. */
const idleSeconds = 30

function addressesOf(host: string, port: number, secure: boolean): string[] {
  const scheme = secure ? 'https' : 'http'
  const isEveryAddress = host === '0.0.0.0' || host === '::'
  if (!isEveryAddress) return [`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`]
  const lan = Object.values(networkInterfaces())
    .flat()
    .filter(net => net !== undefined && net.family === 'IPv4' && !net.internal)
    .map(net => `${scheme}://${net?.address}:${port}`)
  return [`${scheme}://localhost:${port}`, ...lan]
}

/** Maximum bytes of a request's head. The file manager's protocol sends lists of items to delete in the address. */
const maxHead = 512 * 1024

function listen(app: Hono, realtime: Realtime, library: Library) {
  const { listen: at, tls_cert: cert, tls_key: key } = library.settings
  if ((cert === '') !== (key === ''))
    throw new Failure('invalid', 'tls_cert and tls_key are set together or not at all.')
  if (cert !== '') for (const file of [cert, key]) openNamedFile(file).close()
  // Bun has no other way to set this limit.
  Object.assign(http, { maxHeaderSize: maxHead })
  const fetch = (request: Request, server: Parameters<typeof realtime.upgrade>[1]['server']) => {
    // The URL is built from the Host header, which can be anything.
    if (!URL.canParse(request.url)) {
      return Response.json({ error: 'The Host header is not a host name.', code: 'invalid' }, { status: 400 })
    }
    const around = { address: server.requestIP(request)?.address ?? '', server }
    return realtime.isRealtimeRequest(request.url) ? realtime.upgrade(request, around) : app.fetch(request, around)
  }
  try {
    return Bun.serve({
      hostname: at.host,
      port: at.port,
      idleTimeout: idleSeconds,
      // Each route limits the body itself, so that a request that is too large gets a message.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      ...(cert === '' ? {} : { tls: { cert: Bun.file(cert), key: Bun.file(key) } }),
      websocket: realtime.websocket,
      // The runtime's default page would reveal the stack, paths and source of an unexpected error.
      development: development.pages !== null,
      error(error) {
        library.log.error('a request failed before it was routed', { error })
        return Response.json({ error: 'Unknown server error', code: 'unexpected' }, { status: 500 })
      },
      routes: developmentRoutes(fetch),
      fetch,
    })
  } catch (error) {
    const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!inUse)
      throw new Failure('unavailable', sentence`Cannot listen on ${at.host}:${at.port}: ${reasonOf(error)}`, {
        cause: error,
      })
    throw new Failure(
      'unavailable',
      sentence`Port ${at.port} is in use by another program. Choose another: keepsake serve --listen ${at.host}:${at.port + 1}`,
      { cause: error },
    )
  }
}

/** Starts serving; resolves when the port is open and its address stored. */
export async function startServer(library: Library): Promise<RunningServer> {
  acquireServerLock(library.data)
  const assets = await loadWebAssets()
  const media = createMediaOnDemand(library)
  const app = createApp(library, assets, media)
  const realtime = createRealtime(library)
  const server = listen(app, realtime, library)
  const supervisor = superviseJobs(library)
  void media.madeCache.start()
  // Not awaited, because a plugin that does not start must not block the server.
  void library.plugins.start()
  const secure = library.settings.tls_cert !== ''
  library.log.info('serving', { port: server.port, data: library.data })
  const addresses = addressesOf(library.settings.listen.host, server.port ?? 0, secure)
  const base = library.settings.base_url.replace(/\/+$/, '')
  const [best = ''] = base === '' ? addresses.toReversed() : [base]
  // Only for display in a terminal UI of another process.
  await setServedAddress(library.db, best).catch((error: unknown) =>
    library.log.warn('the address of the server could not be stored', { error }),
  )

  return {
    addresses,
    linkAddresses: base === '' ? addresses : [base, ...addresses],
    async stop() {
      realtime.close()
      // Running responses get a moment to finish; streams of films are cut off.
      await Promise.race([server.stop(), Bun.sleep(1_000)])
      await server.stop(true)
      await supervisor.close()
      await media.close()
      await library.plugins.stop()
      await library.auditNotes.close()
      library.db.checkpoint('TRUNCATE')
      library.close()
    },
  }
}
