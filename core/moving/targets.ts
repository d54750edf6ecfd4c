/** Checks the collections from which and into which files are moved. */
import { Failure, sentence } from '../../schema/errors.ts'
import { notFound } from '../accounts/access.ts'
import { type CollectionRow, collectionById } from '../collections/collections.sql.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'

/** `gone`: the error to throw if the collection does not exist. */
export function requireCollection(db: LibraryDatabase, id: number, gone: Failure = notFound()): CollectionRow {
  const row = db.get(collectionById, id)
  if (row === null) throw gone
  return row
}

export function requireWritableCollection({ name, readonly }: CollectionRow): void {
  if (readonly === 1) throw new Failure('denied', sentence`'${name}' is read-only.`)
}

export function requireTarget(db: LibraryDatabase, id: number, gone?: Failure): CollectionRow {
  const row = requireCollection(db, id, gone)
  requireWritableCollection(row)
  return row
}

/** The error of a job whose collection was removed after the request. */
export const collectionGone = () => new Failure('notFound', 'The collection no longer exists.')
