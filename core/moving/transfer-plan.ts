/** Plans a transfer: the new path of each selected item, or why it stays. */
import { and, eq } from 'drizzle-orm'
import { Failure } from '../../schema/errors.ts'
import { history } from '../../schema/tables/changes.ts'
import type { CollectionRow } from '../collections/collections.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { displayPath } from '../survey/found-unit.ts'
import { rightsCheckFor } from '../work/job-rights.ts'
import type { MoveEntry } from './batch-moves.ts'
import { planMove } from './item-moves.ts'
import { type ItemToMove, itemsToMove } from './moving.sql.ts'
import { newPlace } from './new-place.ts'
import { createSides, sideOf } from './sides.ts'
import { categoryOf } from './sort-plan.ts'

export interface TransferRequest {
  items: readonly number[]
  /** Collections that contained the items at the time of the request; items of other collections are not changed. */
  from: readonly number[]
  userId: number | null
  /** The step of the history; moves that an earlier attempt recorded in it are not repeated. */
  step: string
}

/** Returns a function that plans moves of selected items, exactly as a transfer would do them in order. */
export function createTransferPlanner(db: LibraryDatabase, target: CollectionRow, input: TransferRequest) {
  const to = sideOf(db, target)
  const sides = createSides(db)

  function entryOf(
    itemId: number,
    row: ItemToMove | undefined,
    hasRight: ReturnType<typeof rightsCheckFor>,
  ): MoveEntry {
    const path = row === undefined ? '' : displayPath(row.path, row.name)
    const entry = { itemId, collectionId: row?.collectionId ?? 0, path, reason: '', move: null }
    const skipped = (reason: string): MoveEntry => ({ ...entry, outcome: 'stays', reason })
    if (row === undefined) return skipped('not there any more')
    if (row.collectionId === target.id) {
      const byThisStep = and(eq(history.step, input.step), eq(history.itemId, row.id))
      const movedBefore = db.orm.select().from(history).where(byThisStep).limit(1).get()
      return movedBefore === undefined ? skipped('already there') : { ...entry, outcome: 'done' }
    }
    if (!input.from.includes(row.collectionId)) return skipped('moved elsewhere meanwhile')
    if (row.deleted !== null) return skipped('in the recycle bin')
    if (row.missing !== null) return skipped('with a missing file')
    const source = sides.of(row.collectionId)
    if (source === null || !hasRight(row.collectionId, 'update')) return skipped('not allowed any more')
    if (source.collection.readonly === 1) return skipped('in a read-only collection')
    const item = source.files.of(row.id, row.type)
    if (typeof item === 'string') return { ...entry, outcome: 'fails', reason: item }
    const place = newPlace(to, {
      dir: item.dir,
      raws: item.files.map(({ raw }) => raw),
      taken: row.taken,
      sortsByDate: row.takenSource !== 'file',
      category: categoryOf(db, row.tags),
    })
    const move = planMove(item, { from: source, to, ...place })
    if (typeof move === 'string') return { ...entry, outcome: 'fails', reason: move }
    return { ...entry, outcome: 'moves', move }
  }

  return (ids: readonly number[]): MoveEntry[] => {
    const hasRight = rightsCheckFor(db, input.userId)
    if (!hasRight(target.id, 'create')) throw new Failure('denied', 'Permission Denied')
    const rows = db.all(itemsToMove, JSON.stringify(ids))
    const byId = new Map(rows.map(row => [row.id, row]))
    return ids.map(id => entryOf(id, byId.get(id), hasRight))
  }
}
