/** Moves items with their files into another collection. */
import { z } from 'zod'
import type { PlannedTransfer } from '../../schema/api/plans.ts'
import { demandOnCollection, demandSignedIn, type Viewer } from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { displayName } from '../files/names.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { displayPath } from '../survey/found-unit.ts'
import type { JobContext, JobEnd, JobKind, Jobs } from '../work/jobs.ts'
import { collectionJob, laneOf } from './collection-job.ts'
import { forgetDirectories, type ItemMove, type MoveSide, newPath, unitOfMove } from './item-moves.ts'
import type { MovingParts } from './move-files.ts'
import { clearFailedMoves, noteFailedMove, skippedMessage, tellCollections } from './move-outcomes.ts'
import { isPlanned, movesAtOnce, unplannedReason } from './sort-job.ts'
import { demandCollection, demandTarget, demandWritable, goneSince } from './targets.ts'
import { planTransfer } from './transfer-plan.ts'

const transferInput = z.object({
  /** Where they go. */
  collectionId: z.int().positive(),
  items: z.array(z.int().positive()),
  /** The collections that they lay in when somebody asked; no other one's items are touched. */
  from: z.array(z.int().positive()),
  userId: z.int().nullable(),
  /** The history's step. */
  step: z.string(),
  /** As of a sort. */
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
  const { db, clock, journal, mover } = parts
  await journal.recover({ job: jobId, signal })
  const target = demandTarget(db, input.collectionId, goneSince())
  const actor = { userId: input.userId, step: input.step }
  const planned = planTransfer(db, target, input)
  const { to } = planned
  const counts = { selected: input.items.length, moved: 0, skipped: 0, failed: 0 }
  const skipped = new Map<string, number>()
  const left = new Map<string, { side: MoveSide; dir: Buffer }>()
  const quiet = input.items.length > toldOneByOne

  /** What was taken for granted is not so. */
  function forget({ from }: ItemMove) {
    to.views.forget()
    from.views.forget()
  }

  async function carryOut(ids: readonly number[]) {
    const fates = planned.fatesOf(ids)
    const failed = fates.flatMap(fate => (fate.is === 'failed' ? [fate] : []))
    const wanted = fates.flatMap(fate => (fate.is === 'moved' ? [fate] : []))
    const moving = wanted.filter(({ row, move }) => isPlanned(input.planned, row.id, newPath(move)))
    for (const fate of wanted) {
      if (moving.includes(fate)) continue
      failed.push({ is: 'failed', row: fate.row, reason: unplannedReason })
      forget(fate.move)
    }
    const units = moving.map(({ move }) => unitOfMove(move, { clock, quiet }))
    const outcomes = await mover.run(units, { holder: jobId, actor, signal })
    for (const [n, { row, move }] of moving.entries()) {
      const reason = outcomes[n] ?? null
      if (reason === null) {
        counts.moved++
        left.set(`${row.collectionId} ${displayName(move.item.dir)}`, { side: move.from, dir: move.item.dir })
      } else {
        failed.push({ is: 'failed', row, reason })
        forget(move)
      }
    }
    counts.failed += failed.length
    counts.moved += fates.filter(({ is }) => is === 'done').length
    for (const fate of fates) {
      if (fate.is !== 'skipped') continue
      counts.skipped++
      skipped.set(fate.reason, (skipped.get(fate.reason) ?? 0) + 1)
    }
    await db.transact(actor, tx => {
      for (const { row } of moving) clearFailedMoves(tx, row.id)
      for (const { row, reason } of failed) {
        const path = displayPath(row.path, row.name)
        noteFailedMove(tx, { collectionId: row.collectionId, itemId: row.id, path, jobId, at: clock.now() }, reason)
      }
      if (quiet && moving.length > 0)
        tellCollections(tx, [input.collectionId, ...moving.map(({ row }) => row.collectionId)])
    })
  }

  progress({ done: 0, total: counts.selected, counts: { ...counts } })
  for (let at = 0; at < input.items.length; at += movesAtOnce) {
    signal.throwIfAborted()
    const ids = input.items.slice(at, at + movesAtOnce)
    await carryOut(ids)
    progress({ done: at + ids.length, counts: { ...counts } })
  }
  // Folders that a managed collection made for what is not there any more.
  for (const { side, dir } of left.values()) {
    if (side.collection.managed !== 1) continue
    const gone = mover.removeEmpty({ root: side.collection.path, path: dir })
    await db.transact(actor, tx => forgetDirectories(tx, side.collection.id, gone))
  }
  const message = skippedMessage(skipped)
  progress({ message, counts: { ...counts } })
  return { state: 'done', message, problems: counts.failed }
}

export function transferJob(parts: MovingParts): JobKind {
  return collectionJob(
    'transfer',
    transferInput,
    context => run(parts, context),
    ({ collectionId, from }) =>
      // It writes to all of these collections: none may be scanned or sorted meanwhile.
      [...new Set([collectionId, ...from])].map(laneOf).join(' '),
  )
}
