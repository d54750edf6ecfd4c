/** Deletes a recycled item for good: its row, renditions and, where the collection may be written to, its files. */
import { Failure, sentence } from '../../schema/errors.ts'
import { channels } from '../../schema/realtime.ts'
import { tombstones } from '../../schema/tables/collections.ts'
import type { Disk } from '../files/disk.ts'
import { DiskError } from '../files/disk-error.ts'
import { displayName, joinPath, rawOf } from '../files/names.ts'
import { filesOfItem, forgetFingerprintOfItem } from '../items/item-files.sql.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { removeRenditions } from '../media/cache/remove-renditions.ts'
import { groupSidecars } from '../metadata/xmp/sidecar-names.ts'
import { rootState } from '../survey/safety.ts'
import { detachFiles, filesBeside, recycledItem, sameContentLeft } from './editing.sql.ts'
import { forgetRows } from './missing-items.ts'
import { type RemovalParts, type RemovedFile, removeFiles } from './removal.ts'

export interface PurgeParts extends RemovalParts {
  cache: string
}

type PurgedRow = RowOfQuery<typeof recycledItem>
type FileRow = RowOfQuery<typeof filesOfItem>

/** Ids of sidecars that also belong to another picture (`a.xmp` of `a.jpg` and `a.png`): they are kept for it. */
function sharedSidecars(db: LibraryDatabase, item: PurgedRow, files: readonly FileRow[]): ReadonlySet<number> {
  const sidecars = files.filter(({ role }) => role === 'sidecar')
  if (sidecars.length === 0) return new Set()
  const others = db.all(filesBeside, item.id).map(({ nameBytes }) => rawOf(nameBytes))
  const names = sidecars.map(({ nameBytes }) => rawOf(nameBytes))
  const used = new Set([...groupSidecars([...names, ...others], others).values()].flat().map(({ name }) => name))
  return new Set(sidecars.filter(({ nameBytes }) => used.has(rawOf(nameBytes))).map(({ id }) => id))
}

/** The existing files of an item. Throws `conflict` if one differs from the library's records. */
function filesToRemove(disk: Disk, item: PurgedRow, files: readonly FileRow[]): RemovedFile[] {
  if (files.length === 0) return []
  const root = rootState(item.root)
  if (root.kind !== 'present' || root.empty) {
    throw new Failure(
      'conflict',
      sentence`The collection's directory ${item.root} is not there. Is its disk connected?`,
    )
  }
  return files.flatMap(file => {
    const path = joinPath(file.dirBytes, file.nameBytes)
    const found = disk.stat({ root: item.root, path })
    if (found === null) return []
    const isSame =
      found.size === file.size && found.mtimeSeconds === file.mtime && found.mtimeNanoseconds === file.mtimeNs
    // Another file may have the name by now. A sidecar is deleted with its picture, even if another program changed it.
    if (found.kind !== 'file' || (!isSame && file.role !== 'sidecar')) {
      throw new Failure(
        'conflict',
        sentence`${displayName(path)} was changed since the last scan. Scan the collection, then look at it again.`,
      )
    }
    return { root: item.root, dirBytes: file.dirBytes, nameBytes: file.nameBytes, size: file.size }
  })
}

function deleteRows(tx: Transaction, item: PurgedRow, options: { quiet: boolean }): void {
  const { id, collectionId, content } = item
  const path = displayName(joinPath(item.dirBytes, Buffer.from(item.name)))
  if (item.readonly === 1) {
    tx.orm.insert(tombstones).values({ collectionId, path, content }).run()
    // The rows of the files stay, so that scans know the files and do not read them again.
    tx.run(detachFiles, id)
  } else tx.run(forgetFingerprintOfItem, id)
  forgetRows(tx, id)
  tx.history({ operation: 'item.purge', collectionId, itemId: id, before: { path } })
  if (options.quiet) return
  tx.event(channels.collection(collectionId), { action: 'delete', item: { id, collection_id: collectionId } })
}

/** Whether it is still the same item: neither restored nor moved meanwhile. */
function isAsBefore(tx: Transaction, item: PurgedRow, files: readonly FileRow[]): boolean {
  const now = [tx.get(recycledItem, item.id), tx.all(filesOfItem, item.id)]
  return JSON.stringify(now) === JSON.stringify([item, files])
}

/**
 * Deletes one item; false if it is not in the recycle bin. Throws `conflict` if its files differ from the library's
 * records or cannot be removed: then nothing has changed. The caller checks rights.
 */
export async function purgeItem(
  parts: PurgeParts,
  actor: Actor,
  id: number,
  options: { jobId: number | null; quiet: boolean },
): Promise<boolean> {
  const { db, disk, cache } = parts
  const item = db.get(recycledItem, id)
  if (item === null) return false
  const rows = db.all(filesOfItem, id)
  const record = (tx: Transaction) => {
    if (!isAsBefore(tx, item, rows)) throw new Failure('conflict', 'The item was changed meanwhile.')
    deleteRows(tx, item, options)
  }
  try {
    const stay = sharedSidecars(db, item, rows)
    // The main file comes last.
    const going = rows.filter(row => !stay.has(row.id)).reverse()
    const files = item.readonly === 1 ? [] : filesToRemove(disk, item, going)
    if (files.length === 0) await db.transact(actor, record)
    else await removeFiles(parts, actor, { jobId: options.jobId, itemId: id, files }, record)
  } catch (error) {
    if (error instanceof DiskError) throw new Failure('conflict', error.message, { cause: error })
    throw error
  }
  if (db.get(sameContentLeft, item.content) === null) removeRenditions(cache, item.content)
  return true
}
