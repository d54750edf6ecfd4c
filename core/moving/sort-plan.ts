/** Plans a sort of a managed collection: which items move where. */
import type { CollectionRow } from '../collections/collections.ts'
import { bytesOfText, rawOf } from '../files/names.ts'
import { isPrivateDirectory } from '../files/private-directory.ts'
import { parseTags } from '../items/item-row.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { foldersOf, isNumbered, nameKey, stemOf } from '../survey/folder-format.ts'
import { displayPath } from '../survey/found-unit.ts'
import { stemAndExtension } from '../survey/unit-names.ts'
import type { MoveEntry } from './batch-moves.ts'
import { planMove } from './item-moves.ts'
import { contentOfKeystring, type ItemToMove, itemsInOrder, itemsToMove } from './moving.sql.ts'
import { type Side, sideOf } from './sides.ts'

/** The first of an item's categories, as text. */
export function categoryOf(db: LibraryDatabase, tags: string): string | null {
  const [id] = parseTags(tags).Category?.d ?? []
  return id === undefined ? null : (db.get(contentOfKeystring, id)?.content ?? null)
}

/** The reason that an item without a date of its own stays. */
const undatedReason = 'Only the date of the file is known.'
/** The reason that an item in a private folder stays: sorting would make it accessible to others. */
export const privateReason = 'Its folder is private.'

const itemsAtOnce = 500

/**
 * Plans the moves of a collection directory by directory. Each move reserves its new names and frees its old ones for
 * the entries after it, so that the plan equals the result of a sort. Items at their correct place, and recycled and
 * missing items, are left out. `guess`: the file's own date may be used. Yields null to let other work run.
 */
export function* sortEntries(
  db: LibraryDatabase,
  collection: CollectionRow,
  { guess, side = sideOf(db, collection) }: { guess: boolean; side?: Side },
): Generator<MoveEntry | null, void, undefined> {
  const privateDirectories = new Map<string, boolean>()
  const isPrivate = (dir: Uint8Array) => {
    const found = privateDirectories.get(rawOf(dir)) ?? isPrivateDirectory(collection.path, dir)
    privateDirectories.set(rawOf(dir), found)
    return found
  }
  const order = db.all(itemsInOrder, collection.id).map(({ id }) => id)
  for (let at = 0; at < order.length; at += itemsAtOnce) {
    // Read as late as possible, to see changes since the order was determined.
    const rows = db.all(itemsToMove, JSON.stringify(order.slice(at, at + itemsAtOnce)))
    for (const row of rows) {
      const entry = row.collectionId === collection.id ? entryOf(row) : null
      if (entry !== null) yield entry
    }
    yield null
  }

  function entryOf(row: ItemToMove): MoveEntry | null {
    const entry = { itemId: row.id, collectionId: collection.id, path: displayPath(row.path, row.name) }
    const unmoved = (outcome: 'stays' | 'fails', reason: string): MoveEntry => ({
      ...entry,
      outcome,
      reason,
      move: null,
    })
    const facts = { taken: row.taken, category: categoryOf(db, row.tags) }
    const folders = foldersOf(collection.folder_format, facts)
    const wanted = stemOf(collection.file_format, facts)
    const inFolder = nameKey(row.path) === nameKey(folders.join('/'))
    if (inFolder && isNumbered(stemAndExtension(row.name).stem, wanted)) return null
    if (row.takenSource === 'file' && !guess) return unmoved('stays', undatedReason)
    const item = side.files.of(row.id, row.type)
    if (typeof item === 'string') return unmoved('fails', item)
    const dir = side.views.spelled(folders)
    if (!inFolder && isPrivate(item.dir)) return unmoved('stays', privateReason)
    const stem = side.views.freeStem(dir, rawOf(bytesOfText(wanted)), [])
    const move = planMove(item, { from: side, to: side, dir, stem })
    if (typeof move === 'string') return unmoved('fails', move)
    return { ...entry, outcome: 'moves', reason: '', move }
  }
}
