/** Sorts the files of a managed collection into its folders. */
import { z } from 'zod'
import type { plannedMove } from '../../schema/api/collections.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { requireOnCollection, showsHiddenTo, type Viewer } from '../accounts/access.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { rawOf } from '../files/names.ts'
import { hiddenAmong } from '../filter/hidden-items.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind, onCollection } from '../work/job-kind.ts'
import type { Jobs } from '../work/jobs.ts'
import { describeMove, type MoveEntry, moveBatch, movesAtOnce } from './batch-moves.ts'
import { forgetDirectories } from './item-moves.ts'
import type { MovingParts } from './move-files.ts'
import { sideOf } from './sides.ts'
import { privateReason, sortEntries } from './sort-plan.ts'
import { collectionGone, requireCollection, requireWritableCollection } from './targets.ts'

const sortInput = z.object({
  collectionId: z.int().positive(),
  /** Whether the file's own date is used when no other is known. */
  guess: z.boolean().default(false),
  userId: z.int().nullable().default(null),
  /** Whether the requester sees hidden items; if not, they are not moved. */
  showsHidden: z.boolean().default(true),
  step: z.string(),
  /** Targets by item id, from a plan made earlier: an item whose target has changed since then stays. */
  planned: z.record(z.string(), z.string()).nullable().default(null),
})
export type SortInput = z.output<typeof sortInput>

/** A collection whose files may be sorted. Throws 404 or 403, then 409 if it is not managed, 403 if it is read-only. */
function requireSortable(db: LibraryDatabase, viewer: Viewer, id: number): CollectionRow {
  requireOnCollection(viewer, id, 'admin')
  const row = requireCollection(db, id)
  if (row.managed !== 1)
    throw new Failure(
      'conflict',
      sentence`'${row.name}' is not a managed collection: its files stay where its owner puts them.`,
    )
  requireWritableCollection(row)
  return row
}

type PlannedMove = z.output<typeof plannedMove>

/** Plans a sort of the items that the viewer sees; `total` is the number of items that would move. */
export async function sortPlan(
  { db, items }: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  id: number,
  query: { guess?: boolean | undefined; includeHidden?: string | undefined },
): Promise<{ moves: PlannedMove[]; total: number }> {
  const collection = requireSortable(db, viewer, id)
  const moves: PlannedMove[] = []
  let waiting: MoveEntry[] = []
  const addVisibleMoves = () => {
    const ids = waiting.map(({ itemId }) => itemId)
    const seen = new Set(viewer.kind === 'terminal' ? ids : items.visibleIds(viewer, ids, query.includeHidden))
    moves.push(...waiting.filter(({ itemId }) => seen.has(itemId)).map(describeMove))
    waiting = []
  }
  for (const entry of sortEntries(db, collection, { guess: query.guess === true })) {
    if (entry !== null) waiting.push(entry)
    if (entry !== null && waiting.length < 200) continue
    addVisibleMoves()
    await Bun.sleep(0)
  }
  addVisibleMoves()
  return { moves, total: moves.filter(({ to }) => to !== null).length }
}

/** Requests a sort; returns the job. `step`: its step in the history. */
export async function startSort(
  { db, jobs }: { db: LibraryDatabase; jobs: Jobs },
  viewer: Viewer,
  id: number,
  { guess = false }: { guess?: boolean | undefined },
  {
    step = crypto.randomUUID(),
    planned = null,
    ...options
  }: { inProcess?: boolean; step?: string; planned?: SortInput['planned'] } = {},
): Promise<number> {
  requireSortable(db, viewer, id)
  const showsHidden = showsHiddenTo(viewer)
  const input: SortInput = { collectionId: id, guess, userId: viewer.userId, showsHidden, step, planned }
  return jobs.enqueue(viewer, 'sort', input, options)
}

async function run(parts: MovingParts, { jobId, input, signal, progress }: JobContext<SortInput>): Promise<JobEnd> {
  const { db, journal, mover } = parts
  await journal.recover({ job: jobId, signal })
  const collection = requireCollection(db, input.collectionId, collectionGone())
  if (collection.managed !== 1 || collection.readonly === 1)
    throw new Failure('conflict', sentence`The files of '${collection.name}' may no longer be sorted.`)
  const actor = { userId: input.userId, step: input.step }
  const side = sideOf(db, collection)
  const counts = { selected: 0, moved: 0, skipped: 0, failed: 0 }
  let inPrivateFolders = 0
  const vacated = new Map<string, Buffer>()

  const options = { holder: jobId, actor, signal, planned: input.planned, quiet: true }

  async function runMoves(planned: readonly MoveEntry[]) {
    // Items that the requester does not see were not in the requester's plan, and are not moved.
    const itemIds = planned.map(({ itemId }) => itemId)
    const unseen = input.showsHidden ? new Set() : hiddenAmong(db, itemIds)
    const entries = planned.filter(({ itemId }) => !unseen.has(itemId))
    // The cached directories assume that the hidden items have moved and freed their names.
    if (unseen.size > 0) side.views.forget()
    const { moved, failed } = await moveBatch(parts, options, entries)
    for (const { item } of moved) vacated.set(rawOf(item.dir), item.dir)
    counts.moved += moved.length
    counts.failed += failed
    counts.skipped += entries.filter(({ outcome }) => outcome === 'stays').length
    inPrivateFolders += entries.filter(({ reason }) => reason === privateReason).length
    counts.selected += entries.length
    progress({ done: counts.selected, counts: { ...counts } })
  }

  progress({ done: 0, counts: { ...counts } })
  let waiting: MoveEntry[] = []
  for (const entry of sortEntries(db, collection, { guess: input.guess, side })) {
    signal.throwIfAborted()
    if (entry === null) continue
    waiting.push(entry)
    if (waiting.length < movesAtOnce) continue
    await runMoves(waiting)
    waiting = []
  }
  signal.throwIfAborted()
  await runMoves(waiting)

  const gone = [...vacated.values()].flatMap(dir => mover.removeEmpty({ root: collection.path, path: dir }))
  await db.transact(actor, tx => forgetDirectories(tx, collection.id, gone))
  progress({ done: counts.selected, total: counts.selected, message: '', counts: { ...counts } })
  const undated = counts.skipped - inPrivateFolders
  const stay = [
    undated === 0 ? [] : `${undated} stay where they are: only the date of their file is known.`,
    inPrivateFolders === 0 ? [] : `${inPrivateFolders} stay where they are: their folder is private.`,
  ]
  return { state: 'done', message: stay.flat().join(' '), problems: counts.failed }
}

export function sortJob(parts: MovingParts): JobKind {
  return jobKind({ kind: 'sort', input: sortInput, ...onCollection, run: context => run(parts, context) })
}
