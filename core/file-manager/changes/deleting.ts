/** Deletes files and folders: all of them or none, and the library marks the items missing. */
import { Failure } from '../../../schema/errors.ts'
import { channels } from '../../../schema/realtime.ts'
import type { Viewer } from '../../accounts/access.ts'
import type { CollectionRow } from '../../collections/collections.ts'
import { type Place as DiskPlace, displayPlace } from '../../files/anchor.ts'
import { DiskError } from '../../files/disk-error.ts'
import { temporaryName } from '../../files/write-whole.ts'
import { directoriesBelow, itemsBelow, itemsOfFile, markMissing } from '../../items/leaving.ts'
import { closeUnit, holderOfProcess, type JournalEntry, writeJournal } from '../../journal/journal.ts'
import { removeTree } from '../../journal/remove-tree.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { forgetDirectories } from '../../moving/item-moves.ts'
import { fileFailure } from '../file-failures.ts'
import type { Place } from '../places.ts'
import { type ChangeParts, demandMovable, splitPath } from './change-parts.ts'
import type { Claims } from './claims.ts'

interface Removal {
  place: Place
  isFolder: boolean
  size: number
  /** Where it lies until the library has let go of it: scans and listings pass such names over. */
  aside: DiskPlace
}

export function createDeleting(parts: ChangeParts & { claims: Claims }) {
  const { db, clock, disk, journal, places, log, bringIn, claims } = parts

  async function planned(list: readonly Place[]): Promise<Removal[]> {
    if (list.length === 0) throw new Failure('invalid', 'Choose what is to be deleted.', { field: 'items' })
    const removals: Removal[] = []
    for (const place of outermost(list)) {
      // Of a link it is the link itself that goes, never what it leads to.
      const { kind, size } = await demandMovable(places, place, places.lookAtEntry)
      const { dir } = splitPath(place.at.path)
      const path = dir.length === 0 ? temporaryName() : Buffer.concat([dir, Buffer.from('/'), temporaryName()])
      removals.push({ place, isFolder: kind === 'dir', size, aside: { root: place.at.root, path } })
    }
    return removals
  }

  /** Items of which no picture or film is left; of others the rest goes on as the item. */
  function itemsOf({ place, isFolder }: Removal): number[] {
    const { collection, inCollection } = place
    if (collection === null || inCollection === null) return []
    return isFolder
      ? itemsBelow(db, collection.id, inCollection)
      : itemsOfFile(db, collection.id, inCollection)
          .filter(({ others }) => others === 0)
          .map(({ id }) => id)
  }

  async function remove(viewer: Viewer, list: readonly Place[]): Promise<void> {
    const removals = await planned(list)
    const unit = crypto.randomUUID()
    const holder = holderOfProcess()
    const actor = { userId: viewer.userId, step: unit }
    const entry = { unit, itemId: null, temporary: null, hash: null }
    const moves = removals.map(
      ({ place, aside, size }): JournalEntry => ({
        ...entry,
        operation: 'move',
        source: place.at,
        destination: aside,
        size,
      }),
    )
    await db.transact(actor, tx => {
      writeJournal(tx, holder, moves, clock.now())
    })
    let current = removals[0]
    try {
      for (const removal of removals) {
        current = removal
        disk.move(removal.place.at, removal.aside, { flush: false })
        await breathe()
      }
      flush(removals)
      await markMissing(db, clock, actor, removals.flatMap(itemsOf))
      await db.transact(actor, tx => {
        for (const removal of removals) record(tx, removal)
        closeUnit(tx, unit)
        const gone = removals.map(
          ({ aside, size }): JournalEntry => ({
            ...entry,
            operation: 'remove',
            source: aside,
            destination: null,
            size,
          }),
        )
        writeJournal(tx, holder, gone, clock.now())
        tx.run("UPDATE journal SET state = 'recorded' WHERE unit = ?", unit)
      })
    } catch (error) {
      await journal.abandon(unit)
      await followAll(viewer, removals, true)
      throw current === undefined ? error : fileFailure(error, current.place, 'items')
    }
    await unlinkAll(unit, removals)
    await followAll(viewer, removals)
    // What was being read when it went may have come into the library after it.
    const late = removals.filter(({ place }) => place.collection !== null && disk.stat(place.at) === null)
    await markMissing(db, clock, actor, late.flatMap(itemsOf))
  }

  async function unlinkAll(unit: string, removals: readonly Removal[]): Promise<void> {
    try {
      for (const { aside, isFolder } of removals) {
        if (isFolder) await removeTree(disk, aside)
        else disk.remove(aside, { flush: false })
        await breathe()
      }
      flush(removals)
      await db.transact({ userId: null }, tx => closeUnit(tx, unit))
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      // Nobody sees them any more, and the next start tries again.
      log.warn('deleted files could not be removed from the disk yet', { error })
    }
  }

  /** Makes lasting what became of the names, once a folder. */
  function flush(removals: readonly Removal[]): void {
    const folders = new Map(
      removals.map(({ aside: { root, path } }) => {
        const folder = { root, path: splitPath(path).dir }
        return [displayPlace(folder), folder]
      }),
    )
    for (const folder of folders.values()) disk.sync(folder)
  }

  function record(tx: Transaction, { place, isFolder }: Removal): void {
    const { collection, inCollection, virtual } = place
    if (collection === null || inCollection === null) return
    const { dir } = splitPath(inCollection)
    tx.run('UPDATE dirs SET fingerprint = NULL WHERE collection_id = ? AND path_bytes = ?', collection.id, dir)
    if (isFolder) forgetDirectories(tx, collection.id, directoriesBelow(tx, collection.id, inCollection))
    tx.history({ operation: 'file.delete', collectionId: collection.id, before: { path: virtual } })
  }

  /** What is left of an item whose main file went, and pictures whose sidecar did. */
  async function followAll(viewer: Viewer, removals: readonly Removal[], back = false): Promise<void> {
    const changed = removals.flatMap(({ isFolder, place: { collection, inCollection } }) => {
      if (collection === null || inCollection === null) return []
      // A folder that is back is looked into as a whole: its items may have been marked.
      return back && isFolder
        ? [{ collection, dir: inCollection, deep: true }]
        : [{ collection, dir: splitPath(inCollection).dir }]
    })
    const once = new Map(changed.map(one => [`${one.collection.id} ${one.dir.toString('latin1')}`, one]))
    await bringIn.follow(viewer, [...once.values()])
    const touched = new Map<number, CollectionRow>(changed.map(({ collection }) => [collection.id, collection]))
    await db.transact(viewer, tx => {
      for (const { id } of touched.values())
        tx.event(channels.collection(id), { action: 'update', level: 'status', collection: { id } })
    })
  }

  return {
    /** What another change has in hand is told as `busy`: it would go on with half of it. */
    remove: (viewer: Viewer, list: readonly Place[]): Promise<void> =>
      claims.during(outermost(list), () => remove(viewer, list)),
  }
}

/** Others get their turn while many names are dealt with. */
async function breathe(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
}

/** What lies in a folder that is chosen as well goes with it; each once. */
export function outermost(list: readonly Place[]): Place[] {
  const all = new Map(list.map(place => [place.virtual, place]))
  return [...all.values()].filter(({ virtual }) => {
    for (let end = virtual.lastIndexOf('/'); end > 0; end = virtual.lastIndexOf('/', end - 1))
      if (all.has(virtual.slice(0, end))) return false
    return true
  })
}
