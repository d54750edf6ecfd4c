/** Folders that stay in hand while something comes into them: whatever they are called meanwhile, it is in them or nowhere. */
import { terminalViewer, type Viewer } from '../../accounts/access.ts'
import type { Place as DiskPlace } from '../../files/anchor.ts'
import { bytesOfText, joinPath, rawOf } from '../../files/names.ts'
import { temporaryName, type WriteOptions } from '../../files/write-whole.ts'
import { closeUnit, holderOfProcess, writeJournal } from '../../journal/journal.ts'
import { removeTree } from '../../journal/remove-tree.ts'
import type { Place } from '../places.ts'
import type { Changed } from './bring-in.ts'
import { type ChangeParts, splitPath } from './change-parts.ts'

export interface HeldFolder {
  /** The folder itself, wherever it is. */
  at: DiskPlace
  /** False where the system can't hold one: then it is found by its path. */
  isHeld: boolean
  /** Where the library finds it now; null where it lies in no collection, or is gone. */
  changed(): Promise<Changed | null>
  close(): void
}

/** A unit of the journal for what is put together under a name of ours in a folder. */
export interface Begun {
  unit: string
  temporary: Buffer
}

export function createHeldFolders(parts: Pick<ChangeParts, 'db' | 'clock' | 'disk' | 'journal' | 'places'>) {
  const { db, clock, disk, journal, places } = parts

  /** Throws what the disk says of the folder. */
  function hold({ at, collection, inCollection }: Pick<Place, 'at' | 'collection' | 'inCollection'>): HeldFolder {
    const held = disk.hold(at)
    const asked = collection === null || inCollection === null ? null : { collection, dir: inCollection }
    const before = rawOf(joinPath(bytesOfText(at.root), at.path))
    return {
      at: held === null ? at : { root: held.root, path: Buffer.of() },
      isHeld: held !== null,
      async changed() {
        if (held === null) return asked
        const now = held.path()
        if (now === null || rawOf(now) === before) return asked
        const found = await places.inCollection(now)
        return found === null ? null : { collection: found.collection, dir: found.path }
      },
      close: () => held?.close(),
    }
  }

  /** Notes where something is put together, so that whoever comes after a kill removes it. */
  async function begin(viewer: Viewer, folder: DiskPlace): Promise<Begun> {
    const [unit, temporary] = [crypto.randomUUID(), temporaryName()]
    const beside: DiskPlace = { root: folder.root, path: joinPath(folder.path, temporary) }
    const entry = { unit, operation: 'write' as const, itemId: null, hash: null, size: 0 }
    await db.transact(viewer, tx => {
      writeJournal(
        tx,
        holderOfProcess(),
        [{ ...entry, source: beside, destination: null, temporary: beside }],
        clock.now(),
      )
    })
    return { unit, temporary }
  }

  /** By its path the folder may be out of reach now: then only who holds it can remove what was put together in it. */
  async function takeBack({ unit, temporary }: Begun, { at, isHeld }: HeldFolder): Promise<void> {
    if (!isHeld) return journal.abandon(unit)
    try {
      await removeTree(disk, { root: at.root, path: joinPath(at.path, temporary) })
    } catch {
      return journal.abandon(unit)
    }
    await db.transact(terminalViewer, tx => closeUnit(tx, unit))
  }

  /** Writes a file that is there whole or as it was; `held` is its folder. Throws what `disk.write` throws. */
  async function write(
    viewer: Viewer,
    { place, held }: { place: Place; held: HeldFolder },
    content: Uint8Array | AsyncIterable<Uint8Array>,
    how: WriteOptions,
  ): Promise<void> {
    const { dir, name } = splitPath(place.at.path)
    const begun = await begin(viewer, { root: place.at.root, path: dir })
    try {
      const at = { root: held.at.root, path: joinPath(held.at.path, name) }
      await disk.write(at, content, { ...how, temporary: begun.temporary })
    } catch (error) {
      await takeBack(begun, held)
      throw error
    }
    await db.transact(viewer, tx => closeUnit(tx, begun.unit))
  }

  return { hold, begin, takeBack, write }
}
