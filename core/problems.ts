/** Files that are not as they should be: listed for administrators, gone when the file is well again. */
import type { Problem } from '../schema/api/jobs.ts'
import { collectionsWith, demandSignedIn, type Viewer } from './access.ts'
import type { LibraryDatabase, Transaction } from './database.ts'
import { hiddenFrom } from './hidden-items.ts'

interface ProblemRow {
  id: number
  collection_id: number
  item_id: number | null
  path: string
  code: string
  reason: string
  at: number
}

/** What is wrong with a file: `path` relative to its collection. */
export interface FoundProblem {
  code: string
  reason: string
}

/** Replaces what was known to be wrong with a file by what is wrong now; nothing is. */
export function setProblems(
  tx: Transaction,
  file: { collectionId: number; path: string; itemId: number | null; jobId: number | null; at: number },
  found: readonly FoundProblem[],
): void {
  tx.run('DELETE FROM problems WHERE collection_id = ? AND path = ?', file.collectionId, file.path)
  for (const { code, reason } of found) {
    tx.run(
      `INSERT INTO problems (job_id, collection_id, item_id, path, code, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (collection_id, path, code) DO UPDATE SET reason = reason || ' ' || excluded.reason`,
      file.jobId,
      file.collectionId,
      file.itemId,
      file.path,
      code,
      reason.slice(0, 1000),
      file.at,
    )
  }
}

export function createProblems({ db }: { db: LibraryDatabase }) {
  return {
    /** Problems of a collection (0: of all) that the viewer administers, by collection and path; of hidden items none. */
    list(viewer: Viewer, collectionId: number): Problem[] {
      demandSignedIn(viewer)
      const mine = collectionsWith(viewer, 'admin')
      const rows = db
        .all<ProblemRow>(
          'SELECT * FROM problems WHERE collection_id = ? OR ? = 0 ORDER BY collection_id, path, code',
          collectionId,
          collectionId,
        )
        .filter(row => mine === 'all' || mine.includes(row.collection_id))
      const hidden = hiddenFrom(
        db,
        viewer,
        rows.flatMap(row => row.item_id ?? []),
      )
      return rows
        .filter(row => row.item_id === null || !hidden.has(row.item_id))
        .map(row => ({
          id: row.id,
          collection_id: row.collection_id,
          item_id: row.item_id,
          path: row.path,
          code: row.code,
          reason: row.reason,
          at: row.at,
        }))
    },

    count: (): number => db.get<{ n: number }>('SELECT count(*) AS n FROM problems')?.n ?? 0,
  }
}

export type Problems = ReturnType<typeof createProblems>
