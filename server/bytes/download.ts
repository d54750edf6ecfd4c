/** Downloads: many originals or renditions as one zip that is made while it is being sent. */
import { existsSync } from 'node:fs'
import type { Context, Hono } from 'hono'
import { anonymousWith, requireSignedIn } from '../../core/accounts/access.ts'
import type { DownloadEntry } from '../../core/exchange/exporting/download.ts'
import { type OpenFile, openBelow } from '../../core/files/open-file.ts'
import { type ZipEntry, zipped } from '../../core/files/zip-out.ts'
import { canTranscode, filmPath } from '../../core/items/transcode-job.ts'
import type { Library } from '../../core/library.ts'
import { rotationFrom } from '../../core/media/cache/renditions.ts'
import { byteRoutes } from '../../schema/api/bytes.ts'
import { product } from '../../schema/limits.ts'
import { decodeInput } from '../mount.ts'
import { identifyRequester } from '../requests/viewer.ts'
import { bodyWithSlot, type TakeSlot } from '../slots.ts'
import { downloadHeaders } from './disposition.ts'
import { noteDownload } from './download-notes.ts'
import { type QueueCaller, queueCallerOf } from './fair-queue.ts'
import { restAfterCancelMs } from './films.ts'
import type { MediaOnDemand } from './media-on-demand.ts'

/** Seconds that a reader on a slow connection may take between two pieces. */
const idleSeconds = 255

/** Allows longer pauses on the connection than for an ordinary request. */
export function allowSlow(context: Context, seconds = idleSeconds): void {
  const env: unknown = context.env
  if (typeof env !== 'object' || env === null || !('server' in env)) return
  const { server } = env
  if (typeof server === 'object' && server !== null && 'timeout' in server && typeof server.timeout === 'function') {
    server.timeout(context.req.raw, seconds)
  }
}

function openOrNull(root: string, path: Buffer): OpenFile | null {
  try {
    return openBelow(root, path)
  } catch {
    // The file is gone or unreadable. A list at the end of the archive names it.
    return null
  }
}

/** Makes the zip of a download while it is sent. */
export function createArchives(library: Library, media: MediaOnDemand) {
  const { jobs, settings } = library

  /** Converts a film, and waits until the conversion has ended, or the download was cancelled. */
  async function convertFilm(itemId: number, { signal }: QueueCaller): Promise<void> {
    const lane = `transcode-${itemId}`
    if (!canTranscode(settings) || jobs.wasGivenUp(lane, restAfterCancelMs)) return
    // Another request may have started the conversion.
    await jobs.enqueue(anonymousWith(new Map()), 'transcode', { itemId, forVisitor: true }).catch(() => null)
    while (jobs.inLane(lane) && signal?.aborted !== true) await Bun.sleep(200)
  }

  /** A picture or film without its metadata, for callers who may not know where it was taken. */
  async function withoutMetadata(
    entry: DownloadEntry,
    size: 'variant' | 'large',
    caller: QueueCaller,
  ): Promise<Buffer | null> {
    if (entry.type === 'video') {
      const film = filmPath(library.cache, entry.content)
      if (!existsSync(film)) await convertFilm(entry.itemId, caller)
      return existsSync(film) ? Buffer.from(film) : null
    }
    const rotation = rotationFrom(entry.rotation)
    const wanted = { size, format: 'jpeg', kind: 'image', rotation } as const
    return media
      .rendition({ ...wanted, path: entry.path, name: entry.name, content: entry.content }, caller)
      .then(made => Buffer.from(made))
      .catch(() => null)
  }

  async function* entriesOf(
    plan: readonly DownloadEntry[],
    leftOut: string[],
    caller: QueueCaller,
  ): AsyncGenerator<ZipEntry> {
    for (const entry of plan) {
      yield {
        name: entry.name,
        modified: entry.modified,
        async open() {
          const { rendition } = entry
          const path = rendition === null ? entry.path : await withoutMetadata(entry, rendition, caller)
          const file = path === null ? null : openOrNull(rendition === null ? entry.root : library.cache, path)
          return file === null ? null : file.stream()
        },
      }
    }
    if (leftOut.length === 0) return
    const lines = ['These files could not be read or converted when the archive was made:', ...leftOut, '']
    const note = new TextEncoder().encode(lines.join('\n'))
    yield { name: 'Left out.txt', modified: library.clock.now(), open: async () => note }
  }

  return function archiveOf(plan: readonly DownloadEntry[], request: QueueCaller): ReadableStream<Uint8Array> {
    const leftOut: string[] = []
    return zipped(entriesOf(plan, leftOut, request), { onLeftOut: name => leftOut.push(name) })
  }
}

export function mountDownloads(app: Hono, library: Library, media: MediaOnDemand, takeSlot: TakeSlot): void {
  const archiveOf = createArchives(library, media)
  app.get(byteRoutes.download.path, async context => {
    const { viewer } = await identifyRequester(context, library)
    requireSignedIn(viewer)
    const { collectionId } = decodeInput(byteRoutes.download.params, context.req.param())
    const { items, ...query } = decodeInput(byteRoutes.download.query, context.req.query())
    const chosen = items === undefined ? null : items.split(',').map(Number)
    const plan = library.downloads.plan(viewer, { collectionId, query, items: chosen })
    const end = takeSlot(viewer)
    noteDownload(library, context, viewer, {
      what: 'items',
      ...(collectionId === 0 ? {} : { collection: collectionId }),
      items: new Set(plan.map(({ itemId }) => itemId)).size,
      bytes: plan.reduce((sum, { size }) => sum + size, 0),
    })
    const request = { ...queueCallerOf(viewer, context.req.raw.signal), unlimited: true }
    const archive = archiveOf(plan, request)
    const name = library.collections.byId(collectionId)?.name ?? product
    allowSlow(context)
    return new Response(bodyWithSlot(archive, end), { headers: downloadHeaders('application/zip', `${name}.zip`) })
  })
}
