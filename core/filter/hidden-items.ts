/** Which items a keystring hides from somebody, whatever else has become of them: problems, safety stops, jobs ask here. */
import { keyKinds } from '../../schema/keys.ts'
import { showsHiddenTo, terminalViewer, unlockFirst, type Viewer } from '../accounts/access.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { idsIn, sql } from '../kernel/database/sql-fragment.ts'
import { createSeenItems } from './seen-items.ts'

/**
 * Does any keystring hide items, or has one only just ceased to? What is told of files in passing then says no names to
 * locked sessions.
 */
export function hidesAnything(db: LibraryDatabase): boolean {
  return (
    db.get(
      'SELECT 1 FROM keystrings WHERE is_associated_items_hidden = 1 UNION ALL SELECT 1 FROM pending_hide LIMIT 1',
    ) !== null
  )
}

/** SQL on `items AS i`: a keystring hides it, whatever else has become of it; also while the job `hide` is still at work. */
export const isHiddenItem = `(i.hidden_by > 0 OR EXISTS (SELECT 1 FROM pending_hide AS p JOIN keyed AS k
  ON k.key = p.keystring_id * 4 + ${keyKinds.keystring} AND k.taken = i.taken AND k.item_id = i.id))`

/** Throws 409 where the collection has items that are hidden from the viewer; `field` is what the error names. */
export function demandNothingHidden(db: LibraryDatabase, viewer: Viewer, collectionId: number, field: string): void {
  if (showsHiddenTo(viewer)) return
  const hidden = db.get(`SELECT 1 FROM items AS i WHERE i.collection_id = ? AND ${isHiddenItem} LIMIT 1`, collectionId)
  if (hidden !== null) throw unlockFirst(field)
}

/** Those of the items that are hidden from the viewer. */
export function hiddenFrom(db: LibraryDatabase, viewer: Viewer, ids: readonly number[]): ReadonlySet<number> {
  return showsHiddenTo(viewer) ? new Set() : hiddenAmong(db, ids)
}

/** Those of the items that are hidden from everybody who has not unlocked them. */
export function hiddenAmong(db: LibraryDatabase, ids: readonly number[]): ReadonlySet<number> {
  if (ids.length === 0 || !hidesAnything(db)) return new Set()
  const hidden = new Set(ids)
  const { isSeen } = createSeenItems({ db })
  for (const which of ['live', 'deleted', 'missing'] as const) {
    const { text, values } = sql`SELECT i.id FROM items AS i WHERE i.id IN ${idsIn([...hidden])}
      AND ${isSeen(terminalViewer, which, false)}`
    for (const { id } of db.all<{ id: number }>(text, ...values)) hidden.delete(id)
  }
  // Of one that is gone nobody can say it any more.
  const there = new Set(
    db
      .all<{ id: number }>(
        'SELECT id FROM items WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify([...hidden]),
      )
      .map(({ id }) => id),
  )
  return new Set([...hidden].filter(id => there.has(id)))
}
