/** Moves items with their files into another collection. */
import { z } from 'zod'
import type { PlannedTransfer } from '../../schema/api/plans.ts'
import { requireOnCollection, requireSignedIn, type Viewer } from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { rawOf } from '../files/names.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import type { Jobs } from '../work/jobs.ts'
import { describeMove, moveBatch, movesAtOnce } from './batch-moves.ts'
import { forgetDirectories, type ItemMove } from './item-moves.ts'
import type { MovingParts } from './move-files.ts'
import { skippedMessage } from './move-outcomes.ts'
import { collectionGone, requireCollection, requireTarget, requireWritableCollection } from './targets.ts'
import { createTransferPlanner } from './transfer-plan.ts'

const transferInput = z.object({
  collectionId: z.int().positive(),
  items: z.array(z.int().positive()),
  /** The collections of the items at the time of the request; items of other collections are not changed. */
  from: z.array(z.int().positive()),
  userId: z.int().nullable(),
  step: z.string(),
  planned: z.record(z.string(), z.string()).nullable().default(null),
})
export type TransferInput = z.output<typeof transferInput>

/** A transfer of at most this many items publishes an event for each item; a larger transfer, one for each batch. */
const maxSingleEvents = 200

/**
 * Requests a transfer; returns the job. 404 for what the caller does not see. 403 if the caller lacks `create` on the
 * target or `update` on at least one item, or if one of the collections is read-only.
 */
export async function startTransfer(
  { db, items, jobs }: { db: LibraryDatabase; items: Items; jobs: Jobs },
  viewer: Viewer,
  targetId: number,
  ids: readonly number[],
  {
    inProcess = false,
    step = crypto.randomUUID(),
    planned = null,
  }: { inProcess?: boolean; step?: string; planned?: TransferInput['planned'] } = {},
): Promise<number> {
  const { input } = await requireTransfer({ db, items }, viewer, targetId, ids)
  return jobs.enqueue(viewer, 'transfer', { ...input, step, planned }, { inProcess })
}

async function requireTransfer(
  { db, items }: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  targetId: number,
  ids: readonly number[],
): Promise<{ target: CollectionRow; input: TransferInput }> {
  requireSignedIn(viewer)
  requireOnCollection(viewer, targetId, 'create')
  const target = requireCollection(db, targetId)
  const from = await items.requireAll(viewer, ids, 'update')
  requireWritableCollection(target)
  for (const id of from) requireWritableCollection(requireCollection(db, id))
  const input: TransferInput = {
    collectionId: targetId,
    items: [...new Set(ids)],
    from: [...from].sort((a, b) => a - b),
    userId: viewer.userId,
    step: crypto.randomUUID(),
    planned: null,
  }
  return { target, input }
}

/** What a transfer would do, without doing it. Requires the same rights. */
export async function transferPlan(
  parts: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  targetId: number,
  ids: readonly number[],
): Promise<PlannedTransfer[]> {
  const { target, input } = await requireTransfer(parts, viewer, targetId, ids)
  const entriesOf = createTransferPlanner(parts.db, target, input)
  const plans: PlannedTransfer[] = []
  for (let at = 0; at < input.items.length; at += movesAtOnce) {
    for (const entry of entriesOf(input.items.slice(at, at + movesAtOnce))) {
      const { item, ...move } = describeMove(entry)
      if (entry.outcome !== 'done') plans.push({ item, collection: entry.collectionId, ...move })
    }
    await Bun.sleep(0)
  }
  return plans
}

async function run(parts: MovingParts, { jobId, input, signal, progress }: JobContext<TransferInput>): Promise<JobEnd> {
  const { db, journal, mover } = parts
  await journal.recover({ job: jobId, signal })
  const target = requireTarget(db, input.collectionId, collectionGone())
  const actor = { userId: input.userId, step: input.step }
  const entriesOf = createTransferPlanner(db, target, input)
  const counts = { selected: input.items.length, moved: 0, skipped: 0, failed: 0 }
  const skipped = new Map<string, number>()
  const vacated = new Map<string, ItemMove>()
  const quiet = input.items.length > maxSingleEvents
  const options = { holder: jobId, actor, signal, planned: input.planned, quiet }

  async function runMoves(ids: readonly number[]) {
    const entries = entriesOf(ids)
    for (const { outcome, reason } of entries) {
      if (outcome === 'done') counts.moved++
      if (outcome !== 'stays') continue
      counts.skipped++
      skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    }
    const { moved, failed } = await moveBatch(parts, options, entries)
    for (const move of moved) vacated.set(`${move.from.collection.id} ${rawOf(move.item.dir)}`, move)
    counts.moved += moved.length
    counts.failed += failed
  }

  progress({ done: 0, total: counts.selected, counts: { ...counts } })
  for (let at = 0; at < input.items.length; at += movesAtOnce) {
    signal.throwIfAborted()
    const ids = input.items.slice(at, at + movesAtOnce)
    await runMoves(ids)
    progress({ done: at + ids.length, counts: { ...counts } })
  }
  // Managed collections do not keep folders that these moves have emptied.
  for (const { from, item } of vacated.values()) {
    if (from.collection.managed !== 1) continue
    const gone = mover.removeEmpty({ root: from.collection.path, path: item.dir })
    await db.transact(actor, tx => forgetDirectories(tx, from.collection.id, gone))
  }
  const message = skippedMessage(skipped)
  progress({ message, counts: { ...counts } })
  return { state: 'done', message, problems: counts.failed }
}

export function transferJob(parts: MovingParts): JobKind {
  return jobKind({
    kind: 'transfer',
    input: transferInput,
    // The job writes to all of these collections, so none of them may be scanned or sorted meanwhile.
    lane: ({ collectionId, from }) => [...new Set([collectionId, ...from])].map(id => `collection-${id}`).join(' '),
    collectionId: ({ collectionId }) => collectionId,
    run: context => run(parts, context),
  })
}
