/** Folders that stay in hand while something comes into them: whatever they are called meanwhile, it is in them or nowhere. */
import { terminalViewer } from '../../accounts/access.ts'
import type { DiskPlace } from '../../files/anchor.ts'
import { joinPath, rawOf } from '../../files/names.ts'
import { temporaryName, type WriteOptions } from '../../files/write-whole.ts'
import { closeUnit } from '../../journal/journal.ts'
import { removeTree } from '../../journal/remove-tree.ts'
import { beginUnit } from '../../moving/journal-units.ts'
import { absoluteRaw, type FilePlace } from '../places.ts'
import type { Changed } from './bring-in.ts'
import { type Change, folderOf, nameOf } from './change-parts.ts'

export interface HeldFolder {
  /** The folder itself, wherever it is. */
  at: DiskPlace
  /** False where the system can't hold one: then it is found by its path. */
  isHeld: boolean
  /** Where the library finds it now; null where it is in no collection, or is gone. */
  changed(): Promise<Changed | null>
  close(): void
}

/** A unit of the journal for what is put together under a name of ours in a folder. */
export interface Begun {
  unit: string
  temporary: Buffer
}

/** Throws what the disk says of the folder. */
export function holdFolder({ disk, places }: Change, folder: FilePlace): HeldFolder {
  const { at, collection, inCollection } = folder
  const held = disk.hold(at)
  const request = collection === null || inCollection === null ? null : { collection, dir: inCollection }
  const before = absoluteRaw(at)
  return {
    at: held === null ? at : { root: held.root, path: Buffer.of() },
    isHeld: held !== null,
    async changed() {
      const now = held?.path() ?? null
      if (now === null || rawOf(now) === before) return request
      const found = await places.inCollection(now)
      return found === null ? null : { collection: found.collection, dir: found.path }
    },
    close: () => held?.close(),
  }
}

/** Notes where something is put together, so that whoever comes after a kill removes it. */
export async function openFolder(change: Change, { root, path }: DiskPlace): Promise<Begun> {
  const temporary = temporaryName()
  const beside: DiskPlace = { root, path: joinPath(path, temporary) }
  const unit = await beginUnit(change, change.viewer, [{ operation: 'write', source: beside, temporary: beside }])
  return { unit, temporary }
}

/** By its path the folder may be out of reach now: then only who holds it can remove what was put together in it. */
export async function undoFolder(
  { db, disk, journal }: Change,
  { unit, temporary }: Begun,
  { at, isHeld }: HeldFolder,
): Promise<void> {
  if (!isHeld) return journal.abandon(unit)
  try {
    await removeTree(disk, { root: at.root, path: joinPath(at.path, temporary) })
  } catch {
    return journal.abandon(unit)
  }
  await db.transact(terminalViewer, tx => closeUnit(tx, unit))
}

/** Writes a file that is there whole or as it was; `held` is its folder. Throws what `disk.write` throws. */
export async function writeInto(
  change: Change,
  { place, held }: { place: FilePlace; held: HeldFolder },
  content: Uint8Array | AsyncIterable<Uint8Array>,
  how: WriteOptions,
): Promise<void> {
  const started = await openFolder(change, folderOf(place).at)
  try {
    const at = { root: held.at.root, path: joinPath(held.at.path, nameOf(place)) }
    await change.disk.write(at, content, { ...how, temporary: started.temporary })
  } catch (error) {
    await undoFolder(change, started, held)
    throw error
  }
  await change.db.transact(change.viewer, tx => closeUnit(tx, started.unit))
}
