/** Builds a slideshow: a zip with a page and pictures of a size for screens, kept for its creator for an hour. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { maxSlideshowItems, slideshowLanguage } from '../../../schema/api/slideshow.ts'
import { Failure } from '../../../schema/errors.ts'
import { product } from '../../../schema/limits.ts'
import { channels } from '../../../schema/realtime.ts'
import { jobs } from '../../../schema/tables/jobs.ts'
import { builtFiles } from '../../../schema/tables/sharing.ts'
import type { Viewer } from '../../accounts/access.ts'
import { findTool } from '../../files/find-tool.ts'
import { displayName } from '../../files/names.ts'
import { openBelow } from '../../files/open-file.ts'
import { type ZipEntry, zipped } from '../../files/zip-out.ts'
import { hiddenAmong } from '../../filter/hidden-items.ts'
import { type ItemForBytes, pathOfFile } from '../../items/item-bytes.ts'
import type { Items } from '../../items/items.ts'
import { canTranscode, filmPath } from '../../items/transcode-job.ts'
import { type Clock, seconds } from '../../kernel/clock.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import type { Log } from '../../kernel/log.ts'
import { renditionPath, rotationFrom } from '../../media/cache/renditions.ts'
import { putTemporary } from '../../media/cache/write-file.ts'
import type { DecodePool } from '../../media/decode/decode-pool.ts'
import { transcodeVideo } from '../../media/video/transcode.ts'
import { playsInEveryBrowser } from '../../media/video/video.ts'
import { type JobContext, type JobEnd, jobKind } from '../../work/job-kind.ts'
import { builtFileOf } from '../sharing.sql.ts'
import { captionOf } from './caption.ts'
import { english, type Slide, slideshowPage } from './page.ts'

const input = z.object({
  userId: z.int(),
  /** Whether the requesting session was unlocked. */
  showsHidden: z.boolean().default(false),
  items: z.array(z.int().positive()).max(maxSlideshowItems),
  options: z.object({
    date: z.boolean().optional(),
    names: z.boolean().optional(),
    keywords: z.boolean().optional(),
    category: z.boolean().optional(),
    title: z.string().optional(),
  }),
  language: slideshowLanguage.default(english),
})
type Input = z.output<typeof input>

export interface SlideshowParts {
  db: LibraryDatabase
  clock: Clock
  log: Log
  cache: string
  settings: { ffmpeg: string; ffprobe: string }
  items: Items
  viewerOf: (userId: number) => Viewer | null
  openPool: (low: boolean) => DecodePool
}

/** An hour, as specified in authorisation.md. */
const keptSeconds = 3600

const directoryOf = (cache: string) => join(cache, 'builds')

/** Path of a built file; its id was generated here and is 22 characters of base64url. */
export function builtPath(cache: string, id: string): string {
  return join(directoryOf(cache), `${id}.zip`)
}

interface Media {
  /** The directory that must contain the file. */
  root: string
  path: Buffer
  extension: string
}

function streamOf({ root, path }: Media): ReadableStream<Uint8Array> | null {
  try {
    return openBelow(root, path).stream()
  } catch {
    // The file was removed meanwhile, so the zip omits it.
    return null
  }
}

/** Converts a video for every browser, without metadata. A video that cannot be converted is omitted. */
async function convert(
  { log, cache, settings }: SlideshowParts,
  { root, path }: { root: string; path: Buffer },
  target: string,
  signal: AbortSignal,
) {
  const file = openBelow(root, path)
  try {
    await transcodeVideo({
      tools: { ffmpeg: findTool('ffmpeg', settings.ffmpeg), ffprobe: findTool('ffprobe', settings.ffprobe) },
      input: { fd: file.fd, path },
      cache,
      put: finished => putTemporary(finished, target),
      threads: 1,
      signal,
      onProgress() {},
    })
  } catch (error) {
    signal.throwIfAborted()
    log.warn('a video of a slideshow could not be converted', { error })
  } finally {
    file.close()
  }
}

/** A slide's picture or video; null if there is none that every browser shows. */
async function mediaOf(
  parts: SlideshowParts,
  pool: DecodePool,
  item: ItemForBytes,
  signal: AbortSignal,
): Promise<Media | null> {
  const { cache } = parts
  if (item.content === '') return null
  const { main, collectionPath, videoCodec, audioCodec } = item.files()
  if (item.type === 'video') {
    const film = filmPath(cache, item.content)
    // Converted even if every browser plays it, in order to remove the camera's metadata.
    if (!existsSync(film) && main !== null && canTranscode(parts.settings)) {
      await convert(parts, { root: collectionPath, path: pathOfFile(collectionPath, main) }, film, signal)
    }
    if (existsSync(film)) return { root: cache, path: Buffer.from(film), extension: 'mp4' }
    // The original has all metadata of the camera: it is used only without a converter, and if places may be seen.
    if (main === null || canTranscode(parts.settings) || item.withholdsPlaces) return null
    if (!playsInEveryBrowser({ mime: item.mime, videoCodec, audioCodec })) return null
    return {
      root: collectionPath,
      path: pathOfFile(collectionPath, main),
      extension: item.mime === 'video/webm' ? 'webm' : 'mp4',
    }
  }
  if (item.problem !== null) return null
  const rotation = rotationFrom(item.rotation)
  const target = renditionPath(cache, item.content, 'large', 'jpeg', rotation)
  if (!existsSync(target)) {
    if (main === null) return null
    await pool.decode({
      path: pathOfFile(collectionPath, main),
      name: displayName(main.nameBytes),
      kind: 'image',
      cache,
      content: item.content,
      metadata: false,
      sizes: ['large'],
      format: 'jpeg',
      rotation,
    })
  }
  return existsSync(target) ? { root: cache, path: Buffer.from(target), extension: 'jpg' } : null
}

/** Yields the contents of the zip, and fills `slides`. */
async function* entriesOf(
  parts: SlideshowParts,
  pool: DecodePool,
  context: JobContext<Input>,
  viewer: Viewer,
  slides: Slide[],
) {
  const { items, clock } = parts
  const { options, language } = context.input
  let done = 0
  for (const id of context.input.items) {
    context.signal.throwIfAborted()
    // Checked again one by one, so that items that were hidden or removed meanwhile are omitted.
    const [shown] = items.byIds(viewer, [id], viewer.unlockValue ?? undefined)
    const bytes = shown === undefined ? null : items.findForBytes(viewer, id)
    const media = bytes === null ? null : await mediaOf(parts, pool, bytes, context.signal)
    context.progress({ done: ++done })
    if (shown === undefined || media === null) continue
    const file = `media/${String(slides.length + 1).padStart(4, '0')}.${media.extension}`
    const { type, width, height } = shown
    slides.push({ file, type, width, height, caption: captionOf(shown, options, language.tag) })
    const entry: ZipEntry = { name: file, modified: clock.now(), open: async () => streamOf(media) }
    yield entry
  }
  if (slides.length === 0) throw new Failure('notFound', 'No items available')
  const page = new TextEncoder().encode(slideshowPage(options.title || `${product} slideshow`, slides, language))
  const index: ZipEntry = { name: 'index.html', modified: clock.now(), open: async () => page }
  yield index
}

async function run(parts: SlideshowParts, context: JobContext<Input>): Promise<JobEnd> {
  const { db, cache, clock } = parts
  const { jobId } = context
  const { userId, items } = context.input
  const maker = parts.viewerOf(userId)
  if (maker === null) throw new Failure('denied', 'The account that requested it no longer exists.')
  const viewer: Viewer = { ...maker, unlockValue: context.input.showsHidden ? 'unlocked' : null }
  context.progress({ done: 0, total: items.length, message: 'Building the slideshow' })
  mkdirSync(directoryOf(cache), { recursive: true, mode: 0o700 })
  const id = randomBytes(16).toString('base64url')
  const target = builtPath(cache, id)
  const temporary = `${target}.${process.pid}.tmp`
  const pool = parts.openPool(true)
  const built: Slide[] = []
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      for await (const piece of zipped(entriesOf(parts, pool, context, viewer, built))) await file.write(piece)
      await file.datasync()
    } finally {
      await file.close()
    }
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  } finally {
    await pool.close()
  }
  const left = items.length - built.length
  const message =
    left === 0 ? 'The slideshow is ready.' : `The slideshow is ready, without ${left} that cannot be shown.`
  context.progress({ counts: { built: built.length, left } })
  await db.transact({ userId }, tx => {
    const showsHidden = Number(hiddenAmong(db, items).size > 0)
    const kept = { id, userId, jobId, name: 'slideshow.zip', expiresAt: seconds(clock) + keptSeconds, showsHidden }
    tx.orm.insert(builtFiles).values(kept).run()
    tx.event(channels.slideshow, {
      action: 'complete',
      level: 'status',
      message,
      fileid: id,
      job: { id: jobId, user_id: userId },
    })
  })
  return { state: 'done', message, problems: left }
}

export const slideshowJob = (parts: SlideshowParts) =>
  jobKind({
    kind: 'slideshow',
    input,
    lane: ({ userId }) => `slideshow-${userId}`,
    run: context => run(parts, context),
  })

/** A built file of this caller that has not expired; null otherwise, for any reason. */
export function builtFile({ db, clock }: { db: LibraryDatabase; clock: Clock }, viewer: Viewer, id: string) {
  return db.get(builtFileOf, id, viewer.userId, seconds(clock), viewer.unlockValue === null ? 0 : 1)
}

/** Deletes expired files, and those without a row (from a killed job). */
export async function sweepBuilds({ db, clock, cache }: Pick<SlideshowParts, 'db' | 'clock' | 'cache'>): Promise<void> {
  const isOver = lte(builtFiles.expiresAt, seconds(clock))
  await db.transact({ userId: null }, tx => tx.orm.delete(builtFiles).where(isOver).run())
  const directory = directoryOf(cache)
  if (!existsSync(directory)) return
  const isRunning = and(eq(jobs.kind, 'slideshow'), eq(jobs.state, 'running'))
  const running = db.orm.select().from(jobs).where(isRunning).limit(1).get() !== undefined
  const names = readdirSync(directory)
  const rows = db.orm.select().from(builtFiles).all()
  const known = new Set(rows.map(({ id }) => `${id}.zip`))
  for (const name of names) {
    if (!known.has(name) && !(running && name.endsWith('.tmp'))) rmSync(join(directory, name), { force: true })
  }
}
