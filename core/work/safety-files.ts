/** What a scan that stopped for safety did not find: the files, for whoever must say whether they are gone. */
import type { z } from 'zod'
import type { collectionCalls } from '../../schema/api/collections.ts'
import { limits } from '../../schema/limits.ts'
import { demandOnCollection, notFound, showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { hiddenFrom, hidesAnything } from '../filter/hidden-items.ts'
import { localTime } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'

type SafetyFilePage = z.output<(typeof collectionCalls)['safetyFiles']['output']>

export function createSafetyFiles({ db }: { db: LibraryDatabase }) {
  /** What keystrings hide of them from the viewer; nothing is looked at where nothing is hidden. */
  function hiddenAmong(viewer: Viewer, which: string, id: number): number[] {
    if (showsHiddenTo(viewer) || !hidesAnything(db)) return []
    const ids = db.all<{ id: number }>(`SELECT i.id ${which}`, id).map(row => row.id)
    return [...hiddenFrom(db, viewer, ids)]
  }

  return {
    /** How many of those that a stop counted the viewer may know of. */
    countFor(viewer: Viewer, id: number, counted: number): number {
      const which = 'FROM safety_stop_items AS s JOIN items AS i ON i.id = s.item_id WHERE s.collection_id = ?1'
      return Math.max(0, counted - hiddenAmong(viewer, which, id).length)
    },

    /**
     * A page of them, by path. Where the whole directory was gone the scan looked at nothing: then these are all of the
     * collection's. `notFound` when the last scan did not stop.
     */
    list(
      viewer: Viewer,
      id: number,
      { page = 1, limit = limits.pageSize }: { page?: number | undefined; limit?: number | undefined },
    ): SafetyFilePage {
      demandOnCollection(viewer, id, 'admin')
      const stopped = db.get<{ known: number }>(
        `SELECT EXISTS (SELECT 1 FROM safety_stop_items WHERE collection_id = c.id) AS known
         FROM collections AS c WHERE c.id = ? AND c.safety_stop IS NOT NULL`,
        id,
      )
      if (stopped === null) throw notFound()
      const which = `FROM items AS i JOIN dirs AS d ON d.id = i.dir_id
        WHERE i.collection_id = ?1 AND i.missing IS NULL
          ${stopped.known === 1 ? 'AND i.id IN (SELECT item_id FROM safety_stop_items WHERE collection_id = ?1)' : ''}`
      const hidden = JSON.stringify(hiddenAmong(viewer, which, id))
      const shown = `${which} AND i.id NOT IN (SELECT value FROM json_each(?2))`
      const total = db.get<{ n: number }>(`SELECT count(*) AS n ${shown}`, id, hidden)?.n ?? 0
      const rows = db.all<{ id: number; dir: string; name: string; taken: number; size: number }>(
        `SELECT i.id, d.path AS dir, i.name, i.taken, i.size ${shown} ORDER BY d.path, i.name, i.id LIMIT ?3 OFFSET ?4`,
        id,
        hidden,
        limit,
        (page - 1) * limit,
      )
      return {
        _meta: { total_records: total, limit, page, count: rows.length },
        files: rows.map(row => ({
          item: row.id,
          path: row.dir === '' ? row.name : `${row.dir}/${row.name}`,
          taken_at: localTime(row.taken),
          size: row.size,
        })),
      }
    },
  }
}

export type SafetyFiles = ReturnType<typeof createSafetyFiles>
