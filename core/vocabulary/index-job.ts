/** Indexes all items of an older library again, with folded texts; meanwhile, searches look for both forms. */
import { z } from 'zod'
import { searchTextDue } from '../../schema/tables/changes.ts'
import { itemToEdit } from '../editing/item-edit.ts'
import { replaceFormerText } from '../items/item-rows.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { type JobContext, type JobEnd, type JobKind, jobKind } from '../work/job-kind.ts'
import { indexedItems, indexedItemsUpTo, invalidateItemCounts, nextIndexedItems } from './vocabulary.sql.ts'

async function run(db: LibraryDatabase, { progress, signal }: JobContext<unknown>): Promise<JobEnd> {
  const due = db.orm.select().from(searchTextDue).get()
  if (due === undefined) return { state: 'done', message: '' }
  const done = db.get(indexedItemsUpTo, due.taken, due.itemId)?.n ?? 0
  progress({ done, total: db.get(indexedItems)?.n ?? 0, message: 'Items indexed' })
  // By date, like the rows of the index: it is written much faster in the order of its rows.
  await inBatches(db, { userId: null }, signal, { ...due, done }, (tx, state, isOver) => {
    const rows = tx.all(nextIndexedItems, state.taken, state.itemId, batchItems)
    if (rows.length === 0) {
      tx.orm.delete(searchTextDue).run()
      // Not after each batch: until now, cached totals only lacked items that nobody found by this spelling before.
      tx.run(invalidateItemCounts)
      return null
    }
    let { taken, itemId, done } = state
    for (const row of rows) {
      const item = itemToEdit(tx, row.itemId)
      if (item !== null) replaceFormerText(tx, row.itemId, item.row)
      taken = row.taken
      itemId = row.itemId
      done++
      if (isOver()) break
    }
    tx.orm.update(searchTextDue).set({ taken, itemId }).run()
    progress({ done })
    return { taken, itemId, done }
  })
  return { state: 'done', message: '' }
}

export const indexJob = ({ db }: { db: LibraryDatabase }): JobKind =>
  jobKind({ kind: 'index', input: z.object({}), lane: () => 'index', run: context => run(db, context) })
