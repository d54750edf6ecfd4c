/** Holds a folder open while a file is created in it, so that the file ends up there even if the folder is renamed. */
import { terminalViewer } from '../../accounts/access.ts'
import type { DiskPlace } from '../../files/anchor.ts'
import { joinPath, rawOf } from '../../files/names.ts'
import { temporaryName, type WriteOptions } from '../../files/write-whole.ts'
import { closeUnit } from '../../journal/journal.ts'
import { removeTree } from '../../journal/remove-tree.ts'
import { beginUnit } from '../../moving/journal-units.ts'
import { absoluteRaw, type FilePlace } from '../places.ts'
import { type Change, folderOf, nameOfPlace } from './change-parts.ts'
import type { Changed } from './synchronizer.ts'

export interface HeldFolder {
  /** The folder itself, whatever its path is now. */
  at: DiskPlace
  /** False if the system cannot hold a directory: then `at` is the path that the folder had. */
  isHeld: boolean
  /** The folder in its collection, by its current path (if it is gone, by its last one); null outside collections. */
  changed(): Promise<Changed | null>
  close(): void
}

/** The journal's unit for files that are assembled under a temporary name in a folder. */
export interface Assembly {
  unit: string
  temporary: Buffer
}

/** Holds a folder open. Throws disk errors about the folder. */
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

/** Records where something is assembled, so that recovery after a crash removes it. */
export async function beginAssembly(change: Change, { root, path }: DiskPlace): Promise<Assembly> {
  const temporary = temporaryName()
  const beside: DiskPlace = { root, path: joinPath(path, temporary) }
  const unit = await beginUnit(change, change.viewer, [{ operation: 'write', source: beside, temporary: beside }])
  return { unit, temporary }
}

/** Removes what was assembled in a folder: through its handle if there is one, since the path may have changed. */
export async function undoAssembly(
  { db, disk, journal }: Change,
  { unit, temporary }: Assembly,
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

/** Writes a file atomically; `held` is its folder. Throws the errors of `disk.write`. */
export async function writeInto(
  change: Change,
  { place, held }: { place: FilePlace; held: HeldFolder },
  content: Uint8Array | AsyncIterable<Uint8Array>,
  how: WriteOptions,
): Promise<void> {
  const started = await beginAssembly(change, folderOf(place).at)
  try {
    const at = { root: held.at.root, path: joinPath(held.at.path, nameOfPlace(place)) }
    await change.disk.write(at, content, { ...how, temporary: started.temporary })
  } catch (error) {
    await undoAssembly(change, started, held)
    throw error
  }
  await change.db.transact(change.viewer, tx => closeUnit(tx, started.unit))
}
