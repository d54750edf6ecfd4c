/** Marks the items of a keystring that starts or stops hiding. Meanwhile `visibleItems` checks keystrings too. */
import { asc, eq } from 'drizzle-orm'
import { keyOf } from '../../schema/keys.ts'
import { pendingHide } from '../../schema/tables/vocabulary.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { publishCollections } from '../kernel/events.ts'
import type { JobKind } from '../work/job-kind.ts'
import { collectionsUnder, fewItemsOf, sweepJob } from './key-sweep.ts'
import { countItemsAnew, recountHiding } from './vocabulary.sql.ts'

/** Called when all items of a keystring are marked: from now on their rows alone determine who sees them. */
function finish(tx: Transaction, key: number): void {
  tx.orm
    .delete(pendingHide)
    .where(eq(pendingHide.keystringId, key >> 2))
    .run()
  // Cached counts are wrong once this row is deleted, because the items stay hidden by their rows.
  tx.run(countItemsAnew)
  publishCollections(tx, collectionsUnder(tx, key))
}

/** Makes a keystring hide its items at once, or stop hiding them. True if marking is left to the job. */
export function hidingChanged(tx: Transaction, keystring: number): boolean {
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
