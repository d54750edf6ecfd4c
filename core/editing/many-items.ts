/** Changes many items as one step of the history, in short transactions. All jobs of that kind use this. */
import { z } from 'zod'
import { requireSignedIn, rightsOn, terminalViewer, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import type { Items } from '../items/items.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { publishCollections } from '../kernel/events.ts'
import { type JobContext, type JobKind, jobKind } from '../work/job-kind.ts'
import { itemsOfStep } from './editing.sql.ts'
import { changeItem, type ItemToEdit, itemToEdit } from './item-edit.ts'
import type { ItemOperation, ItemParts } from './item-parts.ts'

export const manyItems = z.object({
  items: z.array(z.int().positive()),
  /** The requester; null is the machine's own terminal. */
  userId: z.int().nullable(),
  step: z.string(),
  /** The collection of all items; null if they are in several. */
  collectionId: z.int().nullable(),
})
export type ManyItems = z.output<typeof manyItems>

/** The job's input for these items. Fails if the viewer may not update one of them. */
export async function planForItems(items: Items, viewer: Viewer, ids: readonly number[]): Promise<ManyItems> {
  requireSignedIn(viewer)
  const collections = await items.requireAll(viewer, ids, 'update')
  const [only = null] = collections
  return {
    items: [...new Set(ids)],
    userId: viewer.userId,
    step: crypto.randomUUID(),
    collectionId: collections.size === 1 ? only : null,
  }
}

/** These jobs hold no lane, so they can run concurrently: each item is changed in one transaction. */
export function jobOnItems<Input extends Pick<ManyItems, 'collectionId'>>(
  kind: string,
  input: z.ZodType<Input>,
  run: (context: JobContext<Input>) => Promise<void>,
): JobKind {
  return jobKind({
    kind,
    input,
    collectionId: ({ collectionId }) => collectionId,
    async run(context) {
      await run(context)
      return { state: 'done' }
    },
  })
}

export interface ManyParts {
  db: LibraryDatabase
  rights: RightsTable
}

/** The requester of a job with their current rights; null if the user is deleted or disabled. */
export function viewerOf({ db, rights }: ManyParts, userId: number | null): Viewer | null {
  return userId === null ? terminalViewer : viewerOfUser(db, rights, userId)
}

/** Changes the items in order. `partsOf` is called once per transaction; its function returns an item's changes. */
export async function changeMany(
  parts: ManyParts,
  {
    input: { items, userId, step },
    signal,
    progress,
  }: Pick<JobContext<Pick<ManyItems, 'items' | 'userId' | 'step'>>, 'input' | 'signal' | 'progress'>,
  operation: ItemOperation,
  partsOf: (tx: Transaction) => (item: ItemToEdit) => ItemParts,
  itemsAtOnce = batchItems,
): Promise<void> {
  const { db } = parts
  const total = items.length
  // Items that an earlier attempt has changed are left out: they must not be rotated or shifted twice.
  const done = new Set(db.all(itemsOfStep, step).map(({ id }) => id))
  const ids = items.filter(id => !done.has(id))
  const start = {
    at: 0,
    counts: { changed: done.size, unchanged: 0, gone: 0, refused: 0 },
    reported: false,
  }
  progress({ done: done.size, total })
  /** Collections of changed items that were not published yet. */
  const unreported = new Set<number>()

  function batch(tx: Transaction, state: typeof start, isOver: () => boolean): typeof start | null {
    let { at } = state
    const counts = { ...state.counts }
    const viewer = viewerOf(parts, userId)
    const wanted = partsOf(tx)
    if (state.reported) unreported.clear()
    for (const id of ids.slice(at, at + itemsAtOnce)) {
      at++
      const item = itemToEdit(tx, id)
      if (item === null) counts.gone++
      else if (viewer === null || !rightsOn(viewer, item.collectionId).update) counts.refused++
      else {
        const { changed } = changeItem(tx, item, wanted(item), { operation, quiet: true })
        if (changed) unreported.add(item.collectionId)
        counts[changed ? 'changed' : 'unchanged']++
      }
      if (isOver()) break
    }
    progress({ done: done.size + at, total, counts })
    const isLast = at >= ids.length
    // Published once before each pause, for all transactions since the last pause.
    const report = isLast || isOver()
    if (report) publishCollections(tx, unreported)
    return isLast ? null : { at, counts, reported: report }
  }

  try {
    await inBatches(db, { userId, step }, signal, start, batch)
  } catch (error) {
    // Changes that were saved before the error stay, so they are published.
    if (unreported.size > 0)
      await db.transact({ userId, step }, tx => publishCollections(tx, unreported)).catch(() => {})
    throw error
  }
}
