/** Forgets missing items after another check of the disk. An item whose file is back is restored instead. */
import { Failure, sentence } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import type { Disk, PlaceFacts } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { joinPath } from '../files/names.ts'
import { dropDue, dropFiles, dropProblems, fileOnDisk, forgetFingerprintOfItem } from '../items/item-files.sql.ts'
import { deleteItem } from '../items/item-rows.ts'
import { batchItems } from '../kernel/database/batches.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { publishCollections } from '../kernel/events.ts'
import { rootState } from '../survey/safety.ts'
import { missingItem, restoreMainFile, setNotMissing } from './editing.sql.ts'

type MissingRow = RowOfQuery<typeof missingItem>

/** Facts of the main file if it is in its old place. */
function statMainFile(disk: Disk, item: MissingRow): PlaceFacts | null {
  try {
    const found = disk.stat({ root: item.root, path: joinPath(item.dirBytes, Buffer.from(item.name)) })
    return found?.kind === 'file' ? found : null
  } catch (error) {
    if (error instanceof DiskError && (error.code === 'ENOTDIR' || error.code === 'ELOOP')) return null
    throw error instanceof DiskError ? new Failure('conflict', error.message, { cause: error }) : error
  }
}

/** Restores an item whose file is back; the next scan reads its directory and checks whether it is the same picture. */
function restoreMissing(tx: Transaction, item: MissingRow): boolean {
  const name = Buffer.from(item.name)
  const taken = tx.get(fileOnDisk, item.dirId, name)
  // A scan has made another item of that file: this item stays missing, and may be forgotten.
  if (taken !== null && taken.itemId !== null && taken.itemId !== item.id) return false
  tx.run(setNotMissing, item.id)
  tx.run(restoreMainFile, item.dirId, name, item.id)
  tx.run(forgetFingerprintOfItem, item.id)
  return true
}

/** Deletes an item with its rows in other tables. */
export function forgetRows(tx: Transaction, id: number): void {
  for (const statement of [dropFiles, dropProblems, dropDue]) tx.run(statement, id)
  deleteItem(tx, id)
}

export interface Forgotten {
  forgotten: number
  back: number
}

/**
 * Forgets missing items; deletes no files. Throws `conflict` if a collection's directory is not there. The caller
 * checks rights.
 */
export async function forgetItems(
  { db, disk }: { db: LibraryDatabase; disk: Disk },
  actor: Actor,
  ids: readonly number[],
): Promise<Forgotten> {
  const result: Forgotten = { forgotten: 0, back: 0 }
  const present = new Map<string, boolean>()
  const isPresent = (path: string) => {
    const isThere = present.get(path) ?? rootState(path).kind === 'present'
    present.set(path, isThere)
    return isThere
  }
  for (let from = 0; from < ids.length; from += batchItems) {
    const rows = ids
      .slice(from, from + batchItems)
      .map(id => db.get(missingItem, id))
      .filter(row => row !== null)
    const found = rows.map(row => {
      if (!isPresent(row.root)) {
        throw new Failure(
          'conflict',
          sentence`The collection's directory ${row.root} is not there. Is its disk connected?`,
        )
      }
      return { row, back: statMainFile(disk, row) !== null }
    })
    const counted = await db.transact(actor, tx => forgetBatch(tx, found))
    result.forgotten += counted.forgotten
    result.back += counted.back
    // Yields to other work between the batches.
    await Bun.sleep(1)
  }
  return result
}

function forgetBatch(tx: Transaction, found: readonly { row: MissingRow; back: boolean }[]): Forgotten {
  const counted: Forgotten = { forgotten: 0, back: 0 }
  const touched = new Set<number>()
  for (const { row, back } of found) {
    const { id, collectionId } = row
    // Another process may have forgotten the item meanwhile.
    if (tx.get(missingItem, id) === null) continue
    touched.add(collectionId)
    if (back && restoreMissing(tx, row)) counted.back++
    else {
      forgetRows(tx, id)
      tx.history({ operation: 'item.forget', collectionId, itemId: id })
      counted.forgotten++
    }
  }
  const [only] = found
  if (found.length > 1 || only === undefined || touched.size !== 1) publishCollections(tx, touched)
  else {
    const { id, collectionId: collection_id } = only.row
    const action = counted.back > 0 ? 'create' : 'delete'
    tx.event(channels.collection(collection_id), { action, item: { id, collection_id } })
  }
  return counted
}
