/** A scan: survey, open what changed, recognise what moved, mark what is missing; safe to stop or kill at any point. */
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { demandCollectionsApart } from '../collections/apart.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { findTool } from '../files/find-tool.ts'
import { displayName } from '../files/names.ts'
import type { Journal } from '../journal/journal.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import { sweepTemporaries } from '../media/cache/write-file.ts'
import type { DecodePool } from '../media/decode/decode-pool.ts'
import { rootState, stopReason } from '../survey/safety.ts'
import { type Survey, survey } from '../survey/survey.ts'
import type { JobContext, JobEnd, JobKind } from '../work/jobs.ts'
import { setProblems } from '../work/problems.ts'
import { createBatchWriter } from './batch-writer.ts'
import { createDirectoryScan } from './directory-scan.ts'
import { sizesFor } from './read-unit.ts'
import { noCounts, type ScanCounts } from './scan-counts.ts'
import { createVanishing } from './vanishing.ts'

export const scanInput = z.object({
  collectionId: z.int().positive(),
  /** Directory within the collection, its bytes as base64; '' for all of it. */
  below: z.string().default(''),
  /** Open every file again, whatever it looks like from outside. */
  full: z.boolean().default(false),
  /** What files say wins over what users wrote: a metadata import. */
  fileWins: z.boolean().default(false),
  /** Go past the safety stop. */
  acceptMissing: z.boolean().default(false),
  /** Pictures decoded at once; 0: as the settings say. */
  jobs: z.int().min(0).max(64).default(0),
})
type ScanInput = z.output<typeof scanInput>

export interface ScanParts {
  db: LibraryDatabase
  clock: Clock
  log: Log
  journal: Pick<Journal, 'recover'>
  cache: string
  /** The data directory, where it is to lie apart. */
  data?: string
  settings?: { ffmpeg: string; ffprobe: string }
  openPool: (low: boolean, jobs?: number) => DecodePool
}

/** How many items of a collection are neither recycled nor missing. */
export function liveItems(db: LibraryDatabase, collectionId: number): number {
  return (
    db.get<{ n: number | null }>(
      'SELECT sum(n) AS n FROM item_month WHERE collection_id = ? AND state <= 1',
      collectionId,
    )?.n ?? 0
  )
}

/** Films that could not be shown for want of ffmpeg are read again once it is there. */
async function retryFilms({ db, settings }: ScanParts, collection: CollectionRow): Promise<void> {
  const missed = `SELECT item_id FROM problems WHERE collection_id = ? AND code = 'unsupported' AND item_id IS NOT NULL
    AND reason LIKE 'ffmpeg is not installed%'`
  if (db.get(`${missed} LIMIT 1`, collection.id) === null) return
  if (settings === undefined || findTool('ffmpeg', settings.ffmpeg) === null) return
  await db.transact({ userId: null }, tx => {
    tx.run(
      `UPDATE dirs SET fingerprint = NULL WHERE id IN (SELECT dir_id FROM files WHERE item_id IN (${missed}))`,
      collection.id,
    )
    // No file has such a date: it is taken for changed.
    tx.run(`UPDATE files SET mtime_ns = -1 WHERE item_id IN (${missed})`, collection.id)
  })
}

/** Writes down that a scan stopped, so that every door shows it until a scan gets through. */
async function stop(
  parts: ScanParts,
  collection: CollectionRow,
  reason: string,
  vanishing: { items: number; ids: readonly number[] },
): Promise<JobEnd> {
  await parts.db.transact({ userId: null }, tx => {
    tx.run(
      'UPDATE collections SET safety_stop = ?, safety_stop_items = ? WHERE id = ?',
      reason,
      vanishing.items,
      collection.id,
    )
    tx.run('DELETE FROM safety_stop_items WHERE collection_id = ?', collection.id)
    tx.run(
      'INSERT INTO safety_stop_items (collection_id, item_id) SELECT ?, value FROM json_each(?)',
      collection.id,
      JSON.stringify(vanishing.ids),
    )
    tx.event(channels.collection(collection.id), {
      action: 'update',
      level: 'notice',
      message: reason,
      collection: { id: collection.id },
    })
  })
  return { state: 'stopped', message: reason }
}

function progressOf(counts: ScanCounts): Record<string, number> {
  return { ...counts }
}

function noteUnreadable(
  parts: ScanParts,
  collection: CollectionRow,
  jobId: number,
  below: string,
  { unreadable }: Survey,
): Promise<void> {
  return parts.db.transact({ userId: null }, tx => {
    // Those of an earlier scan: what is still so is written anew.
    tx.run(
      "DELETE FROM problems WHERE collection_id = ? AND code = 'directory' AND (? = '' OR path = ? OR path LIKE ? || '/%')",
      collection.id,
      below,
      below,
      below,
    )
    for (const { display, reason } of unreadable) {
      const where = {
        collectionId: collection.id,
        path: display === '' ? '.' : display,
        itemId: null,
        jobId,
        at: parts.clock.now(),
      }
      setProblems(tx, where, [{ code: 'directory', reason: `This directory cannot be read: ${reason}` }])
    }
  })
}

async function runScan(parts: ScanParts, context: JobContext<ScanInput>): Promise<JobEnd> {
  const { db, clock } = parts
  const { input, signal, jobId } = context
  const collection = db.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', input.collectionId)
  if (collection === null) throw new Failure('notFound', 'The collection is gone.')
  // Put into it since: a scan would take the cache's own pictures for the collection's, and make more of them each time.
  if (parts.data !== undefined) demandCollectionsApart(parts.data, [collection])
  // Files that a killed sort or transfer had begun to move would look as if somebody had moved them.
  await parts.journal.recover({ job: jobId, signal })
  const below = Buffer.from(input.below, 'base64')
  sweepTemporaries(parts.cache)
  const before = liveItems(db, collection.id)

  const root = rootState(collection.path)
  const early = stopReason({
    root,
    knownDevice: collection.root_device,
    items: before,
    vanishing: 0,
    accepted: input.acceptMissing,
  })
  if (early !== null) return stop(parts, collection, early, { items: before, ids: [] })

  await retryFilms(parts, collection)
  const counts = noCounts()
  context.progress({ message: 'Looking for files', counts: progressOf(counts) })
  const look = await survey({
    db,
    collectionId: collection.id,
    root: collection.path,
    below,
    full: input.full,
    signal,
    onProgress(found, path) {
      counts.found = found
      context.progress({ message: path, counts: progressOf(counts) })
    },
  })
  context.progress({ done: 0, total: look.toOpen, counts: progressOf(counts) })
  await noteUnreadable(parts, collection, jobId, displayName(below), look)

  const writer = createBatchWriter(db, `job-${jobId}`, () => ({
    channel: channels.collection(collection.id),
    message: { action: 'update', level: 'status', collection: { id: collection.id } },
  }))
  const vanishing = createVanishing({ db, clock, collection, counts })
  const pool = parts.openPool(true, input.jobs)
  let done = 0
  try {
    const directories = createDirectoryScan({
      ...parts,
      collection,
      jobId,
      full: input.full,
      fileWins: input.fileWins,
      pool,
      sizes: sizesFor(look.toOpen),
      writer,
      vanishing,
      counts,
      signal,
      seen: look.seen,
      onFile(path) {
        done++
        context.progress({ done, message: path, counts: progressOf(counts) })
      },
    })
    for (const directory of look.directories) {
      signal.throwIfAborted()
      await directories.scan(directory)
    }
    await directories.finish()
    await writer.flush()
    signal.throwIfAborted()
  } catch (error) {
    // What was found so far is kept: the next scan goes on from there.
    await writer
      .flush()
      .catch((other: unknown) => parts.log.error('what was found could not be written', { error: other }))
    throw error
  } finally {
    await pool.close()
  }

  vanishing.addDirectories(look, below)
  const vanished = vanishing.items()
  const reason = stopReason({
    root: rootState(collection.path),
    knownDevice: collection.root_device,
    items: before,
    vanishing: vanished.length,
    accepted: input.acceptMissing,
  })
  if (reason !== null) return stop(parts, collection, reason, { items: vanished.length, ids: vanished })
  await vanishing.mark(vanished)
  sweepTemporaries(parts.cache)

  const now = rootState(collection.path)
  const device = now.kind === 'present' ? now.device : collection.root_device
  const problems =
    db.get<{ n: number }>('SELECT count(*) AS n FROM problems WHERE collection_id = ?', collection.id)?.n ?? 0
  await db.transact({ userId: null }, tx => {
    tx.run(
      `UPDATE collections SET last_scan = CASE WHEN ? THEN ? ELSE last_scan END, root_device = ?, safety_stop = NULL, safety_stop_items = 0
       WHERE id = ?`,
      below.length === 0 ? 1 : 0,
      seconds(clock),
      device,
      collection.id,
    )
    tx.run('DELETE FROM safety_stop_items WHERE collection_id = ?', collection.id)
    tx.event(channels.collection(collection.id), {
      action: 'update',
      level: 'status',
      collection: { id: collection.id },
    })
  })
  // A planner that knows only an empty library takes the wrong index for a full one.
  if (counts.new > 1000 && counts.new > before) db.optimize()
  context.progress({ done, total: done, message: '', counts: progressOf(counts) })
  return { state: 'done', message: '', problems }
}

export function scanJob(parts: ScanParts): JobKind {
  const kind: JobKind<ScanInput> = {
    kind: 'scan',
    input: scanInput,
    lane: input => `collection-${input.collectionId}`,
    collectionId: input => input.collectionId,
    afterRestart: 'resume',
    run: context => runScan(parts, context),
  }
  return kind
}
