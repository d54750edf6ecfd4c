/** Names positions after the nearest city. Such a name is marked as automatic, and never replaces a user's. */
import { count, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { placeDue } from '../../schema/tables/changes.ts'
import { itemToEdit } from '../editing/item-edit.ts'
import { writeFoundPlace } from '../items/item-rows.ts'
import { batchItems, inBatches } from '../kernel/database/batches.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { prepared } from '../kernel/database/orm.ts'
import { publishCollections } from '../kernel/events.ts'
import { type JobContext, type JobEnd, jobKind } from '../work/job-kind.ts'
import type { Places } from './places.ts'

interface PlacesParts {
  db: LibraryDatabase
  places: Pick<Places, 'namer'>
}

const input = z.object({})

export function countPlacesDue(db: LibraryDatabase): number {
  return db.orm.select({ n: count() }).from(placeDue).get()?.n ?? 0
}

const removeDue = prepared(orm =>
  orm
    .delete(placeDue)
    .where(eq(placeDue.itemId, sql.placeholder('id')))
    .prepare(),
)

async function run({ db, places }: PlacesParts, context: JobContext<unknown>): Promise<JobEnd> {
  context.progress({ done: 0, total: countPlacesDue(db), message: 'Place names' })
  const nameOf = await places.namer()
  await inBatches<number>(db, { userId: null }, context.signal, 0, (tx, done, isOver) => {
    const due = tx.orm.select().from(placeDue).orderBy(placeDue.itemId).limit(batchItems).all()
    const collections = new Set<number>()
    let inspected = 0
    for (const { itemId: id } of due) {
      if (isOver()) break
      inspected++
      removeDue(tx).run({ id })
      const item = itemToEdit(tx, id)
      const place = item?.stored.Locations?.d
      // The item was deleted since, lost its position, or has a name that the library did not look up.
      if (item === null || place === undefined || (place.placeName !== '' && place.auto !== 1)) continue
      if (place.latitude === null || place.longitude === null) continue
      const name = nameOf(place.latitude, place.longitude)
      writeFoundPlace(tx, id, item.row, name)
      if (name !== '') collections.add(item.collectionId)
    }
    publishCollections(tx, collections)
    context.progress({ done: done + inspected })
    return due.length === 0 ? null : done + inspected
  })
  return { state: 'done', message: '' }
}

export const placesJob = (parts: PlacesParts) =>
  jobKind({ kind: 'places', input, lane: () => 'places', run: context => run(parts, context) })
