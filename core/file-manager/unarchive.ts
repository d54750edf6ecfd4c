/** Unpacks zips into a folder: all of it appears at once under names that are free, or nothing does. */
import { Failure } from '../../schema/errors.ts'
import { terminalViewer, type Viewer } from '../access.ts'
import type { Place as DiskPlace } from '../files/anchor.ts'
import { bytesOfText, joinPath } from '../files/names.ts'
import type { OpenFile } from '../files/open-file.ts'
import { temporaryName } from '../files/write-whole.ts'
import { readZip, type ZipMember, zipLimits } from '../files/zip-in.ts'
import { closeUnit, holderOfProcess, type JournalEntry, recordUnit, writeJournal } from '../moving/journal.ts'
import { removeTree } from '../moving/remove-tree.ts'
import type { Changed } from './bring-in.ts'
import { type ChangeParts, demandFolder, demandWritable, takenName } from './change-parts.ts'
import { fileFailure } from './file-failures.ts'
import type { Place } from './places.ts'

/** Names that an archive has at its top: each is moved to its place as a whole. */
function topsOf(members: readonly ZipMember[]): Map<string, boolean> {
  const tops = new Map<string, boolean>()
  for (const { names, isFolder } of members) {
    const [top = ''] = names
    tops.set(top, names.length > 1 || isFolder)
  }
  return tops
}

export function createUnarchiving(parts: ChangeParts) {
  const { db, clock, disk, journal, places, bringIn, limit, log } = parts

  async function unpack(members: readonly ZipMember[], into: DiskPlace, signal: AbortSignal | undefined) {
    const inside = (names: readonly string[]): DiskPlace => ({
      root: into.root,
      path: joinPath(into.path, ...names.map(bytesOfText)),
    })
    disk.newDirectory(into)
    const made = new Set<string>()
    for (const member of members) {
      signal?.throwIfAborted()
      const folder = member.isFolder ? member.names : member.names.slice(0, -1)
      const key = folder.join('/')
      if (!made.has(key) && folder.length > 0) disk.makeDirectory(inside(folder))
      made.add(key)
      if (member.isFolder) continue
      await disk.writeTemporary(inside(member.names), member.content(), {
        limit: member.size,
        ...(member.modified === null ? {} : { modified: member.modified }),
        ...(signal === undefined ? {} : { signal }),
      })
    }
    for (const key of made) if (key !== '') disk.sync(inside(key.split('/')))
  }

  /**
   * Everything at the archive's top gets its name in the folder, or nothing does. `here` is the folder as it is held: the
   * journal has its path, by which others find it.
   */
  async function place(
    viewer: Viewer,
    { folder, here, from }: { folder: DiskPlace; here: DiskPlace; from: Buffer },
    tops: readonly Buffer[],
  ): Promise<void> {
    const unit = crypto.randomUUID()
    const way = ({ root, path }: DiskPlace, name: Buffer) => ({
      source: { root, path: joinPath(path, from, name) },
      destination: { root, path: joinPath(path, name) },
    })
    const ways = tops.map(name => way(folder, name))
    const held = tops.map(name => way(here, name))
    const sizes = held.map(({ source }) => disk.stat(source)?.size ?? 0)
    const entries = ways.map(
      (way, n): JournalEntry => ({
        unit,
        operation: 'move',
        itemId: null,
        temporary: null,
        hash: null,
        size: sizes[n] ?? 0,
        ...way,
      }),
    )
    await db.transact(viewer, tx => {
      writeJournal(tx, holderOfProcess(), entries, clock.now())
    })
    try {
      for (const { source, destination } of held) disk.move(source, destination, { flush: false })
      disk.sync(here)
      await db.transact(viewer, tx => recordUnit(tx, unit))
    } catch (error) {
      await journal.abandon(unit)
      throw error
    }
  }

  /** What is unpacked goes into the folder that was asked for, whatever takes its place meanwhile. */
  function holdFolder(folder: Place, archive: OpenFile) {
    try {
      return disk.hold(folder.at)
    } catch (error) {
      archive.close()
      throw fileFailure(error, folder)
    }
  }

  /** By its path the folder may be out of reach now: then only who holds it can remove what was unpacked. */
  async function takeBack(unit: string, unpacked: DiskPlace, isHeld: boolean): Promise<void> {
    const isGone = await removeTree(disk, unpacked).then(
      () => isHeld,
      () => false,
    )
    if (isGone) await db.transact(terminalViewer, tx => closeUnit(tx, unit))
    else await journal.abandon(unit)
  }

  /** Folders of the archive are brought in whole; the files beside them with the folder that they came into. */
  function changedBy({ collection, inCollection }: Place, tops: ReadonlyMap<string, boolean>): Changed[] {
    if (collection === null || inCollection === null) return []
    const folders = [...tops].flatMap(([name, isFolder]) => (isFolder ? [bytesOfText(name)] : []))
    return [
      { collection, dir: inCollection },
      ...folders.map(name => ({ collection, dir: joinPath(inCollection, name), deep: true })),
    ]
  }

  return {
    async unarchive(viewer: Viewer, folder: Place, archive: Place, signal?: AbortSignal): Promise<void> {
      demandFolder(places, folder)
      demandWritable(folder)
      if (places.look(archive, 'item').kind !== 'file')
        throw new Failure('invalid', `${archive.virtual} is a folder, not an archive.`, { field: 'item' })
      const temporary = temporaryName()
      const into: DiskPlace = { root: folder.at.root, path: joinPath(folder.at.path, temporary) }
      const file = await disk.openAsync(archive.at).catch((error: unknown) => {
        throw fileFailure(error, archive, 'item')
      })
      const held = holdFolder(folder, file)
      const here: DiskPlace = held === null ? folder.at : { root: held.root, path: Buffer.of() }
      const unpacked: DiskPlace = { root: here.root, path: joinPath(here.path, temporary) }
      const unit = crypto.randomUUID()
      let tops = new Map<string, boolean>()
      let isPlaced = false
      try {
        const members = await readZip(file, { ...zipLimits, bytes: limit * 10 })
        tops = topsOf(members)
        const names = [...tops.keys()].map(bytesOfText)
        for (const name of names) {
          const target = places.within(folder, name)
          if (disk.stat(target.at) !== null) throw takenName(target.virtual, 'item')
        }
        const entry = { unit, operation: 'write' as const, itemId: null, hash: null, size: 0 }
        await db.transact(viewer, tx => {
          writeJournal(
            tx,
            holderOfProcess(),
            [{ ...entry, source: into, destination: null, temporary: into }],
            clock.now(),
          )
        })
        await unpack(members, unpacked, signal)
        await place(viewer, { folder: folder.at, here, from: temporary }, names)
        isPlaced = true
        await removeTree(disk, unpacked)
        await db.transact(terminalViewer, tx => closeUnit(tx, unit))
      } catch (error) {
        // All of it lies where it should: only what was left over has not gone, and the next start sees to that.
        if (isPlaced) log.warn('a temporary folder of an archive could not be removed', { error })
        else {
          await takeBack(unit, unpacked, held !== null)
          throw fileFailure(error, folder)
        }
      } finally {
        held?.close()
        file.close()
      }
      await bringIn.follow(viewer, changedBy(folder, tops))
    },
  }
}
