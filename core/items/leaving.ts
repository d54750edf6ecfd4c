/** Items whose files leave the library's directories: found by where they lie, and marked missing. */
import { channels } from '../../schema/realtime.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'

/** Items a transaction marks at most, and how long others get in between (milliseconds). */
const batch = 200
const pauseMs = 5

export interface DirRow {
  id: number
  path_bytes: Uint8Array
}

/** Id of the row of a directory of a collection; null where the library does not know it. */
export function directoryIdOf(db: Pick<Transaction, 'get'>, collectionId: number, dir: Buffer): number | null {
  const row = db.get<{ id: number }>(
    'SELECT id FROM dirs WHERE collection_id = ? AND path_bytes = ?',
    collectionId,
    dir,
  )
  return row?.id ?? null
}

/** A directory of a collection and those below it, the deepest first. */
export function rowsBelow(db: Pick<Transaction, 'all'>, collectionId: number, dir: Buffer): DirRow[] {
  // The collection's own directory: nothing stands before its names.
  const rows =
    dir.length === 0
      ? db.all<DirRow>('SELECT id, path_bytes FROM dirs WHERE collection_id = ?', collectionId)
      : db.all<DirRow>(
          `SELECT id, path_bytes FROM dirs WHERE collection_id = ?1
             AND (path_bytes = ?2 OR substr(path_bytes, 1, ?3) = ?4)`,
          collectionId,
          dir,
          dir.length + 1,
          Buffer.concat([dir, Buffer.from('/')]),
        )
  return rows.sort((a, b) => b.path_bytes.length - a.path_bytes.length)
}

/** Paths of a directory of a collection that the library knows, and of those below it, the deepest first. */
export function directoriesBelow(db: Pick<Transaction, 'all'>, collectionId: number, dir: Buffer): Uint8Array[] {
  return rowsBelow(db, collectionId, dir).map(row => row.path_bytes)
}

/** Items with their main file in a directory or below it that are not missing. */
export function itemsBelow(db: LibraryDatabase, collectionId: number, dir: Buffer): number[] {
  return rowsBelow(db, collectionId, dir).flatMap(({ id }) =>
    db
      .all<{ id: number }>(
        `SELECT i.id FROM files AS f JOIN items AS i ON i.id = f.item_id
         WHERE f.dir_id = ? AND f.role = 'main' AND i.missing IS NULL`,
        id,
      )
      .map(row => row.id),
  )
}

/** The item that has this as its main file, and how many other pictures or films it has; none for any other file. */
export function itemsOfFile(
  db: Pick<Transaction, 'all'>,
  collectionId: number,
  path: Buffer,
): { id: number; type: 'image' | 'video'; others: number }[] {
  const slash = path.lastIndexOf(0x2f)
  return db.all<{ id: number; type: 'image' | 'video'; others: number }>(
    `SELECT i.id, i.type, (SELECT count(*) FROM files WHERE item_id = i.id AND role IN ('companion', 'motion')) AS others
     FROM files AS f JOIN dirs AS d ON d.id = f.dir_id JOIN items AS i ON i.id = f.item_id
     WHERE d.collection_id = ? AND d.path_bytes = ? AND f.name_bytes = ? AND f.role = 'main' AND i.missing IS NULL`,
    collectionId,
    path.subarray(0, Math.max(0, slash)),
    path.subarray(slash + 1),
  )
}

/** An item's file is gone: what people wrote on it stays, until the file comes back or the item is forgotten. */
export function markItemMissing(tx: Transaction, clock: Clock, id: number): void {
  tx.run('UPDATE items SET missing = ?, version = version + 1 WHERE id = ? AND missing IS NULL', seconds(clock), id)
  tx.run('DELETE FROM problems WHERE item_id = ?', id)
  tx.run('UPDATE dirs SET fingerprint = NULL WHERE id IN (SELECT dir_id FROM files WHERE item_id = ?)', id)
  tx.run('DELETE FROM files WHERE item_id = ?', id)
}

/**
 * Frees a name of a directory for a file that has just been put there. A row that still has this name is of a file that
 * has vanished from the disk: the row goes, and the item that it was the main file of becomes missing.
 */
export function freeName(tx: Transaction, clock: Clock, dirId: number, name: Buffer): void {
  const stale = tx.get<{ id: number; item_id: number | null; role: string; collection_id: number }>(
    `SELECT f.id, f.item_id, f.role, d.collection_id FROM files AS f JOIN dirs AS d ON d.id = f.dir_id
     WHERE f.dir_id = ? AND f.name_bytes = ?`,
    dirId,
    name,
  )
  if (stale === null) return
  tx.run('DELETE FROM files WHERE id = ?', stale.id)
  if (stale.item_id === null || stale.role !== 'main') return
  markItemMissing(tx, clock, stale.item_id)
  const { collection_id: id } = stale
  tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
}

/** Marks many, in short transactions; each collection is told once a batch. */
export async function markMissing(
  db: LibraryDatabase,
  clock: Clock,
  actor: Actor,
  ids: readonly number[],
): Promise<void> {
  for (let from = 0; from < ids.length; from += batch) {
    const some = ids.slice(from, from + batch)
    await db.transact(actor, tx => {
      const touched = new Set<number>()
      for (const id of some) {
        const row = tx.get<{ collection_id: number }>('SELECT collection_id FROM items WHERE id = ?', id)
        if (row !== null) touched.add(row.collection_id)
        markItemMissing(tx, clock, id)
      }
      for (const id of touched)
        tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
    })
    if (from + batch < ids.length) await Bun.sleep(pauseMs)
  }
}

/** The item that a file belongs to as the library knows it, as its main file or any other; null: none. */
export function itemWithFile(db: Pick<Transaction, 'get'>, collectionId: number, path: Buffer): number | null {
  const slash = path.lastIndexOf(0x2f)
  const row = db.get<{ id: number }>(
    `SELECT i.id FROM files AS f JOIN dirs AS d ON d.id = f.dir_id JOIN items AS i ON i.id = f.item_id
     WHERE d.collection_id = ? AND d.path_bytes = ? AND f.name_bytes = ? AND i.missing IS NULL`,
    collectionId,
    path.subarray(0, Math.max(0, slash)),
    path.subarray(slash + 1),
  )
  return row?.id ?? null
}
