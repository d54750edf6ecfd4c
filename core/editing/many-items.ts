/** Changes many items as one step of the history, in short transactions: the frame of every job that does so. */
import { channels } from '../../schema/realtime.ts'
import { rightsOn, terminalViewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { JobContext } from '../work/jobs.ts'
import { changeItem, type ItemToEdit, itemToEdit } from './item-edit.ts'
import type { ItemOperation, ItemParts } from './item-parts.ts'

/** What such a job keeps. */
export interface ManyItems {
  items: readonly number[]
  /** Who asked; null is the machine's own terminal. */
  userId: number | null
  /** The history's step. */
  step: string
}

export interface ManyParts {
  db: LibraryDatabase
  rights: RightsTable
}

/** Goes through them in their order; `partsOf` answers what of an item differs afterwards, and is asked anew in each transaction. */
export async function changeMany(
  { db, rights }: ManyParts,
  {
    input: { items: ids, userId, step },
    signal,
    progress,
  }: Pick<JobContext<ManyItems>, 'input' | 'signal' | 'progress'>,
  operation: ItemOperation,
  partsOf: (tx: Transaction) => (item: ItemToEdit) => ItemParts,
  /** Items of a transaction at most. */
  together = batchItems,
): Promise<void> {
  const total = ids.length
  // What an attempt before this one has changed is history already, and unchanged now.
  const before = db.get<{ n: number }>('SELECT count(*) AS n FROM history WHERE step = ?', step)?.n ?? 0
  const start = {
    at: 0,
    counts: { changed: before, unchanged: -before, gone: 0, refused: 0 },
    told: false,
  }
  progress({ done: 0, total })
  /** Collections of items that were changed, as far as nobody has heard of it yet. */
  const untold = new Set<number>()

  function tell(tx: Transaction) {
    for (const id of untold) {
      tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
    }
  }

  function batch(tx: Transaction, state: typeof start, isOver: () => boolean): typeof start | null {
    let { at } = state
    const counts = { ...state.counts }
    const viewer = userId === null ? terminalViewer : viewerOfUser(db, rights, userId)
    const wanted = partsOf(tx)
    if (state.told) untold.clear()
    for (const id of ids.slice(at, at + together)) {
      at++
      const item = itemToEdit(tx, id)
      if (item === null) counts.gone++
      else if (viewer === null || !rightsOn(viewer, item.collectionId).update) counts.refused++
      else {
        const { changed } = changeItem(tx, item, wanted(item), { operation, quiet: true })
        if (changed) untold.add(item.collectionId)
        counts[changed ? 'changed' : 'unchanged']++
      }
      if (isOver()) break
    }
    progress({ done: at, total, counts })
    const isLast = at >= total
    // Once before each pause, however many transactions there were.
    const told = isLast || isOver()
    if (told) tell(tx)
    return isLast ? null : { at, counts, told }
  }

  try {
    await inBatches(db, { userId, step }, signal, start, batch)
  } catch (error) {
    // What was saved before stays.
    if (untold.size > 0) await db.transact({ userId, step }, tell).catch(() => {})
    throw error
  }
}
