/** After a keystring, person or object was renamed: rebuilds the search text of its items, and marks files as due. */
import { asc, eq } from 'drizzle-orm'
import { keyOf } from '../../schema/keys.ts'
import { textDue } from '../../schema/tables/changes.ts'
import { itemToEdit } from '../editing/item-edit.ts'
import { markDue } from '../items/due-items.ts'
import { removeSearchText, writeSearchText } from '../items/item-rows.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { JobKind } from '../work/job-kind.ts'
import type { CountedKind } from './key-counts.ts'
import { fewItemsOf, sweepJob } from './key-sweep.ts'
import { invalidateItemCounts } from './vocabulary.sql.ts'

function rewrite(tx: Transaction, id: number): void {
  const item = itemToEdit(tx, id)
  if (item === null) return
  removeSearchText(tx, id)
  writeSearchText(tx, id, item.row)
  markDue(tx, id)
}

function finish(tx: Transaction, key: number): void {
  tx.orm.delete(textDue).where(eq(textDue.key, key)).run()
}

/** Called in the transaction of a renaming. True if search text is left to the job, and still contains the old word. */
export function nameChanged(tx: Transaction, kind: CountedKind, id: number): boolean {
  const key = keyOf(kind, id)
  const { changes } = tx.orm.insert(textDue).values({ key }).onConflictDoNothing().run()
  const few = fewItemsOf(tx, key)
  // An existing row belongs to the job, which may be processing it.
  if (changes === 0 || few === null) return true
  for (const item of few) rewrite(tx, item)
  finish(tx, key)
  if (few.length > 0) tx.run(invalidateItemCounts)
  return false
}

export function textJob({ db }: { db: LibraryDatabase }): JobKind {
  return sweepJob(db, {
    kind: 'text',
    message: 'Search text',
    due({ orm }) {
      const rows = orm.select().from(textDue).orderBy(asc(textDue.key)).all()
      return rows.map(({ key }) => key)
    },
    item: rewrite,
    batch: tx => tx.run(invalidateItemCounts),
    finish,
  })
}
