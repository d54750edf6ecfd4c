/**
 * Updates `hidden_by` of a keystring's items when it starts or stops hiding them. Until that is finished, `visibleItems`
 * also checks the keystrings in `pending_hide`.
 */
import { asc, eq } from 'drizzle-orm'
import { keyOf } from '../../schema/keys.ts'
import { pendingHide } from '../../schema/tables/vocabulary.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { publishCollections } from '../kernel/events.ts'
import type { JobKind } from '../work/job-kind.ts'
import { collectionsUnder, fewItemsOf, sweepJob } from './key-sweep.ts'
import { invalidateItemCounts, recountHiding } from './vocabulary.sql.ts'

/** Called when the rows of all items of a keystring are updated: from now on they alone determine who sees the items. */
function finish(tx: Transaction, key: number): void {
  tx.orm
    .delete(pendingHide)
    .where(eq(pendingHide.keystringId, key >> 2))
    .run()
  // Counts that were cached while the row of `pending_hide` existed are now invalid.
  tx.run(invalidateItemCounts)
  publishCollections(tx, collectionsUnder(tx, key))
}

/**
 * Applies the changed flag of a keystring at once: updates the rows of its items if they are few; else `visibleItems`
 * checks the keystring. Returns whether the rows are left to the job.
 */
export function applyHiding(tx: Transaction, keystring: number): boolean {
  const key = keyOf('keystring', keystring)
  const { changes } = tx.orm.insert(pendingHide).values({ keystringId: keystring }).onConflictDoNothing().run()
  const few = fewItemsOf(tx, key)
  // An existing row belongs to the job, which may be processing it.
  if (changes === 0 || few === null) {
    publishCollections(tx, collectionsUnder(tx, key))
    return true
  }
  for (const id of few) tx.run(recountHiding, id, id)
  finish(tx, key)
  return false
}

export function hideJob({ db }: { db: LibraryDatabase }): JobKind {
  return sweepJob(db, {
    kind: 'hide',
    message: 'Hidden items',
    due({ orm }) {
      const rows = orm.select().from(pendingHide).orderBy(asc(pendingHide.keystringId)).all()
      return rows.map(({ keystringId }) => keyOf('keystring', keystringId))
    },
    item: (tx, id) => tx.run(recountHiding, id, id),
    finish,
  })
}
