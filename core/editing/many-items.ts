/** Changes many items as one step of the history, in short transactions: the frame of every job that does so. */
import { channels } from '../../schema/realtime.ts'
import { rightsOn, terminalViewer } from '../access.ts'
import { batchItems, inBatches } from '../batches.ts'
import type { LibraryDatabase, Transaction } from '../database.ts'
import type { JobContext } from '../jobs.ts'
import type { RightsTable } from '../rights.ts'
import { viewerOfUser } from '../viewers.ts'
import { changeItem, type ItemOperation, type ItemToEdit, itemToEdit } from './item-edit.ts'
import type { ItemParts } from './item-parts.ts'

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
): Promise<void> {
  const total = ids.length
  // What an attempt before this one has changed is history already, and unchanged now.
  const before = db.get<{ n: number }>('SELECT count(*) AS n FROM history WHERE step = ?', step)?.n ?? 0
  const start = { at: 0, counts: { changed: before, unchanged: -before, gone: 0, refused: 0 } }
  progress({ done: 0, total })

  function batch(tx: Transaction, state: typeof start, isOver: () => boolean): typeof start | null {
    let { at } = state
    const counts = { ...state.counts }
    const viewer = userId === null ? terminalViewer : viewerOfUser(db, rights, userId)
    const wanted = partsOf(tx)
    const touched = new Set<number>()
    for (const id of ids.slice(at, at + batchItems)) {
      at++
      const item = itemToEdit(tx, id)
      if (item === null) counts.gone++
      else if (viewer === null || !rightsOn(viewer, item.collectionId).update) counts.refused++
      else {
        const { changed } = changeItem(tx, item, wanted(item), { operation, quiet: true })
        if (changed) touched.add(item.collectionId)
        counts[changed ? 'changed' : 'unchanged']++
      }
      if (isOver()) break
    }
    for (const id of touched) {
      tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
    }
    progress({ done: at, total, counts })
    return at < total ? { at, counts } : null
  }

  await inBatches(db, { userId, step }, signal, start, batch)
}
