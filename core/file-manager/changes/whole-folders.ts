/** Renames whole folders on one disk: a single rename, with the library's directories renamed in the same journalled step. */
import { channels } from '../../../schema/realtime.ts'
import type { Place as DiskPlace } from '../../files/anchor.ts'
import { displayName } from '../../files/names.ts'
import {
  directoriesBelow,
  directoryIdOf,
  itemsBelow,
  markItemMissing,
  markMissing,
  rowsBelow,
} from '../../items/leaving.ts'
import { closeUnit, followDirectory, type JournalEntry, recordUnit, writeJournal } from '../../journal/journal.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Actor, Transaction } from '../../kernel/database/database.ts'
import type { Place } from '../places.ts'
import { type ChangeParts, splitPath } from './change-parts.ts'

/** Name of these entries in the history. */
const folderMoveOperation = 'folder.move'

type Side = Pick<Place, 'at' | 'collection' | 'inCollection'>

/** A folder and its new place. */
export interface FolderStep {
  from: Side
  to: Side
}

/** Path of a directory after one above it, or it itself, was renamed. */
function renamed(path: Uint8Array, from: Buffer, to: Buffer): Buffer {
  return Buffer.concat([to, Buffer.from(path).subarray(from.length)])
}

/**
 * Makes way for a folder that has just got this path. A row that still has the path is of a directory that has vanished
 * from the disk with its files: their items become missing, and are looked for beneath the folder that has the name now.
 */
function makeRoom(tx: Transaction, clock: Clock, collectionId: number, path: Buffer, heir: number): void {
  const stale = directoryIdOf(tx, collectionId, path)
  if (stale === null) return
  for (const { item_id } of tx.all<{ item_id: number }>(
    "SELECT item_id FROM files WHERE dir_id = ? AND role = 'main' AND item_id IS NOT NULL",
    stale,
  ))
    markItemMissing(tx, clock, item_id)
  tx.run('UPDATE items SET dir_id = ? WHERE dir_id = ?', heir, stale)
  tx.run('DELETE FROM files WHERE dir_id = ?', stale)
  tx.run('DELETE FROM dirs WHERE id = ?', stale)
}

/** The rows of a folder of a collection, and of those below it, follow its new path. */
function renameDirectories(
  tx: Transaction,
  clock: Clock,
  { collectionId, from, to }: { collectionId: number; from: Buffer; to: Buffer },
): void {
  for (const { id, path_bytes } of rowsBelow(tx, collectionId, from)) {
    const path = renamed(path_bytes, from, to)
    makeRoom(tx, clock, collectionId, path, id)
    tx.run('UPDATE dirs SET path = ?, path_bytes = ? WHERE id = ?', displayName(path), path, id)
  }
  tx.run(
    `UPDATE OR REPLACE problems SET path = ?1 || substr(path, length(?2) + 1)
     WHERE collection_id = ?3 AND (path = ?2 OR substr(path, 1, length(?2) + 1) = ?2 || '/')`,
    displayName(to),
    displayName(from),
    collectionId,
  )
}

export function createWholeFolders(parts: Pick<ChangeParts, 'db' | 'clock' | 'disk' | 'journal'>) {
  const { db, clock, disk, journal } = parts

  /** Owners' edited versions go along, where they have a folder for it and the new name is free there. */
  function variantsOf({ from, to }: FolderStep): { source: DiskPlace; destination: DiskPlace }[] {
    const root = from.collection?.path_variant ?? ''
    if (root === '' || from.inCollection === null || to.inCollection === null) return []
    const source = { root, path: from.inCollection }
    const destination = { root, path: to.inCollection }
    if (disk.stat(source)?.kind !== 'dir' || disk.stat(destination) !== null) return []
    disk.makeDirectory(
      { root, path: splitPath(to.inCollection).dir },
      { like: { root, path: splitPath(from.inCollection).dir } },
    )
    return [{ source, destination }]
  }

  function record(tx: Transaction, { from, to }: FolderStep, stays: boolean): void {
    const { collection, inCollection } = from
    if (collection === null || inCollection === null) return
    if (stays && to.inCollection !== null) {
      renameDirectories(tx, clock, { collectionId: collection.id, from: inCollection, to: to.inCollection })
      tx.history({
        operation: folderMoveOperation,
        collectionId: collection.id,
        before: { path: displayName(inCollection), bytes: inCollection.toString('base64') },
        after: { path: displayName(to.inCollection), bytes: to.inCollection.toString('base64') },
      })
    } else {
      // Rows of directories without items say nothing any more; missing items still say where they were.
      for (const path of directoriesBelow(tx, collection.id, inCollection)) {
        tx.run(
          `DELETE FROM dirs WHERE collection_id = ? AND path_bytes = ? AND NOT EXISTS (SELECT 1 FROM items WHERE dir_id = dirs.id)`,
          collection.id,
          Buffer.from(path),
        )
      }
    }
    const { id } = collection
    tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
  }

  /**
   * Renames a folder. `stays`: within its collection, where scans see it; else its items are marked missing. Throws a
   * DiskError EXDEV when its new place is on another disk, and leaves everything as it was whatever it throws.
   */
  async function move(step: FolderStep, stays: boolean, how: { holder: number; actor: Actor }): Promise<void> {
    const { from, to } = step
    const { holder, actor } = how
    const unit = crypto.randomUUID()
    const ways = [{ source: from.at, destination: to.at }, ...(stays ? variantsOf(step) : [])]
    const entries = ways.map(
      (way): JournalEntry => ({
        unit,
        operation: 'move',
        itemId: null,
        temporary: null,
        hash: null,
        size: 0,
        ...way,
      }),
    )
    await db.transact(actor, tx => {
      writeJournal(tx, holder, entries, clock.now())
    })
    try {
      for (const { source, destination } of ways) disk.move(source, destination)
      if (!stays && from.collection !== null && from.inCollection !== null)
        await markMissing(db, clock, actor, itemsBelow(db, from.collection.id, from.inCollection))
      await db.transact(actor, tx => {
        record(tx, step, stays)
        recordUnit(tx, unit)
        closeUnit(tx, unit)
        // Somebody may be putting something into it just now: what that left is looked for where it is.
        for (const { source, destination } of ways) followDirectory(tx, source, destination)
      })
    } catch (error) {
      await journal.abandon(unit)
      throw error
    }
  }

  return { move }
}
