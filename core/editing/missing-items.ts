/** Items whose file is gone: forgotten, after one more look at the disk; one whose file is back is shown again instead. */
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import type { Disk, PlaceFacts } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { joinPath } from '../files/names.ts'
import { deleteItem } from '../items/item-rows.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import { rootState } from '../survey/safety.ts'

interface MissingRow {
  id: number
  collection_id: number
  name: string
  root: string
  dir_id: number
  dir_bytes: Uint8Array
}

const selectMissing = `SELECT i.id, i.collection_id, i.name, c.path AS root, i.dir_id, d.path_bytes AS dir_bytes
  FROM items AS i JOIN collections AS c ON c.id = i.collection_id JOIN dirs AS d ON d.id = i.dir_id
  WHERE i.id = ? AND i.missing IS NOT NULL`

/** Its main file, when it lies where it had been. The library has no bytes of a missing file's name but its letters. */
function foundAgain(disk: Disk, item: MissingRow): PlaceFacts | null {
  try {
    const found = disk.stat({ root: item.root, path: joinPath(item.dir_bytes, Buffer.from(item.name)) })
    return found?.kind === 'file' ? found : null
  } catch (error) {
    // Its directory has become something else.
    if (error instanceof DiskError && (error.code === 'ENOTDIR' || error.code === 'ELOOP')) return null
    throw error instanceof DiskError ? new Failure('conflict', error.message, { cause: error }) : error
  }
}

/** Shown again; its directory is looked into at the next scan, which finds out whether it is the same picture. */
function unmark(tx: Transaction, item: MissingRow): boolean {
  const taken = tx.get<{ item_id: number | null }>(
    'SELECT item_id FROM files WHERE dir_id = ? AND name_bytes = ?',
    item.dir_id,
    Buffer.from(item.name),
  )
  // A scan has made another item of that file: this one stays missing, and may be forgotten.
  if (taken !== null && taken.item_id !== null && taken.item_id !== item.id) return false
  tx.run('UPDATE items SET missing = NULL, version = version + 1 WHERE id = ?', item.id)
  tx.run(
    `INSERT INTO files (dir_id, name_bytes, item_id, role, size, mtime, mtime_ns) VALUES (?, ?, ?, 'main', 0, 0, 0)
     ON CONFLICT (dir_id, name_bytes) DO UPDATE SET item_id = excluded.item_id, role = 'main', size = 0, mtime = 0`,
    item.dir_id,
    Buffer.from(item.name),
    item.id,
  )
  tx.run('UPDATE dirs SET fingerprint = NULL WHERE id = ?', item.dir_id)
  return true
}

function forget(tx: Transaction, item: MissingRow): void {
  tx.run('DELETE FROM files WHERE item_id = ?', item.id)
  tx.run('DELETE FROM problems WHERE item_id = ?', item.id)
  tx.run('DELETE FROM metadata_due WHERE item_id = ?', item.id)
  deleteItem(tx, item.id)
  tx.history({ operation: 'item.forget', collectionId: item.collection_id, itemId: item.id })
}

export interface Forgotten {
  forgotten: number
  /** Were not gone after all. */
  back: number
}

/** Items a transaction deals with at most. */
const batch = 200

/**
 * Forgets missing items; no file is ever touched. Where the collection's directory itself is not there nobody can say
 * what is missing: `conflict`. Rights are the caller's business.
 */
export async function forgetItems(
  { db, disk }: { db: LibraryDatabase; disk: Disk },
  actor: Actor,
  ids: readonly number[],
): Promise<Forgotten> {
  const result: Forgotten = { forgotten: 0, back: 0 }
  const present = new Map<string, boolean>()
  const isPresent = (path: string) => {
    const known = present.get(path) ?? rootState(path).kind === 'present'
    present.set(path, known)
    return known
  }
  for (let from = 0; from < ids.length; from += batch) {
    const rows = ids
      .slice(from, from + batch)
      .map(id => db.get<MissingRow>(selectMissing, id))
      .filter(row => row !== null)
    const found = rows.map(row => {
      if (!isPresent(row.root)) {
        throw new Failure('conflict', `The collection's directory ${row.root} is not there. Is its disk connected?`)
      }
      return { row, back: foundAgain(disk, row) !== null }
    })
    const counted = await db.transact(actor, tx => forgetBatch(tx, found))
    result.forgotten += counted.forgotten
    result.back += counted.back
    // Others are served between the batches.
    await Bun.sleep(1)
  }
  return result
}

function forgetBatch(tx: Transaction, found: readonly { row: MissingRow; back: boolean }[]): Forgotten {
  const counted: Forgotten = { forgotten: 0, back: 0 }
  const touched = new Set<number>()
  for (const { row, back } of found) {
    // Another process may have been faster.
    if (tx.get(selectMissing, row.id) === null) continue
    touched.add(row.collection_id)
    if (back && unmark(tx, row)) counted.back++
    else {
      forget(tx, row)
      counted.forgotten++
    }
  }
  const [only] = found
  if (found.length === 1 && only !== undefined && touched.size === 1) {
    const { id, collection_id } = only.row
    tx.event(channels.collection(collection_id), {
      action: counted.back > 0 ? 'create' : 'delete',
      item: { id, collection_id },
    })
  } else {
    for (const id of touched) {
      tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
    }
  }
  return counted
}
