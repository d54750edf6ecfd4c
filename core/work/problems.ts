/** Problems with files: listed for administrators, and removed when a check finds the file in order. */
import { count, desc } from 'drizzle-orm'
import type { Problem } from '../../schema/api/jobs.ts'
import { channels } from '../../schema/realtime.ts'
import { problems } from '../../schema/tables/jobs.ts'
import { collectionsWith, requireGlobalAdmin, requireSignedIn, type Viewer } from '../accounts/access.ts'
import { hiddenFrom } from '../filter/hidden-items.ts'
import { isAmong } from '../kernel/database/columns.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { addProblem, forgetProblems, problemColumns, problemsOf } from './work.sql.ts'

/** A problem that a check found with a file. */
export interface FoundProblem {
  code: string
  reason: string
}

/** Replaces the problems of a file by the current ones, possibly none. */
export function setProblems(
  tx: Transaction,
  file: { collectionId: number; path: string; itemId: number | null; jobId: number | null; at: number },
  found: readonly FoundProblem[],
): void {
  tx.run(forgetProblems, file.collectionId, file.path)
  for (const { code, reason } of found) {
    const { jobId, collectionId, itemId, path, at } = file
    tx.run(addProblem, jobId, collectionId, itemId, path, code, reason.slice(0, 1000), at)
  }
}

export function createProblems({ db }: { db: LibraryDatabase }) {
  return {
    /** Number of problems by collection id, for global admins. */
    counts(viewer: Viewer): Map<number, number> {
      requireGlobalAdmin(viewer)
      const of = problems.collectionId
      const counted = db.orm.select({ of, n: count() }).from(problems).groupBy(of).all()
      return new Map(counted.map(row => [row.of, row.n]))
    },

    newest(viewer: Viewer, limit: number): Problem[] {
      requireGlobalAdmin(viewer)
      return db.orm
        .select(problemColumns)
        .from(problems)
        .orderBy(desc(problems.at), desc(problems.id))
        .limit(limit)
        .all()
    },

    /** Removes problems; returns how many there were. The next check of a file records a problem that persists. */
    async dismiss(viewer: Viewer, ids: readonly number[]): Promise<number> {
      requireGlobalAdmin(viewer)
      return db.transact(viewer, tx => {
        const gone = tx.orm
          .delete(problems)
          .where(isAmong(problems.id, ids))
          .returning({ id: problems.collectionId })
          .all()
        for (const id of new Set(gone.map(row => row.id)))
          tx.event(channels.collection(id), { action: 'update', collection: { id } })
        return gone.length
      })
    },

    /** Problems of a collection (0: all) that the viewer administers, by path; without those of hidden items. */
    list(viewer: Viewer, collectionId: number): Problem[] {
      requireSignedIn(viewer)
      const mine = collectionsWith(viewer, 'admin')
      const rows = db
        .all(problemsOf, collectionId, collectionId)
        .filter(row => mine === 'all' || mine.includes(row.collection_id))
      const items = rows.flatMap(row => row.item_id ?? [])
      const hidden = hiddenFrom(db, viewer, items)
      return rows.filter(row => row.item_id === null || !hidden.has(row.item_id))
    },

    count: (): number => db.orm.select({ n: count() }).from(problems).get()?.n ?? 0,
  }
}

export type Problems = ReturnType<typeof createProblems>
