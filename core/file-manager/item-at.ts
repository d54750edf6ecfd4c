/** Finds the item of a file on the disk. */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { splitPath } from '../moving/paths.ts'
import { fileOfItem } from './file-manager.sql.ts'
import type { FilePlace } from './places.ts'

/** The item of the file at a place, and the file's role; null for a file that the library does not contain. */
export function itemAt(
  db: LibraryDatabase,
  { collection, inCollection }: Pick<FilePlace, 'collection' | 'inCollection'>,
): { itemId: number; role: string } | null {
  if (collection === null || inCollection === null) return null
  const { dir, name } = splitPath(inCollection)
  const row = db.get(fileOfItem, collection.id, dir, name)
  return row?.itemId == null ? null : { itemId: row.itemId, role: row.role }
}

/** The item whose picture or video is the file at a place. */
export function mainItemAt(db: LibraryDatabase, place: Pick<FilePlace, 'collection' | 'inCollection'>): number | null {
  const known = itemAt(db, place)
  return known?.role === 'main' ? known.itemId : null
}
