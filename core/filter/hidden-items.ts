/** Which items are hidden by keystrings, whatever their other state. */
import { showsHiddenTo, unlockFirst, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { raw } from '../kernel/database/sql-fragment.ts'
import { allOf } from './bound.ts'
import { anItemOfCollection, anythingHides, hiddenItemCondition, itemsAmong } from './seen-items.sql.ts'

/** Whether a keystring hides items, or a job has yet to show or hide them. If so, locked sessions get no file names. */
export function hidesAnything(db: LibraryDatabase): boolean {
  return db.get(anythingHides) !== null
}

/** Throws 409 when the collection has items that are hidden from the viewer; the error names `field`. */
export function requireNothingHidden(db: LibraryDatabase, viewer: Viewer, collectionId: number, field: string): void {
  if (showsHiddenTo(viewer)) return
  if (db.get(anItemOfCollection(hiddenItemCondition), collectionId) !== null) throw unlockFirst(field)
}

/** Returns the given items that are hidden from the viewer. */
export function hiddenFrom(db: LibraryDatabase, viewer: Viewer, ids: readonly number[]): ReadonlySet<number> {
  return showsHiddenTo(viewer) ? new Set() : hiddenAmong(db, ids)
}

/** Returns the given items that are hidden from everybody who has not unlocked them. */
export function hiddenAmong(db: LibraryDatabase, ids: readonly number[]): ReadonlySet<number> {
  if (ids.length === 0 || !hidesAnything(db)) return new Set()
  return new Set(allOf(db, itemsAmong(ids, raw(hiddenItemCondition))).map(({ id }) => id))
}
