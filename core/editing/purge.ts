/** Deletes a recycled item for good: its row, renditions and, where the collection may be written to, its files. */
import { Failure } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import type { Disk } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { displayName, joinPath, rawOf } from '../files/names.ts'
import { deleteItem } from '../items/item-rows.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { Log } from '../kernel/log.ts'
import { removeRenditions } from '../media/cache/remove-renditions.ts'
import { groupSidecars } from '../metadata/xmp/sidecar-names.ts'
import { rootState } from '../survey/safety.ts'
import { type RemovedFile, removeFiles } from './removal.ts'

export interface PurgeParts {
  db: LibraryDatabase
  clock: Clock
  disk: Disk
  journal: Journal
  log: Log
  /** Directory of the renditions. */
  cache: string
}

interface PurgedRow {
  id: number
  collection_id: number
  name: string
  content: string
  root: string
  readonly: number
  dir_bytes: Uint8Array
}

interface FileRow {
  id: number
  dir_bytes: Uint8Array
  name_bytes: Uint8Array
  role: string
  size: number
  mtime: number
  mtime_ns: number
}

/** Only recycled items: one that was restored meanwhile is left alone. */
const selectItem = `SELECT i.id, i.collection_id, i.name, i.content, c.path AS root, c.readonly, d.path_bytes AS dir_bytes
  FROM items AS i JOIN collections AS c ON c.id = i.collection_id JOIN dirs AS d ON d.id = i.dir_id
  WHERE i.id = ? AND i.deleted IS NOT NULL`
const selectFiles = `SELECT f.id, d.path_bytes AS dir_bytes, f.name_bytes, f.role, f.size, f.mtime, f.mtime_ns
  FROM files AS f JOIN dirs AS d ON d.id = f.dir_id WHERE f.item_id = ? ORDER BY f.role = 'main', f.id`

function pathOf(file: Pick<FileRow, 'dir_bytes' | 'name_bytes'>): Buffer {
  return joinPath(file.dir_bytes, file.name_bytes)
}

/**
 * Sidecars of the item that another picture beside it lives by too (`a.xmp` of `a.jpg` and `a.png`): they stay for it, and
 * the next scan gives them to it.
 */
function sharedSidecars(db: LibraryDatabase, item: PurgedRow, files: readonly FileRow[]): ReadonlySet<number> {
  const sidecars = files.filter(({ role }) => role === 'sidecar')
  if (sidecars.length === 0) return new Set()
  const others = db
    .all<{ name_bytes: Uint8Array }>(
      `SELECT f.name_bytes FROM files AS f JOIN items AS i ON i.id = f.item_id
       WHERE f.dir_id = (SELECT dir_id FROM items WHERE id = ?1) AND f.item_id <> ?1 AND f.role IN ('main', 'companion')
         AND i.missing IS NULL`,
      item.id,
    )
    .map(row => rawOf(row.name_bytes))
  const names = sidecars.map(({ name_bytes }) => rawOf(name_bytes))
  const used = new Set([...groupSidecars([...names, ...others], others).values()].flat().map(({ name }) => name))
  return new Set(sidecars.filter(({ name_bytes }) => used.has(rawOf(name_bytes))).map(({ id }) => id))
}

/** Files that are really there and are what the library knows; what is gone already need not be removed. */
function filesToRemove(disk: Disk, item: PurgedRow, files: readonly FileRow[]): RemovedFile[] {
  if (files.length === 0) return []
  const root = rootState(item.root)
  if (root.kind !== 'present' || root.empty) {
    throw new Failure('conflict', `The collection's directory ${item.root} is not there. Is its disk connected?`)
  }
  return files.flatMap(file => {
    const found = disk.stat({ root: item.root, path: pathOf(file) })
    if (found === null) return []
    const isSame =
      found.size === file.size && found.mtimeSeconds === file.mtime && found.mtimeNanoseconds === file.mtime_ns
    // Another file may stand there by now. A sidecar goes with its picture, whoever wrote it last.
    if (found.kind !== 'file' || (!isSame && file.role !== 'sidecar')) {
      throw new Failure(
        'conflict',
        `${displayName(pathOf(file))} was changed since the last scan. Scan the collection, then look at it again.`,
      )
    }
    return { root: item.root, dirBytes: file.dir_bytes, nameBytes: file.name_bytes, size: file.size }
  })
}

function deleteRows(tx: Transaction, item: PurgedRow, options: { quiet: boolean }): void {
  const path = displayName(joinPath(item.dir_bytes, Buffer.from(item.name)))
  if (item.readonly === 1) {
    tx.run(
      'INSERT INTO tombstones (collection_id, path, content) VALUES (?, ?, ?)',
      item.collection_id,
      path,
      item.content,
    )
    // They stay, so that scans know them and do not look into them again.
    tx.run("UPDATE files SET item_id = NULL, role = 'none' WHERE item_id = ?", item.id)
  } else {
    tx.run('UPDATE dirs SET fingerprint = NULL WHERE id IN (SELECT dir_id FROM files WHERE item_id = ?)', item.id)
    tx.run('DELETE FROM files WHERE item_id = ?', item.id)
  }
  tx.run('DELETE FROM problems WHERE item_id = ?', item.id)
  tx.run('DELETE FROM metadata_due WHERE item_id = ?', item.id)
  deleteItem(tx, item.id)
  tx.history({ operation: 'item.purge', collectionId: item.collection_id, itemId: item.id, before: { path } })
  if (options.quiet) return
  tx.event(channels.collection(item.collection_id), {
    action: 'delete',
    item: { id: item.id, collection_id: item.collection_id },
  })
}

/** Still the item that was looked at: neither restored nor moved meanwhile. */
function isAsBefore(tx: Transaction, item: PurgedRow, files: readonly FileRow[]): boolean {
  const text = (value: unknown) => JSON.stringify(value)
  return (
    text(tx.get<PurgedRow>(selectItem, item.id)) === text(item) &&
    text(tx.all<FileRow>(selectFiles, item.id)) === text(files)
  )
}

/**
 * Deletes one item; false when it is not in the recycle bin. `conflict` where its files are not as the library knows
 * them or can't be removed: then nothing has changed. Rights are the caller's business.
 */
export async function purgeItem(
  parts: PurgeParts,
  actor: Actor,
  id: number,
  options: { jobId: number | null; quiet: boolean },
): Promise<boolean> {
  const { db, disk, cache } = parts
  const item = db.get<PurgedRow>(selectItem, id)
  if (item === null) return false
  const rows = db.all<FileRow>(selectFiles, id)
  const record = (tx: Transaction) => {
    if (!isAsBefore(tx, item, rows)) throw new Failure('conflict', 'The item was changed meanwhile.')
    deleteRows(tx, item, options)
  }
  try {
    const stay = sharedSidecars(db, item, rows)
    const going = rows.filter(row => !stay.has(row.id))
    const files = item.readonly === 1 ? [] : filesToRemove(disk, item, going)
    if (files.length === 0) await db.transact(actor, record)
    else {
      const what = { jobId: options.jobId, itemId: id, files }
      await removeFiles(parts, actor, what, record)
    }
  } catch (error) {
    if (error instanceof DiskError) throw new Failure('conflict', error.message, { cause: error })
    throw error
  }
  if (db.get('SELECT 1 FROM items WHERE content = ? LIMIT 1', item.content) === null) {
    removeRenditions(cache, item.content)
  }
  return true
}
