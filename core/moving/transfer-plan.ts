/** What a transfer makes of each selected item: moved to which place, skipped or failed, and why. */
import { Failure } from '../../schema/errors.ts'
import type { CollectionRow } from '../collections/collections.ts'
import { displayName, displayRaw } from '../files/names.ts'
import { createItemFiles, type FilesOfItems } from '../items/item-files.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { displayPath } from '../survey/found-unit.ts'
import { rightsOfUser } from '../work/job-rights.ts'
import { type ItemMove, type MoveSide, plannedMove } from './item-moves.ts'
import { newPlace } from './new-place.ts'
import { categoryOf, sideOf } from './sort-plan.ts'

export interface TransferWish {
  items: readonly number[]
  /** Collections that they lay in when somebody asked; no other one's items are touched. */
  from: readonly number[]
  userId: number | null
  /** The history's step: what an attempt before this one has done is not done again. */
  step: string
}

interface SelectedRow {
  id: number
  type: 'image' | 'video'
  name: string
  path: string
  collection_id: number
  deleted: number | null
  missing: number | null
  taken: number
  taken_source: string
  tags: string
}

/** What is to become of one selected item. */
export type Fate =
  | { is: 'skipped'; row: SelectedRow | null; reason: string }
  | { is: 'moved'; row: SelectedRow; move: ItemMove }
  | { is: 'failed'; row: SelectedRow; reason: string }
  /** By an attempt before this one. */
  | { is: 'done' }

/** Names that an item takes count as taken for those after it, so that the plan is what a transfer would do. */
export function planTransfer(db: LibraryDatabase, target: CollectionRow, input: TransferWish) {
  const to = sideOf(db, target)
  const sources = new Map<number, { side: MoveSide; files: FilesOfItems }>()

  function sourceOf(id: number): { side: MoveSide; files: FilesOfItems } | null {
    const known = sources.get(id)
    if (known !== undefined) return known
    const collection = db.get<CollectionRow>('SELECT * FROM collections WHERE id = ?', id)
    if (collection === null) return null
    const side = sideOf(db, collection)
    const source = { side, files: createItemFiles(db, side.views, side.variants) }
    sources.set(id, source)
    return source
  }

  function fateOf(row: SelectedRow | undefined, may: ReturnType<typeof rightsOfUser>): Fate {
    if (row === undefined) return { is: 'skipped', row: null, reason: 'not there any more' }
    const skipped = (reason: string): Fate => ({ is: 'skipped', row, reason })
    if (row.collection_id === target.id) {
      const mine = db.get('SELECT 1 FROM history WHERE step = ? AND item_id = ?', input.step, row.id)
      return mine === null ? skipped('already there') : { is: 'done' }
    }
    if (!input.from.includes(row.collection_id)) return skipped('moved elsewhere meanwhile')
    if (row.deleted !== null) return skipped('in the recycle bin')
    if (row.missing !== null) return skipped('with a missing file')
    const source = sourceOf(row.collection_id)
    if (source === null || !may(row.collection_id, 'update')) return skipped('not allowed any more')
    if (source.side.collection.readonly === 1) return skipped('in a read-only collection')
    const item = source.files.of(row.id, row.type)
    if (typeof item === 'string') return { is: 'failed', row, reason: item }
    const place = newPlace(to, {
      dir: item.dir,
      raws: item.files.map(({ raw }) => raw),
      taken: row.taken,
      dated: row.taken_source !== 'file',
      category: categoryOf(db, row.tags),
    })
    const move = plannedMove(item, { from: source.side, to, ...place })
    return typeof move === 'string' ? { is: 'failed', row, reason: move } : { is: 'moved', row, move }
  }

  function fatesOf(ids: readonly number[]): Fate[] {
    const may = rightsOfUser(db, input.userId)
    if (!may(target.id, 'create')) throw new Failure('denied', 'Permission Denied')
    const rows = db.all<SelectedRow>(
      `SELECT i.id, i.type, i.name, d.path, i.collection_id, i.deleted, i.missing, i.taken, i.taken_source, i.tags
       FROM json_each(?) AS j JOIN items AS i ON i.id = j.value JOIN dirs AS d ON d.id = i.dir_id`,
      JSON.stringify(ids),
    )
    const byId = new Map(rows.map(row => [row.id, row]))
    return ids.map(id => fateOf(byId.get(id), may))
  }

  return { to, fatesOf }
}

/** Where the files of an item that moves come to lie, for people. */
export function newPath({ dir, names, item }: ItemMove): string {
  return displayPath(displayName(dir), displayRaw(names.get(item.files[0]?.raw ?? '') ?? ''))
}
