/** Moves items with their files into another collection. */
import { z } from 'zod'
import type { PlannedTransfer } from '../../schema/api/plans.ts'
import { demandOnCollection, demandSignedIn, type Viewer } from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { rawOf } from '../files/names.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { displayPath } from '../survey/found-unit.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import type { Jobs } from '../work/jobs.ts'
import { carryOutMoves, type FailedMove, movesAtOnce, type WantedMove } from './batch-moves.ts'
import { forgetDirectories, type ItemMove, newPath } from './item-moves.ts'
import type { MovingParts } from './move-files.ts'
import { skippedMessage } from './move-outcomes.ts'
import { demandCollection, demandTarget, demandWritable, goneSince } from './targets.ts'
import { planTransfer } from './transfer-plan.ts'

const transferInput = z.object({
  collectionId: z.int().positive(),
  items: z.array(z.int().positive()),
  /** The collections that they lay in when somebody asked; no other one's items are touched. */
  from: z.array(z.int().positive()),
  userId: z.int().nullable(),
  step: z.string(),
  planned: z.record(z.string(), z.string()).nullable().default(null),
})
export type TransferInput = z.output<typeof transferInput>

/** Up to so many items, each is told by itself: cards go and come. */
const toldOneByOne = 200

/**
 * Asks for a transfer; answers the job. 404 for what the caller does not see, 403 without `create` on the target or
 * `update` on any one item, or where a collection is read-only.
 */
export async function startTransfer(
  { db, items, jobs }: { db: LibraryDatabase; items: Items; jobs: Jobs },
  viewer: Viewer,
  targetId: number,
  ids: readonly number[],
  {
    here = false,
    step = crypto.randomUUID(),
    planned = null,
  }: { here?: boolean; step?: string; planned?: TransferInput['planned'] } = {},
): Promise<number> {
  const { input } = await demandTransfer({ db, items }, viewer, targetId, ids)
  return jobs.enqueue(viewer, 'transfer', { ...input, step, planned }, { here })
}

/** Everything that is asked before items are moved. */
async function demandTransfer(
  { db, items }: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  targetId: number,
  ids: readonly number[],
): Promise<{ target: CollectionRow; input: TransferInput }> {
  demandSignedIn(viewer)
  demandOnCollection(viewer, targetId, 'create')
  const target = demandCollection(db, targetId)
  const from = await items.demandAll(viewer, ids, 'update')
  demandWritable(target)
  for (const id of from) demandTarget(db, id)
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

/** What a transfer would do, found out without doing it. Asks for the same rights. */
export async function transferPlan(
  parts: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  targetId: number,
  ids: readonly number[],
): Promise<PlannedTransfer[]> {
  const { target, input } = await demandTransfer(parts, viewer, targetId, ids)
  const { fatesOf } = planTransfer(parts.db, target, input)
  const plans: PlannedTransfer[] = []
  for (let at = 0; at < input.items.length; at += movesAtOnce) {
    const some = input.items.slice(at, at + movesAtOnce)
    for (const [n, fate] of fatesOf(some).entries()) {
      if (fate.is === 'done') continue
      const { row } = fate
      plans.push({
        item: some[n] ?? 0,
        collection: row?.collectionId ?? 0,
        from: row === null ? '' : displayPath(row.path, row.name),
        to: fate.is === 'moved' ? newPath(fate.move) : null,
        reason: fate.is === 'moved' ? '' : fate.reason,
        fails: fate.is === 'failed',
      })
    }
    await Bun.sleep(0)
  }
  return plans
}

async function run(parts: MovingParts, { jobId, input, signal, progress }: JobContext<TransferInput>): Promise<JobEnd> {
  const { db, journal, mover } = parts
  await journal.recover({ job: jobId, signal })
  const target = demandTarget(db, input.collectionId, goneSince())
  const actor = { userId: input.userId, step: input.step }
  const { fatesOf } = planTransfer(db, target, input)
  const counts = { selected: input.items.length, moved: 0, skipped: 0, failed: 0 }
  const skipped = new Map<string, number>()
  const left = new Map<string, ItemMove>()
  const quiet = input.items.length > toldOneByOne
  const how = { holder: jobId, actor, signal, planned: input.planned, quiet }

  async function carryOut(ids: readonly number[]) {
    const failed: FailedMove[] = []
    const wanted: WantedMove[] = []
    for (const fate of fatesOf(ids)) {
      if (fate.is === 'done') counts.moved++
      else if (fate.is === 'skipped') {
        counts.skipped++
        skipped.set(fate.reason, (skipped.get(fate.reason) ?? 0) + 1)
      } else {
        const { id: itemId, collectionId, path, name } = fate.row
        const item = { itemId, collectionId, path: displayPath(path, name) }
        if (fate.is === 'failed') failed.push({ ...item, reason: fate.reason })
        else wanted.push({ ...item, move: fate.move })
      }
    }
    const moved = await carryOutMoves(parts, how, wanted, failed)
    for (const { move, collectionId } of moved) left.set(`${collectionId} ${rawOf(move.item.dir)}`, move)
    counts.moved += moved.length
    counts.failed += failed.length
  }

  progress({ done: 0, total: counts.selected, counts: { ...counts } })
  for (let at = 0; at < input.items.length; at += movesAtOnce) {
    signal.throwIfAborted()
    const ids = input.items.slice(at, at + movesAtOnce)
    await carryOut(ids)
    progress({ done: at + ids.length, counts: { ...counts } })
  }
  // Folders that a managed collection made for what is not there any more.
  for (const { from, item } of left.values()) {
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
    // It writes to all of these collections: none may be scanned or sorted meanwhile.
    lane: ({ collectionId, from }) => [...new Set([collectionId, ...from])].map(id => `collection-${id}`).join(' '),
    collectionId: ({ collectionId }) => collectionId,
    run: context => run(parts, context),
  })
}
