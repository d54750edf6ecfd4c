/** Files that a scan with a safety stop did not find, for the user who must decide whether they are gone. */
import type { z } from 'zod'
import type { collectionCalls } from '../../schema/api/collections.ts'
import { limits } from '../../schema/limits.ts'
import { notFound, requireOnCollection, showsHiddenTo, type Viewer } from '../accounts/access.ts'
import { hiddenFrom, hidesAnything } from '../filter/hidden-items.ts'
import { formatLocalTime } from '../kernel/clock.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { presentCount, presentFiles, presentIds, stopOf, stoppedItems } from './work.sql.ts'

type SafetyFilePage = z.output<(typeof collectionCalls)['safetyFiles']['output']>

export function createSafetyFiles({ db }: { db: LibraryDatabase }) {
  /** Ids of those items that keystrings hide from the viewer. Reads nothing while no keystring hides anything. */
  function hiddenAmong(viewer: Viewer, idsOf: () => { id: number }[]): number[] {
    if (showsHiddenTo(viewer) || !hidesAnything(db)) return []
    const ids = idsOf().map(row => row.id)
    return [...hiddenFrom(db, viewer, ids)]
  }

  return {
    /** How many items of a safety stop the viewer may see. `counted`: the number of all its items. */
    countFor: (viewer: Viewer, id: number, counted: number): number =>
      Math.max(0, counted - hiddenAmong(viewer, () => db.all(stoppedItems, id)).length),

    /** A page of these files, by path: all of the collection if its directory was gone. `notFound` without a stop. */
    list(
      viewer: Viewer,
      id: number,
      { page = 1, limit = limits.pageSize }: { page?: number | undefined; limit?: number | undefined },
    ): SafetyFilePage {
      requireOnCollection(viewer, id, 'admin')
      const stop = db.get(stopOf, id)
      if (stop === null) throw notFound()
      const onlyStopped = stop.isKnown === 1
      const hidden = JSON.stringify(hiddenAmong(viewer, () => db.all(presentIds(onlyStopped), id, '[]')))
      const total = db.get(presentCount(onlyStopped), id, hidden)?.n ?? 0
      const rows = db.all(presentFiles(onlyStopped), id, hidden, limit, (page - 1) * limit)
      return {
        _meta: { total_records: total, limit, page, count: rows.length },
        files: rows.map(({ item, dir, name, taken, size }) => ({
          item,
          path: dir === '' ? name : `${dir}/${name}`,
          taken_at: formatLocalTime(taken),
          size,
        })),
      }
    },
  }
}

export type SafetyFiles = ReturnType<typeof createSafetyFiles>
