/** What merges of people and of keystrings share. A merge is one step of the history, in small batches. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { Failure } from '../../schema/errors.ts'
import { keyOf } from '../../schema/keys.ts'
import { history } from '../../schema/tables/changes.ts'
import { keystrings, people } from '../../schema/tables/vocabulary.ts'
import { notFound, requireGlobalAdmin, type Viewer } from '../accounts/access.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { publishCollections } from '../kernel/events.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import type { Jobs } from '../work/jobs.ts'
import { countItemsUnder } from './key-sweep.ts'

/** Merges `otherId` into `id`. */
export interface MergedPair {
  id: number
  otherId: number
}

/** How to merge two things of a kind; each function runs within a transaction. */
export interface Merge {
  kind: 'person' | 'keystring'
  /** Operation of its rows in the history. The first has `part: 'begin'`, the last `part: 'end'`. */
  operation: string
  begin(tx: Transaction, pair: MergedPair): void
  /** Ids of items that still have the other thing; with `among` only items of these collections that nothing hides. */
  next(tx: Transaction, pair: MergedPair, limit: number, among?: readonly number[]): number[]
  /** Replaces the other thing by the first on an item. Returns the item's collection. */
  item(tx: Transaction, pair: MergedPair, itemId: number): number
  /** Deletes the other thing, which is on no item any more. */
  end(tx: Transaction, pair: MergedPair): void
}

const input = z.object({
  id: z.int().positive(),
  otherId: z.int().positive(),
  userId: z.int().nullable(),
  /** The step of the history, which a resumed job continues. */
  step: z.string(),
  /** Only items of these collections that nothing hides; the other thing is kept while any item has it. */
  collections: z.array(z.int()).optional(),
})
type Input = z.output<typeof input>

async function run(db: LibraryDatabase, merge: Merge, context: JobContext<Input>): Promise<JobEnd> {
  const { userId, step, collections, ...pair } = context.input
  const actor = { userId, step }
  const isEnded = await db.transact(actor, tx => {
    const isOfStep = and(eq(history.step, step), eq(history.operation, merge.operation), isNull(history.itemId))
    const part = sql<string>`${history.before} ->> '$.part'`
    const parts = tx.orm.select({ part }).from(history).where(isOfStep).all()
    if (parts.length === 0 && collections === undefined) merge.begin(tx, pair)
    return parts.some(({ part }) => part === 'end')
  })
  // A previous process finished the merge, but died before it recorded the end of the job.
  if (isEnded) return { state: 'done' }
  context.progress({ done: 0, total: countItemsUnder(db, keyOf(merge.kind, pair.otherId)) })
  await inBatches(db, actor, context.signal, 0, (tx, before, isOver) => {
    const ids = merge.next(tx, pair, batchItems, collections)
    if (ids.length === 0) {
      if (collections === undefined || merge.next(tx, pair, 1).length === 0) merge.end(tx, pair)
      return null
    }
    const touched = new Set<number>()
    let done = before
    for (const itemId of ids) {
      touched.add(merge.item(tx, pair, itemId))
      done++
      if (isOver()) break
    }
    publishCollections(tx, [...touched])
    context.progress({ done })
    return done
  })
  return { state: 'done' }
}

/** The lane of a merge, so that a thing is merged into only one other at a time. */
const laneOf = (kind: string, otherId: number) => `${kind}-${otherId}`

export function mergeJob({ db }: { db: LibraryDatabase }, kindName: string, merge: Merge): JobKind {
  return jobKind({
    kind: kindName,
    input,
    lane: ({ otherId }) => laneOf(kindName, otherId),
    run: context => run(db, merge, context),
  })
}

const tables = { 'merge-people': people, 'merge-keystrings': keystrings }

/** Starts a merge for a global admin; returns the job's id and the step of the history. */
export async function startMerge(
  { db, jobs }: { db: LibraryDatabase; jobs: Pick<Jobs, 'enqueue' | 'inLane'> },
  viewer: Viewer,
  kind: keyof typeof tables,
  { id, otherId }: MergedPair,
): Promise<{ taskid: number; step: string }> {
  requireGlobalAdmin(viewer)
  const table = tables[kind]
  for (const one of [id, otherId]) {
    if (db.orm.select({ id: table.id }).from(table).where(eq(table.id, one)).get() === undefined) throw notFound()
  }
  if (id === otherId) throw new Failure('invalid', 'Nothing can be merged with itself.', { field: 'otherId' })
  for (const one of [id, otherId]) {
    if (jobs.inLane(laneOf(kind, one))) throw new Failure('busy', 'One of the two is already being merged.')
  }
  const step = crypto.randomUUID()
  return { taskid: await jobs.enqueue(viewer, kind, { id, otherId, userId: viewer.userId, step }), step }
}
