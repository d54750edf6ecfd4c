/** Unpacks zips into a folder: everything appears at once, or nothing does, for example if a name is taken. */
import { Failure, sentence } from '../../../schema/errors.ts'
import { terminalViewer } from '../../accounts/access.ts'
import type { DiskPlace } from '../../files/anchor.ts'
import type { Disk } from '../../files/disk.ts'
import { bytesOfText, joinPath } from '../../files/names.ts'
import { readZip, type ZipMember, zipLimits } from '../../files/zip-in.ts'
import { closeUnit, recordUnit } from '../../journal/journal.ts'
import { removeTree } from '../../journal/remove-tree.ts'
import { beginUnit } from '../../moving/journal-units.ts'
import { isDotName } from '../dot-names.ts'
import { fileFailure } from '../file-failures.ts'
import type { FilePlace } from '../places.ts'
import { type Change, nameTaken, requireFolder, requireWritablePlace, stoppable } from './change-parts.ts'
import { beginAssembly, type HeldFolder, holdFolder, undoAssembly } from './held-folders.ts'
import type { Changed } from './synchronizer.ts'
import { createYielder } from './yielding.ts'

/** A top-level entry of an archive, moved to its place as a whole. */
interface Top {
  name: Buffer
  isFolder: boolean
  /** Size in bytes; 0 for a folder. */
  size: number
}

function topsOf(members: readonly ZipMember[]): Top[] {
  const tops = new Map<string, Top>()
  for (const { names, isFolder, size } of members) {
    const [top = ''] = names
    const isAFolder = names.length > 1 || isFolder
    tops.set(top, { name: bytesOfText(top), isFolder: isAFolder, size: isAFolder ? 0 : size })
  }
  return [...tops.values()]
}

/** Number of names that are checked or renamed before other work gets a turn. */
const namesAtOnce = 200

function* inPieces<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += namesAtOnce) yield list.slice(at, at + namesAtOnce)
}

/** Leaves out members with a name that begins with a dot: every archive made on a Mac contains such names. */
function visibleMembers(members: readonly ZipMember[]): ZipMember[] {
  const kept = members.filter(({ names }) => !names.some(isDotName))
  if (kept.length > 0 || members.length === 0) return kept
  throw new Failure(
    'invalid',
    'The archive holds only names that begin with a dot. These are not unpacked here: unpack it in a terminal.',
    { field: 'item' },
  )
}

/** Unpacks members into a new directory. Fails if another process removes it, rather than create it again in part. */
async function unpack({ disk, signal }: Change, members: readonly ZipMember[], into: DiskPlace) {
  disk.createDirectory(into)
  const held = disk.hold(into)
  try {
    await fill(disk, members, held === null ? into : { root: held.root, path: Buffer.of() }, signal)
  } finally {
    held?.close()
  }
}

/** Unpacks members into a directory. One flush at the end suffices, and is faster: no file has its final name yet. */
async function fill(disk: Disk, members: readonly ZipMember[], into: DiskPlace, signal: AbortSignal | undefined) {
  const yieldIfDue = createYielder(signal)
  const inside = (names: readonly string[]) => within(into, ...names.map(bytesOfText))
  const made = new Set<string>([''])
  for (const { names, isFolder, modified, content } of members) {
    await yieldIfDue()
    const folder = isFolder ? names : names.slice(0, -1)
    for (let depth = 1; depth <= folder.length; depth++) {
      const above = folder.slice(0, depth)
      const key = above.join('/')
      if (!made.has(key)) disk.makeDirectory(inside(above), { flush: false })
      made.add(key)
    }
    if (isFolder) continue
    const how = modified === null ? { flush: false } : { flush: false, modified }
    await disk.writeUnhashed(inside(names), stoppable(content(), signal), how)
  }
  if (await disk.syncFileSystem(into)) return
  for (const { names, isFolder } of members) if (!isFolder) await disk.syncFile(inside(names))
  for (const key of made) disk.sync(inside(key === '' ? [] : key.split('/')))
}

function within({ root, path }: DiskPlace, ...names: Uint8Array[]): DiskPlace {
  return { root, path: joinPath(path, ...names) }
}

/** Renames all top-level entries into the folder, or none. `here` is the held folder; the journal records its path. */
async function moveTops(
  change: Change,
  { folder, here, from }: { folder: DiskPlace; here: DiskPlace; from: Buffer },
  tops: readonly Top[],
): Promise<void> {
  const { db, disk, viewer } = change
  const moves = tops.map(({ name, size }) => ({
    operation: 'move' as const,
    size,
    source: within(folder, from, name),
    destination: within(folder, name),
  }))
  const unit = await beginUnit(change, viewer, moves)
  const unpacked = within(here, from)
  const named: Buffer[] = []
  const yieldIfDue = createYielder()
  try {
    for (const piece of inPieces(tops)) {
      await yieldIfDue()
      const names = piece.map(({ name }) => name)
      disk.moveNames(unpacked, here, names, name => named.push(name))
    }
    disk.sync(here)
    await db.transact(viewer, tx => recordUnit(tx, unit))
  } catch (error) {
    await moveTopsBack(change, unit, { here, unpacked, named })
    throw error
  }
}

/** Moves renamed entries back into the temporary folder, with which they are removed. */
async function moveTopsBack(
  { db, disk, journal, viewer }: Change,
  unit: string,
  { here, unpacked, named }: { here: DiskPlace; unpacked: DiskPlace; named: readonly Buffer[] },
) {
  try {
    const yieldIfDue = createYielder()
    for (const piece of inPieces(named)) {
      await yieldIfDue()
      disk.moveNames(here, unpacked, piece, () => {})
    }
  } catch {
    return journal.abandon(unit)
  }
  await db.transact(viewer, tx => closeUnit(tx, unit))
}

/** Throws 409 if a name of the archive is taken in the folder. */
async function requireFree({ disk, places, viewer, signal }: Change, { folder, held }: Target, tops: readonly Top[]) {
  const yieldIfDue = createYielder(signal)
  for (const piece of inPieces(tops)) {
    await yieldIfDue()
    const names = piece.map(({ name }) => name)
    const taken = disk.firstTaken(held.at, names)
    if (taken === null) continue
    const target = places.within(folder, taken)
    await places.requireUnhidden(viewer, target, 'item')
    throw nameTaken(target.virtual, 'item')
  }
}

/** The requested folder. It is held, so that entries go into it even if its path changes meanwhile. */
interface Target {
  folder: FilePlace
  held: HeldFolder
}

/** Unpacks into a temporary folder in the target, and then renames everything into the target at once. */
async function moveToFolder(
  change: Change,
  { folder, held }: Target,
  { members, tops }: { members: readonly ZipMember[]; tops: readonly Top[] },
): Promise<void> {
  const started = await beginAssembly(change, folder.at)
  const unpacked = within(held.at, started.temporary)
  try {
    await unpack(change, members, unpacked)
    await moveTops(change, { folder: folder.at, here: held.at, from: started.temporary }, tops)
  } catch (error) {
    await undoAssembly(change, started, held)
    throw error
  }
  try {
    await removeTree(change.disk, unpacked)
    await change.db.transact(terminalViewer, tx => closeUnit(tx, started.unit))
  } catch (error) {
    // All files are in place; only the temporary folder is left, which the next start removes.
    change.log.warn('a temporary folder of an archive could not be removed', { error })
  }
}

/** Directories to synchronize: the target folder itself, and each unpacked folder with everything below it. */
function changedBy({ collection, dir }: Changed, tops: readonly Top[]): Changed[] {
  const below = tops.flatMap(({ name, isFolder }) => (isFolder ? [name] : []))
  return [{ collection, dir }, ...below.map(name => ({ collection, dir: joinPath(dir, name), deep: true }))]
}

export async function unarchiveInto(change: Change, folder: FilePlace, archive: FilePlace): Promise<void> {
  const { disk, places, synchronizer } = change
  requireFolder(places, folder)
  requireWritablePlace(folder)
  if (places.requireEntry(archive, 'item').kind !== 'file')
    throw new Failure('invalid', sentence`${archive.virtual} is a folder, not an archive.`, { field: 'item' })
  const file = await disk.openAsync(archive.at).catch((error: unknown) => {
    throw fileFailure(error, archive, 'item')
  })
  let held: HeldFolder | null = null
  try {
    held = holdFolder(change, folder)
    const members = visibleMembers(await readZip(file, { ...zipLimits, bytes: change.limit * 10 }))
    const tops = topsOf(members)
    await requireFree(change, { folder, held }, tops)
    await moveToFolder(change, { folder, held }, { members, tops })
    const changed = await held.changed()
    if (changed !== null) await synchronizer.synchronize(change.viewer, changedBy(changed, tops))
  } catch (error) {
    throw fileFailure(error, folder)
  } finally {
    held?.close()
    file.close()
  }
}
