/** Work on files that is planned first and performed later: format and creation of plans, and checks before the work. */
import { z } from 'zod'
import { Failure, sentence } from '../../schema/errors.ts'
import { requireGlobalAdmin, type Viewer } from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import type { DiskPlace } from '../files/anchor.ts'
import { DiskError } from '../files/disk-error.ts'
import { joinPath } from '../files/names.ts'
import type { FileFacts } from '../files/open-file.ts'
import { version } from '../kernel/build-info.ts'
import { contentKeyOfFile } from '../media/decode/content-key.ts'
import type { Jobs } from '../work/jobs.ts'
import { startDirectoryImport, startImport } from './import-job.ts'
import { type ImportPlanParts, planImport } from './import-plan.ts'
import { mainFileOfItem } from './moving.sql.ts'
import { sortPlan, startSort } from './sort-job.ts'
import { requireCollection } from './targets.ts'
import { startTransfer, transferPlan } from './transfer-job.ts'

const plannedWork = z.discriminatedUnion('command', [
  z.object({ command: z.literal('sort'), collection: z.int().positive(), guess: z.boolean() }),
  z.object({ command: z.literal('transfer'), collection: z.int().positive(), items: z.array(z.int().positive()) }),
  z.object({
    command: z.literal('import'),
    collection: z.int().positive(),
    source: z.union([z.object({ collection: z.int().positive() }), z.object({ directory: z.string() })]),
    guess: z.boolean(),
  }),
])
export type PlannedWork = z.output<typeof plannedWork>

const plannedFile = z.object({
  /** Null for a file that the library does not know yet. */
  item: z.int().nullable(),
  from: z.string(),
  /** The target path; null if the file stays, for the reason below. */
  to: z.string().nullable(),
  reason: z.string(),
  /** Whether the file should be moved or copied, but cannot be. */
  fails: z.boolean().default(false),
  /** Size of the main file, modification time (seconds since the epoch, to the nanosecond), key of its content. */
  size: z.int().nullable(),
  modified: z.string().nullable(),
  hash: z.string().nullable(),
})
export type PlannedFile = z.output<typeof plannedFile>

/** A plan as it is stored in a file. `schema` changes when a field changes its meaning. */
export const planDocument = z.object({
  type: z.literal('keepsake-plan'),
  schema: z.literal(1),
  keepsake: z.string(),
  made: z.string(),
  /** The data directory of its library. */
  library: z.string(),
  work: plannedWork,
  /** The collection that the plan works on, for messages; its path must be the same when the plan is performed. */
  target: z.object({ name: z.string(), path: z.string() }),
  files: z.array(plannedFile),
})
export type PlanDocument = z.output<typeof planDocument>

/** Why a plan is not performed: one line per file. */
export interface PlanChange {
  path: string
  reason: string
}

export interface PlannedWorkParts extends ImportPlanParts {
  jobs: Jobs
}

interface FileAtPlace {
  file: PlannedFile
  place: DiskPlace | null
}

type FileStat = Pick<PlannedFile, 'size' | 'modified' | 'hash'>
const unknownStat: FileStat = { size: null, modified: null, hash: null }

/** The path of an item's main file. */
function placeOf({ db }: PlannedWorkParts, item: number): DiskPlace | null {
  const row = db.get(mainFileOfItem, item)
  return row === null ? null : { root: row.root, path: joinPath(row.dir, row.name) }
}

async function planFiles(
  parts: PlannedWorkParts,
  viewer: Viewer,
  work: PlannedWork,
  signal: AbortSignal,
): Promise<FileAtPlace[]> {
  if (work.command === 'sort') {
    const { moves } = await sortPlan(parts, viewer, work.collection, { guess: work.guess })
    return moves.map(move => ({ file: { ...move, ...unknownStat }, place: placeOf(parts, move.item) }))
  }
  if (work.command === 'transfer') {
    const plans = await transferPlan(parts, viewer, work.collection, work.items)
    return plans.map(({ collection: _, ...move }) => ({
      file: { ...move, ...unknownStat },
      place: placeOf(parts, move.item),
    }))
  }
  const files: FileAtPlace[] = []
  const { source, collection: id, guess } = work
  const request =
    'directory' in source ? { id, directory: source.directory, guess } : { id, otherId: source.collection }
  await planImport(parts, viewer, request, {
    signal,
    report: ({ from, to, reason, place }) =>
      files.push({ file: { item: null, from, to, reason, fails: to === null, ...unknownStat }, place }),
  })
  return files
}

/** The current state of a file; nulls if it cannot be read. */
function statFile({ disk }: PlannedWorkParts, place: DiskPlace | null): FileStat {
  if (place === null) return unknownStat
  try {
    const file = disk.open(place)
    try {
      return { size: file.size, modified: timeText(file), hash: contentKeyOfFile(file.fd, file.size) }
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof DiskError || error instanceof Failure) return unknownStat
    throw error
  }
}

function targetOf({ db }: PlannedWorkParts, { collection: id }: PlannedWork): CollectionRow {
  return requireCollection(db, id, new Failure('notFound', sentence`There is no collection ${id}.`))
}

const maxChanges = 50

export function createPlannedWork(parts: PlannedWorkParts) {
  return {
    /** Computes what would be done, and records the current state of each file. Changes nothing. */
    async create(viewer: Viewer, work: PlannedWork, signal: AbortSignal): Promise<PlanDocument> {
      requireGlobalAdmin(viewer)
      const files: PlannedFile[] = []
      for (const { file, place } of await planFiles(parts, viewer, work, signal)) {
        signal.throwIfAborted()
        files.push(file.to === null ? file : { ...file, ...statFile(parts, place) })
        await Bun.sleep(0)
      }
      const { name, path } = targetOf(parts, work)
      const made = new Date(parts.clock.now()).toISOString()
      const target = { name, path }
      return { type: 'keepsake-plan', schema: 1, keepsake: version, made, library: parts.data, work, target, files }
    },

    /** What has changed since the plan was made. If the list is empty, the plan can be performed. */
    async changes(
      viewer: Viewer,
      { work, target, files }: PlanDocument,
      { signal }: { signal: AbortSignal },
    ): Promise<PlanChange[]> {
      requireGlobalAdmin(viewer)
      const now = targetOf(parts, work)
      if (now.path !== target.path)
        return [{ path: target.name, reason: `Number ${work.collection} is now another collection: ${now.name}.` }]
      const changed: PlanChange[] = []
      const planned = new Map(files.map(file => [keyOf(file), file]))
      for (const { file, place } of await planFiles(parts, viewer, work, signal)) {
        signal.throwIfAborted()
        const before = planned.get(keyOf(file))
        planned.delete(keyOf(file))
        const reason =
          moveDifference(before, file) ?? (file.to === null ? null : fileDifference(before, statFile(parts, place)))
        if (reason !== null) changed.push({ path: file.from, reason })
        if (changed.length >= maxChanges) return changed
        await Bun.sleep(0)
      }
      const reason = 'It no longer has to be moved: it is gone, or is already at its place.'
      return [...changed, ...planned.values().map(({ from: path }) => ({ path, reason }))].slice(0, maxChanges)
    },

    /** Queues the work of a plan; returns the job, and the history's step if it can be undone. */
    async start(
      viewer: Viewer,
      { work, files }: { work: PlannedWork; files: readonly Pick<PlannedFile, 'item' | 'to'>[] },
    ): Promise<{ job: number; step?: string }> {
      requireGlobalAdmin(viewer)
      const step = crypto.randomUUID()
      const { collection: id } = work
      // The job checks each item, so that later changes are noticed.
      const planned = Object.fromEntries(
        files.flatMap(({ item, to }) => (item === null || to === null ? [] : [[String(item), to]])),
      )
      if (work.command === 'sort') return { job: await startSort(parts, viewer, id, work, { step, planned }), step }
      if (work.command === 'transfer')
        return { job: await startTransfer(parts, viewer, id, work.items, { step, planned }), step }
      const { source, guess } = work
      if ('collection' in source) return { job: await startImport(parts, viewer, { id, otherId: source.collection }) }
      return { job: await startDirectoryImport(parts, viewer, { id, directory: source.directory, guess }) }
    },
  }
}

function keyOf({ item, from }: PlannedFile): string {
  return item === null ? from : String(item)
}

function timeText({ mtimeSeconds, mtimeNanoseconds }: FileFacts): string {
  return `${mtimeSeconds}.${String(mtimeNanoseconds).padStart(9, '0')}`
}

function moveDifference(before: PlannedFile | undefined, now: PlannedFile): string | null {
  if (before === undefined) return 'When the plan was made, it did not exist or did not have to be moved.'
  if (before.from !== now.from) return `It was ${before.from} when the plan was made.`
  if (before.to === now.to) return null
  if (now.to === null) return now.reason
  return before.to === null ? `It would now go to ${now.to}.` : `${before.to} is taken; it would now go to ${now.to}.`
}

function fileDifference(before: PlannedFile | undefined, now: FileStat): string | null {
  if (before === undefined) return null
  if (now.hash === null) return 'It cannot be read any more.'
  if (before.size !== now.size) return `It has ${now.size} bytes, and had ${before.size}.`
  if (before.hash !== now.hash) return 'Its content has changed.'
  return before.modified === now.modified ? null : 'Its modification time has changed.'
}
