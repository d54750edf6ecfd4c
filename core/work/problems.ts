/** Files that are not as they should be: listed for administrators, gone when the file is well again. */
import type { Problem } from '../../schema/api/jobs.ts'
import { channels } from '../../schema/realtime.ts'
import { collectionsWith, demandGlobalAdmin, demandSignedIn, type Viewer } from '../accounts/access.ts'
import { hiddenFrom } from '../filter/hidden-items.ts'
import type { LibraryDatabase, Transaction } from '../kernel/database/database.ts'

interface ProblemRow {
  id: number
  job_id: number | null
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

function shown({ id, job_id, collection_id, item_id, path, code, reason, at }: ProblemRow): Problem {
  return { id, job_id, collection_id, item_id, path, code, reason, at }
}

export function createProblems({ db }: { db: LibraryDatabase }) {
  return {
    /** How many there are in each collection of a viewer who may see them all. */
    counts(viewer: Viewer): Map<number, number> {
      demandGlobalAdmin(viewer)
      const rows = db.all<{ collection_id: number; n: number }>(
        'SELECT collection_id, count(*) AS n FROM problems GROUP BY collection_id',
      )
      return new Map(rows.map(row => [row.collection_id, row.n]))
    },

    /** The newest, of all collections. */
    newest(viewer: Viewer, most: number): Problem[] {
      demandGlobalAdmin(viewer)
      return db.all<ProblemRow>('SELECT * FROM problems ORDER BY at DESC, id DESC LIMIT ?', most).map(shown)
    },

    /** What is wrong with a file is known, and not to be told any more; the next look at the file tells it again. */
    async dismiss(viewer: Viewer, ids: readonly number[]): Promise<number> {
      demandGlobalAdmin(viewer)
      const chosen = JSON.stringify(ids)
      return db.transact(viewer, tx => {
        const collections = tx.all<{ id: number }>(
          'SELECT DISTINCT collection_id AS id FROM problems WHERE id IN (SELECT value FROM json_each(?))',
          chosen,
        )
        for (const { id } of collections) tx.event(channels.collection(id), { action: 'update', collection: { id } })
        return tx.run('DELETE FROM problems WHERE id IN (SELECT value FROM json_each(?))', chosen).changes
      })
    },

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
      return rows.filter(row => row.item_id === null || !hidden.has(row.item_id)).map(shown)
    },

    count: (): number => db.get<{ n: number }>('SELECT count(*) AS n FROM problems')?.n ?? 0,
  }
}

export type Problems = ReturnType<typeof createProblems>
