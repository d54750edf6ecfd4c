/** Deletes recycled items for good: on request, or when their time is over. */
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { limits } from '../../schema/limits.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { collectionOfItem } from '../items/item-files.sql.ts'
import type { Items } from '../items/items.ts'
import { seconds } from '../kernel/clock.ts'
import { publishCollections } from '../kernel/events.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import { lastActivity, oldInBin, purgeThatWaited } from './editing.sql.ts'
import { viewerOf } from './many-items.ts'
import { type PurgeParts, purgeItem } from './purge.ts'

const input = z.object({
  /** 0: every collection that the user administers. */
  collectionId: z.int().nonnegative().default(0),
  userId: z.int().nullable().default(null),
  showsHidden: z.boolean().default(true),
  /** Purges items recycled before this moment, in seconds; null: an automatic purge, by the setting. */
  before: z.int().nullable().default(null),
})
export type PurgeInput = z.output<typeof input>

interface PurgeJobParts extends PurgeParts {
  items: Items
  rights: RightsTable
  /** `recycle_days` is in seconds. */
  settings: { recycle_days: number | null }
}

/** If the last activity is longer ago than this (seconds), the clock is not trusted. */
const longestInactivity = 2 * 86_400

/**
 * Whether the clock has jumped since the library's last activity: items that were recycled yesterday may seem old. A
 * jump counts until a whole retention time has passed since it was noticed.
 */
export function clockHasJumped(
  { db, clock }: Pick<PurgeParts, 'db' | 'clock'>,
  jobId: number,
  keepSeconds: number,
): boolean {
  const now = seconds(clock)
  if (db.get(purgeThatWaited, jobId, (now - keepSeconds) * 1000) !== null) return true
  const trace = db.get(lastActivity, jobId)
  return trace !== null && trace.at !== null && now - trace.at / 1000 > longestInactivity
}

/** Whether the bin has items that have been in it for longer than the setting. */
export function purgeIsDue({ db, clock, settings }: Pick<PurgeJobParts, 'db' | 'clock' | 'settings'>): boolean {
  if (settings.recycle_days === null) return false
  const before = seconds(clock) - settings.recycle_days
  return db.get(oldInBin, before) !== null
}

/** Chooses the items to delete. `waiting`: how many more wait until a user empties the recycle bin. */
function choosePurged(
  parts: PurgeJobParts,
  { jobId, input: purge }: JobContext<PurgeInput>,
): { ids: number[]; waiting: number } {
  const { clock, items, settings } = parts
  const viewer = viewerOf(parts, purge.userId)
  const keep = settings.recycle_days
  const before = purge.before ?? (keep === null ? null : seconds(clock) - keep)
  if (viewer === null || before === null) return { ids: [], waiting: 0 }
  const { collectionId, showsHidden } = purge
  const ids = items.goneIds(viewer, { which: 'deleted', collectionId, right: 'admin', showsHidden, before })
  if (purge.before !== null || !clockHasJumped(parts, jobId, keep ?? 0)) return { ids, waiting: 0 }
  return { ids: ids.slice(0, limits.purgedUnasked), waiting: Math.max(0, ids.length - limits.purgedUnasked) }
}

const reportEvery = 50

async function run(parts: PurgeJobParts, context: JobContext<PurgeInput>): Promise<JobEnd> {
  const { db, log } = parts
  const { jobId, signal, progress, input: purge } = context
  const actor = { userId: purge.userId, step: crypto.randomUUID() }
  await parts.journal.recover({ job: jobId, signal })
  const { ids, waiting } = choosePurged(parts, context)
  const counts = { deleted: 0, kept: 0, waiting }
  const touched = new Set<number>()
  let reason = ''

  async function reportProgress() {
    await db.transact(actor, tx => publishCollections(tx, touched))
    touched.clear()
  }

  progress({ done: 0, total: ids.length, counts: { ...counts } })
  for (const [n, id] of ids.entries()) {
    signal.throwIfAborted()
    const collection = db.get(collectionOfItem, id)
    try {
      if (await purgeItem(parts, actor, id, { jobId, quiet: true })) counts.deleted++
      if (collection !== null) touched.add(collection.id)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      counts.kept++
      reason = error.message
      log.warn('an item of the recycle bin was kept', { item: id, reason })
    }
    progress({ done: n + 1, total: ids.length, counts: { ...counts } })
    if (n % reportEvery === reportEvery - 1) await reportProgress()
    await Bun.sleep(1)
  }
  await reportProgress()
  if (waiting > 0) {
    return {
      state: 'stopped',
      message: `The clock seems to have jumped: ${waiting} more items in the recycle bin wait until somebody empties it.`,
    }
  }
  return { state: 'done', message: reason, problems: counts.kept }
}

export function purgeJob(parts: PurgeJobParts): JobKind {
  return jobKind({
    kind: 'purge',
    input,
    lane: () => 'purge',
    collectionId: ({ collectionId }) => (collectionId === 0 ? null : collectionId),
    run: context => run(parts, context),
  })
}
