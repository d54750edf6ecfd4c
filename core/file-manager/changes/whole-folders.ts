/** Moves whole folders on one disk with one rename, and updates the library's directories in the same journal unit. */
import { and, eq } from 'drizzle-orm'
import { dirs, files } from '../../../schema/tables/collections.ts'
import { items } from '../../../schema/tables/items.ts'
import type { DiskPlace } from '../../files/anchor.ts'
import { displayName } from '../../files/names.ts'
import { directoryIdOf, itemsBelow, markItemMissing, markItemsMissing, rowsBelow } from '../../items/mark-missing.ts'
import { closeUnit, updateMovedPaths } from '../../journal/journal.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { publishCollections } from '../../kernel/events.ts'
import { beginUnit } from '../../moving/journal-units.ts'
import type { MoveContext } from '../../moving/move-files.ts'
import { directoryOf } from '../../moving/paths.ts'
import { forgetDirectoryWithoutItems, moveProblemsBelow, renameDirectory } from '../file-manager.sql.ts'
import type { FilePlace } from '../places.ts'
import type { ChangeParts } from './change-parts.ts'

const folderMoveOperation = 'folder.move'

type Side = Pick<FilePlace, 'at' | 'collection' | 'inCollection'>

export interface FolderStep {
  from: Side
  to: Side
}

function renamePath(path: Uint8Array, from: Buffer, to: Buffer): Buffer {
  return Buffer.concat([to, Buffer.from(path).subarray(from.length)])
}

/**
 * Frees a renamed folder's path in the table. If a row still has this path, its directory had vanished from the disk:
 * its items become missing, and are assigned to the renamed folder, whose id is `renamedId`.
 */
function freePath(tx: Transaction, clock: Clock, collectionId: number, path: Buffer, renamedId: number): void {
  const stale = directoryIdOf(tx, collectionId, path)
  if (stale === null) return
  const isMain = and(eq(files.dirId, stale), eq(files.role, 'main'))
  for (const { itemId } of tx.orm.select().from(files).where(isMain).all())
    if (itemId !== null) markItemMissing(tx, clock, itemId)
  tx.orm.update(items).set({ dirId: renamedId }).where(eq(items.dirId, stale)).run()
  tx.orm.delete(files).where(eq(files.dirId, stale)).run()
  tx.orm.delete(dirs).where(eq(dirs.id, stale)).run()
}

/** Updates the paths of a collection's folder and of all folders below it. */
function renameDirectories(
  tx: Transaction,
  clock: Clock,
  { collectionId, from, to }: { collectionId: number; from: Buffer; to: Buffer },
): void {
  for (const { id, pathBytes } of rowsBelow(tx, collectionId, from)) {
    const path = renamePath(pathBytes, from, to)
    freePath(tx, clock, collectionId, path, id)
    tx.run(renameDirectory, displayName(path), path, id)
  }
  tx.run(moveProblemsBelow, displayName(to), displayName(from), collectionId)
}

type FolderParts = Pick<ChangeParts, 'db' | 'clock' | 'disk' | 'journal'>

/** The renames of the folder of edited versions: it moves along if there is one, and if its new path is free. */
function variantsOf({ disk }: FolderParts, { from, to }: FolderStep): { source: DiskPlace; destination: DiskPlace }[] {
  const root = from.collection?.path_variant ?? ''
  if (root === '' || from.inCollection === null || to.inCollection === null) return []
  const source = { root, path: from.inCollection }
  const destination = { root, path: to.inCollection }
  if (disk.stat(source)?.kind !== 'dir' || disk.stat(destination) !== null) return []
  disk.makeDirectory(directoryOf(destination), { like: directoryOf(source) })
  return [{ source, destination }]
}

function record(tx: Transaction, clock: Clock, { from, to }: FolderStep, staysInCollection: boolean): void {
  const { collection, inCollection } = from
  if (collection === null || inCollection === null) return
  const { id } = collection
  if (staysInCollection && to.inCollection !== null) {
    renameDirectories(tx, clock, { collectionId: id, from: inCollection, to: to.inCollection })
    const recorded = (path: Buffer) => ({ path: displayName(path), bytes: path.toString('base64') })
    const sides = { before: recorded(inCollection), after: recorded(to.inCollection) }
    tx.history({ operation: folderMoveOperation, collectionId: id, ...sides })
  } else {
    // Rows of directories without items are not needed; missing items keep their path.
    for (const { pathBytes } of rowsBelow(tx, id, inCollection))
      tx.run(forgetDirectoryWithoutItems, id, Buffer.from(pathBytes))
  }
  publishCollections(tx, [id])
}

/**
 * Renames a folder. If it does not stay in its collection, at a place that scans read (`staysInCollection`), its items
 * are marked missing. Throws a DiskError EXDEV if the target is on another disk; after any error, everything is
 * unchanged.
 */
export async function moveWholeFolder(
  parts: FolderParts,
  step: FolderStep,
  staysInCollection: boolean,
  { holder, actor }: Pick<MoveContext, 'holder' | 'actor'>,
): Promise<void> {
  const { db, clock, disk, journal } = parts
  const { from, to } = step
  const renames = [{ source: from.at, destination: to.at }, ...(staysInCollection ? variantsOf(parts, step) : [])]
  const moves = renames.map(way => ({ operation: 'move' as const, ...way }))
  const unit = await beginUnit(parts, actor, moves, holder)
  try {
    for (const { source, destination } of renames) disk.move(source, destination)
    if (!staysInCollection && from.collection !== null && from.inCollection !== null)
      await markItemsMissing(db, clock, actor, itemsBelow(db, from.collection.id, from.inCollection))
    await db.transact(actor, tx => {
      record(tx, clock, step, staysInCollection)
      closeUnit(tx, unit)
      // Another request may be writing into the folder: recovery must search for its temporary files at the new path.
      for (const { source, destination } of renames) updateMovedPaths(tx, source, destination)
    })
  } catch (error) {
    await journal.abandon(unit)
    throw error
  }
}
