/** Items whose files leave the library's directories: finds them by path, and marks them missing. */
import { type Clock, seconds } from '../kernel/clock.ts'
import { batchItems } from '../kernel/database/batches.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { publishCollections } from '../kernel/events.ts'
import { directoriesOf, directoryAt } from '../survey/survey.sql.ts'
import * as statements from './item-files.sql.ts'

/** Pause for other writers between two transactions, in milliseconds. */
const pauseMs = 5

/** Id of the row of a directory of a collection; null when the library does not know it. */
export function directoryIdOf(db: Pick<Transaction, 'get'>, collectionId: number, dir: Buffer): number | null {
  return db.get(directoryAt, collectionId, dir)?.id ?? null
}

/** Rows of a known directory of a collection and of the directories below it, deepest first. */
export function rowsBelow(
  db: Pick<Transaction, 'all'>,
  collectionId: number,
  dir: Buffer,
): RowOfQuery<typeof directoriesOf>[] {
  const within = Buffer.concat([dir, Buffer.from('/')])
  // Paths below the collection's own directory have no prefix.
  const rows =
    dir.length === 0
      ? db.all(directoriesOf, collectionId)
      : db.all(statements.directoriesWithin, collectionId, dir, within.length, within)
  return rows.sort((a, b) => b.pathBytes.length - a.pathBytes.length)
}

/** Ids of items that are not missing and have their main file in a directory or below it. */
export function itemsBelow(db: LibraryDatabase, collectionId: number, dir: Buffer): number[] {
  return rowsBelow(db, collectionId, dir).flatMap(({ id }) => db.all(statements.mainFilesIn, id).map(item => item.id))
}

function itemAt(
  db: Pick<Transaction, 'get'>,
  collectionId: number,
  path: Buffer,
): RowOfQuery<typeof statements.itemOfFile> | null {
  const slash = path.lastIndexOf(0x2f)
  return db.get(statements.itemOfFile, collectionId, path.subarray(0, Math.max(0, slash)), path.subarray(slash + 1))
}

/** The item with this main file, and the number of its other pictures or videos; empty if no item has it. */
export function itemsOfFile(
  db: Pick<Transaction, 'get'>,
  collectionId: number,
  path: Buffer,
): { id: number; type: 'image' | 'video'; others: number }[] {
  const item = itemAt(db, collectionId, path)
  return item?.role === 'main' ? [{ id: item.id, type: item.type, others: item.others }] : []
}

/** The item that a known file belongs to, as its main file or any other; null if none. */
export function itemWithFile(db: Pick<Transaction, 'get'>, collectionId: number, path: Buffer): number | null {
  return itemAt(db, collectionId, path)?.id ?? null
}

/** Marks an item whose file is gone. Its metadata stays until the item is purged, in case the file comes back. */
export function markItemMissing(tx: Transaction, clock: Clock, id: number): void {
  tx.run(statements.setMissing, seconds(clock), id)
  tx.run(statements.dropProblems, id)
  tx.run(statements.forgetFingerprintOfItem, id)
  tx.run(statements.dropFiles, id)
}

/**
 * Frees a name of a directory for a new file. If a row still has this name, its file vanished from the disk: the row is
 * removed, and the item whose main file it was becomes missing.
 */
export function freeName(tx: Transaction, clock: Clock, dirId: number, name: Buffer): void {
  const stale = tx.get(statements.fileNamed, dirId, name)
  if (stale === null) return
  tx.run(statements.dropFile, stale.id)
  if (stale.itemId === null || stale.role !== 'main') return
  markItemMissing(tx, clock, stale.itemId)
  publishCollections(tx, [stale.collectionId])
}

/** Marks many items missing, in short transactions; each collection is notified once per batch. */
export async function markItemsMissing(
  db: LibraryDatabase,
  clock: Clock,
  actor: Actor,
  ids: readonly number[],
): Promise<void> {
  for (let from = 0; from < ids.length; from += batchItems) {
    if (from > 0) await Bun.sleep(pauseMs)
    await db.transact(actor, tx => {
      const touched = new Set<number>()
      for (const id of ids.slice(from, from + batchItems)) {
        const collection = tx.get(statements.collectionOfItem, id)
        if (collection !== null) touched.add(collection.id)
        markItemMissing(tx, clock, id)
      }
      publishCollections(tx, touched)
    })
  }
}
