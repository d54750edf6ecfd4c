/** Films, unchanged if every browser plays them, else converted; and motion parts of pictures. */
import { existsSync } from 'node:fs'
import type { Context } from 'hono'
import { z } from 'zod'
import { isSignedIn, type Viewer } from '../../core/accounts/access.ts'
import { findTool } from '../../core/files/find-tool.ts'
import { displayName } from '../../core/files/names.ts'
import type { FileFacts } from '../../core/files/open-file.ts'
import { type ItemForBytes, pathOfFile } from '../../core/items/item-bytes.ts'
import { canTranscode, countVisitorConversions, filmPath, takeOverConversion } from '../../core/items/transcode-job.ts'
import type { Library } from '../../core/library.ts'
import type { MadeCache } from '../../core/media/cache/made-cache.ts'
import { madeMotionPart, motionWithoutMetadata } from '../../core/media/formats/motion-part.ts'
import { MediaProblem } from '../../core/media/media-problem.ts'
import { playsInEveryBrowser } from '../../core/media/video/video.ts'
import { Failure } from '../../schema/errors.ts'
import { createFairQueue, type QueueCaller, queueCallerOf } from './fair-queue.ts'
import type { FileToSend } from './held-file.ts'
import { editOf, inlineTypes, mainFile, typeOfName, variantsOf } from './item-sources.ts'

/** An item and its viewer, who becomes the owner of jobs that the request starts. */
export interface RequestedItem extends ItemForBytes {
  viewer: Viewer
}

/** The video: a part of a file, or all of it. */
export interface Stream extends FileToSend {
  mime: string
  offset?: number
  length?: number | null
  /** Identifies the edited version; absent for any other stream. */
  edit?: string
  /** State of the item's own file at the last scan. */
  scanned?: FileFacts
}

/** Maximum time that a request waits for a conversion. */
const maxWaitMs = 15_000

/** How long the client wants to wait: `Prefer: wait=SECONDS` (RFC 7240, 4.3), up to the maximum. */
function waitMsOf(context: Context): number {
  const seconds = /(?:^|[,;\s])wait=(\d{1,5})(?=$|[,;\s])/i.exec(context.req.header('prefer') ?? '')?.[1]
  return seconds === undefined ? maxWaitMs : Math.min(maxWaitMs, Number(seconds) * 1000)
}

/** After a conversion was cancelled, further requests do not restart it for this long. */
export const restAfterCancelMs = 10 * 60_000

/** Maximum number of waiting or running conversions for visitors, because each keeps a processor busy for minutes. */
const maxForVisitors = 2

const currentJob = z.object({ id: z.int() })

interface FilmStore {
  library: Library
  madeCache: MadeCache
  closing: AbortController
  /** For removing metadata from motion parts: few at a time, because each keeps a processor busy. */
  queue: ReturnType<typeof createFairQueue<string | null>>
  /** Motion parts that ffmpeg cannot convert, so that they are not tried again at every request. */
  unconvertible: Set<string>
}

/** A film: unchanged if every browser plays it or it cannot be converted, else its edited version or conversion. */
async function resolveFilm(store: FilmStore, item: RequestedItem, waitMs: number): Promise<Stream> {
  const { jobs, settings } = store.library
  const mime = inlineTypes.has(item.mime) ? item.mime : 'application/octet-stream'
  const { videoCodec, audioCodec } = item.files()
  if (playsInEveryBrowser({ mime: item.mime, videoCodec, audioCodec }) && !item.withholdsPlaces)
    return { ...mainFile(item), mime }
  const ready = await findConvertedFilm(store, item)
  if (ready !== null) return ready
  if (canTranscode(settings) && !jobs.wasGivenUp(`transcode-${item.id}`, restAfterCancelMs)) {
    const made = await transcodeFilm(store, item, waitMs)
    if (made !== null) return made
  }
  if (item.withholdsPlaces) throw new Failure('notFound', 'Image not found')
  return { ...mainFile(item), mime }
}

/** The edited version of a film, or its conversion; null if there is none. */
async function findConvertedFilm({ library, madeCache }: FilmStore, item: ItemForBytes): Promise<Stream | null> {
  const { cache } = library
  const { owners, kept } = await variantsOf(item)
  if (owners !== null && !item.withholdsPlaces) {
    const { root, path, name } = owners
    return { root, path, mime: typeOfName(name), edit: editOf(owners) }
  }
  const cached = filmPath(cache, item.content)
  const found = kept ?? (existsSync(cached) ? { root: cache, path: Buffer.from(cached) } : null)
  if (found !== null && kept === null) void madeCache.used(cached)
  return found === null ? null : { root: found.root, path: found.path, mime: 'video/mp4' }
}

/**
 * Starts a job that converts the film, owned by the viewer, and waits for it; null if the job fails or is cancelled.
 * If it takes longer than `waitMs`, throws `unavailable` with the job, so that viewers who may see it can follow it.
 */
async function transcodeFilm(
  store: FilmStore,
  { viewer, ...item }: RequestedItem,
  waitMs: number,
): Promise<Stream | null> {
  const { cache, db, jobs } = store.library
  const { id: itemId } = item
  const lane = `transcode-${itemId}`
  const forVisitor = !isSignedIn(viewer)
  if (forVisitor && !jobs.inLane(lane) && countVisitorConversions(db) >= maxForVisitors) {
    throw new Failure('unavailable', 'Other videos are being prepared. Try again in a minute.', { retryAfter: 60 })
  }
  const job = await jobs.enqueue(viewer, 'transcode', { itemId, forVisitor }).catch((error: unknown) => {
    // Another request started the conversion a moment ago.
    if (!(error instanceof Failure && error.code === 'busy')) throw error
    const known = currentJob.safeParse(error.current)
    return known.success ? known.data.id : null
  })
  if (job !== null && !forVisitor) await db.transact(viewer, tx => takeOverConversion(tx, job, viewer.userId))
  for (const until = performance.now() + waitMs; performance.now() < until; ) {
    await Bun.sleep(200)
    if (jobs.inLane(lane)) continue
    void store.madeCache.added(filmPath(cache, item.content))
    return findConvertedFilm(store, item)
  }
  throw new Failure('unavailable', 'This video is being prepared. Try again in a moment.', {
    // A client that asked for a shorter wait may ask again sooner.
    retryAfter: waitMs < maxWaitMs ? 1 : 5,
    ...(job === null ? {} : { current: { job } }),
  })
}

/** The motion part beside or inside a still; null if there is none, or none that this caller may see. */
async function resolveMotion(store: FilmStore, item: RequestedItem, caller: QueueCaller): Promise<Stream | null> {
  const { collectionPath, motion, motionWithin } = item.files()
  if (motion === null && motionWithin === null) return null
  const root = collectionPath
  const path = motion === null ? mainFile(item).path : pathOfFile(collectionPath, motion)
  if (item.withholdsPlaces) {
    const clean = await cleanMotion(store, item, { path, within: motion === null ? motionWithin : null }, caller)
    if (clean === null) return null
    return { root: store.library.cache, path: Buffer.from(clean), mime: 'video/mp4' }
  }
  if (motion === null) return { root, path, mime: 'video/mp4', ...motionWithin }
  const mime = /\.mov$/i.test(displayName(motion.nameBytes)) ? 'video/quicktime' : 'video/mp4'
  return { root, path, mime }
}

/** The motion part without its metadata, which contains place and camera; null if nothing can remove it. */
async function cleanMotion(
  { library: { cache, settings, log }, madeCache, queue, unconvertible, closing }: FilmStore,
  { content }: ItemForBytes,
  { path, within }: { path: Buffer; within: { offset: number; length: number | null } | null },
  caller: QueueCaller,
): Promise<string | null> {
  const ready = madeMotionPart({ path, within, content }, cache)
  if (ready !== null) {
    void madeCache.used(ready)
    return ready
  }
  const key = `${content} ${path.toString('latin1')}`
  if (!canTranscode(settings) || content === '' || unconvertible.has(key)) return null
  const tools = { ffmpeg: findTool('ffmpeg', settings.ffmpeg), ffprobe: findTool('ffprobe', settings.ffprobe) }
  const clean = await queue.take(key, caller, () =>
    motionWithoutMetadata({ path, within, content }, { cache, tools, signal: closing.signal }).catch(
      (error: unknown) => {
        if (closing.signal.aborted) return null
        // A part that cannot be converted is not tried again; a missing file or disk may come back.
        if (error instanceof MediaProblem) unconvertible.add(key)
        log.warn('the metadata of a motion part could not be removed', { error })
        return null
      },
    ),
  )
  if (clean !== null) void madeCache.added(clean)
  return clean
}

export function createFilms(library: Library, madeCache: MadeCache) {
  const queue = createFairQueue<string | null>({
    signedIn: { atOnce: 1, perKey: 50, total: 200 },
    others: { atOnce: 1, perKey: 10, total: 50 },
  })
  const store: FilmStore = { library, madeCache, closing: new AbortController(), queue, unconvertible: new Set() }
  return {
    /** The film or motion part of an item; null if there is none. */
    stream: (context: Context, item: RequestedItem): Promise<Stream | null> =>
      item.type === 'video'
        ? resolveFilm(store, item, waitMsOf(context))
        : resolveMotion(store, item, queueCallerOf(item.viewer, context.req.raw.signal)),
    close: () => store.closing.abort(),
  }
}
