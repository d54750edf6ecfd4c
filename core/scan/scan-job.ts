/** A scan: survey, open what changed, recognize what moved, mark what is missing; safe to stop or kill at any point. */
import { count, eq } from 'drizzle-orm'
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { collections, safetyStopItems } from '../../schema/tables/collections.ts'
import { problems } from '../../schema/tables/jobs.ts'
import { requireCollectionsApart } from '../collections/apart.ts'
import { collectionById } from '../collections/collections.sql.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { findTool } from '../files/find-tool.ts'
import { displayName } from '../files/names.ts'
import type { Journal } from '../journal/journal.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import { createBatchWriter } from '../kernel/database/batches.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { publishCollections } from '../kernel/events.ts'
import type { Log } from '../kernel/log.ts'
import { sweepTemporaries } from '../media/cache/write-file.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { rootState, stopReason } from '../survey/safety.ts'
import { type Survey, survey } from '../survey/survey.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind, onCollection } from '../work/job-kind.ts'
import { setProblems } from '../work/problems.ts'
import { createDirectoryScan } from './directory-scan.ts'
import {
  addStoppedItems,
  forgetFilmDirectories,
  forgetFilmTimes,
  forgetUnreadable,
  liveCount,
  missedFilm,
} from './scan.sql.ts'
import { noCounts, type ScanCounts } from './scan-counts.ts'
import { createVanishing, type Vanishing } from './vanishing.ts'

export const scanInput = z.object({
  collectionId: z.int().positive(),
  /** Directory within the collection, its bytes as base64; '' for all of it. */
  below: z.string().default(''),
  /** Open every file again, even if it looks unchanged. */
  full: z.boolean().default(false),
  /** Files' values replace those of users: a metadata import. */
  fileWins: z.boolean().default(false),
  /** Skip the safety stop. */
  acceptMissing: z.boolean().default(false),
  /** Number of pictures decoded in parallel; 0: from the settings. */
  jobs: z.int().min(0).max(64).default(0),
})
type ScanInput = z.output<typeof scanInput>

export interface ScanParts {
  db: LibraryDatabase
  clock: Clock
  log: Log
  journal: Pick<Journal, 'recover'>
  cache: string
  /** The data directory, which must not be in the collection. */
  data?: string
  settings?: { ffmpeg: string; ffprobe: string }
  openPool: (low: boolean, jobs?: number) => DecodePool
}

/** Number of items of a collection that are neither recycled nor missing. */
export function liveItems(db: LibraryDatabase, collectionId: number): number {
  return db.get(liveCount, collectionId)?.n ?? 0
}

export function collectionOf(db: LibraryDatabase, id: number): CollectionRow {
  const collection = db.get(collectionById, id)
  if (collection === null) throw new Failure('notFound', 'The collection no longer exists.')
  return collection
}

interface Scan extends ScanParts {
  context: JobContext<ScanInput>
  collection: CollectionRow
  /** Where to look, relative to the collection; empty for all of it. */
  below: Buffer
  /** Number of live items before the scan. */
  before: number
  counts: ScanCounts
}

/** Videos that failed without ffmpeg are read again once it is installed. */
async function retryFilms({ db, settings, collection }: Scan): Promise<void> {
  if (db.get(missedFilm, collection.id) === null) return
  if (settings === undefined || findTool('ffmpeg', settings.ffmpeg) === null) return
  await db.transact({ userId: null }, tx => {
    tx.run(forgetFilmDirectories, collection.id)
    tx.run(forgetFilmTimes, collection.id)
  })
}

/** Records how a scan left its collection: why it stopped and what it did not find, or its success. */
function finishScan(
  { db, collection: { id } }: Scan,
  columns: Partial<typeof collections.$inferInsert>,
  ids: readonly number[],
) {
  return db.transact({ userId: null }, tx => {
    tx.orm
      .update(collections)
      .set({ safetyStop: null, safetyStopItems: 0, ...columns })
      .where(eq(collections.id, id))
      .run()
    tx.orm.delete(safetyStopItems).where(eq(safetyStopItems.collectionId, id)).run()
    tx.run(addStoppedItems, id, JSON.stringify(ids))
    const { safetyStop: message } = columns
    if (message == null) publishCollections(tx, [id])
    else tx.event(channels.collection(id), { action: 'update', level: 'notice', message, collection: { id } })
  })
}

/** Ends the scan if files may only seem deleted because their disk is unavailable. `vanishing` is null before the scan. */
async function checkSafety(scan: Scan, vanishing: readonly number[] | null): Promise<JobEnd | null> {
  const { collection, before } = scan
  const reason = stopReason({
    root: rootState(collection.path),
    knownDevice: collection.root_device,
    items: before,
    vanishing: vanishing?.length ?? 0,
    accepted: scan.context.input.acceptMissing,
  })
  if (reason === null) return null
  // The stop is shown everywhere until a scan succeeds.
  await finishScan(scan, { safetyStop: reason, safetyStopItems: vanishing?.length ?? before }, vanishing ?? [])
  return { state: 'stopped', message: reason }
}

function recordUnreadable({ db, clock, collection, context, below }: Scan, { unreadable }: Survey): Promise<void> {
  return db.transact({ userId: null }, tx => {
    // Problems of earlier scans are removed; those that still exist are recorded again.
    tx.run(forgetUnreadable, collection.id, displayName(below))
    for (const { display, reason } of unreadable) {
      const path = display === '' ? '.' : display
      const where = { collectionId: collection.id, path, itemId: null, jobId: context.jobId, at: clock.now() }
      setProblems(tx, where, [{ code: 'directory', reason: `This directory cannot be read: ${reason}` }])
    }
  })
}

/** Reads and writes changed files, and collects missing ones in `vanishing`. Returns the number of files read. */
async function readChanged(scan: Scan, surveyed: Survey, vanishing: Vanishing): Promise<number> {
  const { db, log, collection, context, counts } = scan
  const { input, signal, jobId } = context
  const writer = createBatchWriter(db, `job-${jobId}`, () => collection.id)
  const pool = scan.openPool(true, input.jobs)
  let done = 0
  try {
    const directories = createDirectoryScan({
      ...scan,
      ...input,
      jobId,
      signal,
      pool,
      surveyed,
      writer,
      vanishing,
      onFile: message => context.progress({ done: ++done, message, counts: { ...counts } }),
    })
    for (const directory of surveyed.directories) {
      signal.throwIfAborted()
      await directories.scan(directory)
    }
    await directories.finish()
    await writer.flush()
    signal.throwIfAborted()
    return done
  } catch (error) {
    // What was found so far is kept: the next scan continues from there.
    await writer.flush().catch((other: unknown) => log.error('scan results could not be written', { error: other }))
    throw error
  } finally {
    await pool.close()
  }
}

async function runScan(parts: ScanParts, context: JobContext<ScanInput>): Promise<JobEnd> {
  const { db, clock } = parts
  const { input, signal, jobId } = context
  const collection = collectionOf(db, input.collectionId)
  // A scan of a data directory inside the collection would add cached pictures, and more each time.
  if (parts.data !== undefined) requireCollectionsApart(parts.data, [collection])
  // Files of an interrupted sort or transfer would look as if a user had moved them.
  await parts.journal.recover({ job: jobId, signal })
  const below = Buffer.from(input.below, 'base64')
  sweepTemporaries(parts.cache)
  const before = liveItems(db, collection.id)
  const counts = noCounts()
  const scan: Scan = { ...parts, context, collection, below, before, counts }
  const early = await checkSafety(scan, null)
  if (early !== null) return early

  await retryFilms(scan)
  context.progress({ message: 'Looking for files', counts: { ...counts } })
  const surveyed = await survey({
    db,
    collectionId: collection.id,
    root: collection.path,
    below,
    full: input.full,
    signal,
    onProgress(found, message) {
      counts.found = found
      context.progress({ message, counts: { ...counts } })
    },
  })
  context.progress({ done: 0, total: surveyed.toOpen, counts: { ...counts } })
  await recordUnreadable(scan, surveyed)
  const vanishing = createVanishing({ db, clock, collection, counts })
  const done = await readChanged(scan, surveyed, vanishing)
  vanishing.addDirectories(surveyed, below)
  const vanished = vanishing.items()
  const late = await checkSafety(scan, vanished)
  if (late !== null) return late
  await vanishing.mark(vanished)
  sweepTemporaries(parts.cache)

  const now = rootState(collection.path)
  const rootDevice = now.kind === 'present' ? now.device : collection.root_device
  await finishScan(scan, { rootDevice, ...(below.length === 0 ? { lastScan: seconds(clock) } : {}) }, [])
  // Statistics of an empty library make the planner choose the wrong index for a full one.
  if (counts.new > 1000 && counts.new > before) db.optimize()
  context.progress({ done, total: done, message: '', counts: { ...counts } })
  const left = db.orm.select({ n: count() }).from(problems).where(eq(problems.collectionId, collection.id)).get()
  return { state: 'done', message: '', problems: left?.n ?? 0 }
}

export function scanJob(parts: ScanParts): JobKind {
  return jobKind({ kind: 'scan', input: scanInput, ...onCollection, run: context => runScan(parts, context) })
}
