/** Deletes files and folders atomically, and marks their items missing in the library. */
import { eq } from 'drizzle-orm'
import { Failure } from '../../../schema/errors.ts'
import { journal as journalRows } from '../../../schema/tables/journal.ts'
import { type DiskPlace, displayPlace } from '../../files/anchor.ts'
import type { Disk } from '../../files/disk.ts'
import { DiskError } from '../../files/disk-error.ts'
import { joinPath, rawOf } from '../../files/names.ts'
import { temporaryName } from '../../files/write-whole.ts'
import { itemsBelow, itemsOfFile, markItemsMissing, rowsBelow } from '../../items/mark-missing.ts'
import { closeUnit, holderOfProcess, writeJournal } from '../../journal/journal.ts'
import { removeTree } from '../../journal/remove-tree.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { publishCollections } from '../../kernel/events.ts'
import { forgetDirectories } from '../../moving/item-moves.ts'
import { beginUnit, journalEntriesOf } from '../../moving/journal-units.ts'
import { forgetFingerprintAtPath } from '../../moving/moving.sql.ts'
import { directoryOf, splitPath } from '../../moving/paths.ts'
import { fileFailure } from '../file-failures.ts'
import type { FilePlace } from '../places.ts'
import { type Change, folderOf, requireMovable } from './change-parts.ts'
import { parentPaths } from './place-locks.ts'
import type { Changed } from './synchronizer.ts'
import { createYielder } from './yielding.ts'

interface Removal {
  place: FilePlace
  isFolder: boolean
  size: number
  /** The entry under a temporary name, until the library is updated: scans and listings skip such names. */
  temporary: DiskPlace
}

async function planRemovals({ places }: Change, list: readonly FilePlace[]): Promise<Removal[]> {
  const removals: Removal[] = []
  for (const place of list) {
    // A link is deleted itself, never its target.
    const { kind, size } = await requireMovable(places, place, places.requireEntryOrLink)
    const { root, path } = folderOf(place).at
    removals.push({ place, isFolder: kind === 'dir', size, temporary: { root, path: joinPath(path, temporaryName()) } })
  }
  return removals
}

/** The items that lose their last picture or video; other items continue with their remaining files. */
function itemsOf({ db }: Change, { place, isFolder }: Removal): number[] {
  const { collection, inCollection } = place
  if (collection === null || inCollection === null) return []
  if (isFolder) return itemsBelow(db, collection.id, inCollection)
  return itemsOfFile(db, collection.id, inCollection).flatMap(({ id, others }) => (others === 0 ? id : []))
}

async function remove(change: Change, removals: readonly Removal[]): Promise<void> {
  const { db, clock, disk, journal } = change
  const { userId } = change.viewer
  const moves = removals.map(({ place, temporary, size }) => ({
    operation: 'move' as const,
    source: place.at,
    destination: temporary,
    size,
  }))
  const unit = await beginUnit(change, { userId }, moves)
  const actor = { userId, step: unit }
  let current = removals[0]
  const yieldIfDue = createYielder()
  try {
    for (const removal of removals) {
      current = removal
      disk.move(removal.place.at, removal.temporary, { flush: false })
      await yieldIfDue()
    }
    flush(disk, removals)
    await markItemsMissing(
      db,
      clock,
      actor,
      removals.flatMap(one => itemsOf(change, one)),
    )
    await db.transact(actor, tx => {
      for (const removal of removals) record(tx, removal)
      closeUnit(tx, unit)
      const gone = removals.map(({ temporary, size }) => ({ operation: 'remove' as const, source: temporary, size }))
      writeJournal(tx, holderOfProcess(), journalEntriesOf(unit, gone), clock.now())
      tx.orm.update(journalRows).set({ state: 'recorded' }).where(eq(journalRows.unit, unit)).run()
    })
  } catch (error) {
    await journal.abandon(unit)
    await synchronizeAll(change, removals, true)
    throw current === undefined ? error : fileFailure(error, current.place, 'items')
  }
  await unlinkAll(change, unit, removals)
  await synchronizeAll(change, removals)
  // A file that was being read when it was deleted may have been added to the library afterwards.
  const late = removals.filter(({ place }) => place.collection !== null && disk.stat(place.at) === null)
  await markItemsMissing(
    db,
    clock,
    actor,
    late.flatMap(one => itemsOf(change, one)),
  )
}

async function unlinkAll({ db, disk, log }: Change, unit: string, removals: readonly Removal[]): Promise<void> {
  const yieldIfDue = createYielder()
  try {
    for (const { temporary, isFolder } of removals) {
      if (isFolder) await removeTree(disk, temporary)
      else disk.remove(temporary, { flush: false })
      await yieldIfDue()
    }
    flush(disk, removals)
    await db.transact({ userId: null }, tx => closeUnit(tx, unit))
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    // The files are invisible now, and the next start tries again.
    log.warn('deleted files could not be removed from the disk yet', { error })
  }
}

/** Flushes each affected folder once. */
function flush(disk: Disk, removals: readonly Removal[]): void {
  const folders = removals.map(({ temporary }) => directoryOf(temporary))
  for (const folder of new Map(folders.map(one => [displayPlace(one), one])).values()) disk.sync(folder)
}

function record(tx: Transaction, { place, isFolder }: Removal): void {
  const { collection, inCollection, virtual } = place
  if (collection === null || inCollection === null) return
  tx.run(forgetFingerprintAtPath, collection.id, splitPath(inCollection).dir)
  if (isFolder) {
    const gone = rowsBelow(tx, collection.id, inCollection).map(row => row.pathBytes)
    forgetDirectories(tx, collection.id, gone)
  }
  tx.history({ operation: 'file.delete', collectionId: collection.id, before: { path: virtual } })
}

/** Synchronizes the affected directories: items may lack files now. `wasUndone`: the deletion failed and was undone. */
async function synchronizeAll(
  { db, synchronizer, viewer }: Change,
  removals: readonly Removal[],
  wasUndone = false,
): Promise<void> {
  const changed = removals.flatMap(({ isFolder, place: { collection, inCollection } }): Changed[] => {
    if (collection === null || inCollection === null) return []
    // A restored folder is scanned as a whole: its items may have been marked missing.
    const isDeep = wasUndone && isFolder
    return [{ collection, dir: isDeep ? inCollection : splitPath(inCollection).dir, deep: isDeep }]
  })
  const once = new Map(changed.map(one => [`${one.collection.id} ${rawOf(one.dir)}`, one]))
  await synchronizer.synchronize(viewer, [...once.values()])
  const ids = changed.map(({ collection }) => collection.id)
  await db.transact(viewer, tx => publishCollections(tx, ids))
}

/** Deletes all places or none. Throws `busy` while another change uses one of them: it could lose half of its files. */
export async function removeItems(change: Change, list: readonly FilePlace[]): Promise<void> {
  const places = outermost(list)
  await change.locks.withLocks(places, async () => {
    if (places.length === 0) throw new Failure('invalid', 'Choose what to delete.', { field: 'items' })
    await remove(change, await planRemovals(change, places))
  })
}

/** Each place once, except those inside another folder of the list, which includes them. */
export function outermost(list: readonly FilePlace[]): FilePlace[] {
  const all = new Map(list.map(place => [place.virtual, place]))
  return [...all.values()].filter(({ virtual }) => !parentPaths(virtual).some(path => all.has(path)))
}
