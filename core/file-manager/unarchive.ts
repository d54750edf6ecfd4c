/** Unpacks zips into a folder: all of it appears at once under names that are free, or nothing does. */
import { Failure } from '../../schema/errors.ts'
import { terminalViewer, type Viewer } from '../access.ts'
import type { Place as DiskPlace } from '../files/anchor.ts'
import { bytesOfText, joinPath } from '../files/names.ts'
import type { OpenFile } from '../files/open-file.ts'
import { readZip, type ZipMember, zipLimits } from '../files/zip-in.ts'
import { closeUnit, holderOfProcess, type JournalEntry, recordUnit, writeJournal } from '../moving/journal.ts'
import { removeTree } from '../moving/remove-tree.ts'
import type { Changed } from './bring-in.ts'
import { type ChangeParts, demandFolder, demandWritable, takenName } from './change-parts.ts'
import { fileFailure } from './file-failures.ts'
import { createHeldFolders, type HeldFolder } from './held-folders.ts'
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
  const folders = createHeldFolders(parts)

  /** What takes the new directory away ends this: it is held, and never made a second time with less in it. */
  async function unpack(members: readonly ZipMember[], into: DiskPlace, signal: AbortSignal | undefined) {
    disk.newDirectory(into)
    const held = disk.hold(into)
    try {
      await fill(members, held === null ? into : { root: held.root, path: Buffer.of() }, signal)
    } finally {
      held?.close()
    }
  }

  async function fill(members: readonly ZipMember[], into: DiskPlace, signal: AbortSignal | undefined) {
    const inside = (names: readonly string[]): DiskPlace => ({
      root: into.root,
      path: joinPath(into.path, ...names.map(bytesOfText)),
    })
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
    const named: typeof held = []
    try {
      for (const way of held) {
        disk.move(way.source, way.destination, { flush: false })
        named.unshift(way)
      }
      disk.sync(here)
      await db.transact(viewer, tx => recordUnit(tx, unit))
    } catch (error) {
      await unname(viewer, unit, named)
      throw error
    }
  }

  /** What has its name already goes back, to be removed with the rest. */
  async function unname(viewer: Viewer, unit: string, ways: readonly { source: DiskPlace; destination: DiskPlace }[]) {
    try {
      for (const { source, destination } of ways) disk.move(destination, source, { flush: false })
    } catch {
      return journal.abandon(unit)
    }
    await db.transact(viewer, tx => closeUnit(tx, unit))
  }

  /** What is unpacked goes into the folder that was asked for, whatever takes its place meanwhile. */
  function holdFolder(folder: Place, archive: OpenFile): HeldFolder {
    try {
      return folders.hold(folder)
    } catch (error) {
      archive.close()
      throw fileFailure(error, folder)
    }
  }

  /** Unpacks beside what is there, and then gives everything its name at once. */
  async function bringTo(
    viewer: Viewer,
    { folder, held }: { folder: Place; held: HeldFolder },
    members: readonly ZipMember[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const begun = await folders.begin(viewer, folder.at)
    const unpacked: DiskPlace = { root: held.at.root, path: joinPath(held.at.path, begun.temporary) }
    try {
      await unpack(members, unpacked, signal)
      const names = [...topsOf(members).keys()].map(bytesOfText)
      await place(viewer, { folder: folder.at, here: held.at, from: begun.temporary }, names)
    } catch (error) {
      await folders.takeBack(begun, held)
      throw error
    }
    try {
      await removeTree(disk, unpacked)
      await db.transact(terminalViewer, tx => closeUnit(tx, begun.unit))
    } catch (error) {
      // All of it lies where it should: only what was left over has not gone, and the next start sees to that.
      log.warn('a temporary folder of an archive could not be removed', { error })
    }
  }

  /** Folders of the archive are brought in whole; the files beside them with the folder that they came into. */
  function changedBy({ collection, dir }: Changed, tops: ReadonlyMap<string, boolean>): Changed[] {
    const below = [...tops].flatMap(([name, isFolder]) => (isFolder ? [bytesOfText(name)] : []))
    return [{ collection, dir }, ...below.map(name => ({ collection, dir: joinPath(dir, name), deep: true }))]
  }

  return {
    async unarchive(viewer: Viewer, folder: Place, archive: Place, signal?: AbortSignal): Promise<void> {
      demandFolder(places, folder)
      demandWritable(folder)
      if (places.look(archive, 'item').kind !== 'file')
        throw new Failure('invalid', `${archive.virtual} is a folder, not an archive.`, { field: 'item' })
      const file = await disk.openAsync(archive.at).catch((error: unknown) => {
        throw fileFailure(error, archive, 'item')
      })
      const held = holdFolder(folder, file)
      try {
        const members = await readZip(file, { ...zipLimits, bytes: limit * 10 })
        const tops = topsOf(members)
        for (const name of tops.keys()) {
          const target = places.within(folder, bytesOfText(name))
          if (disk.stat(target.at) !== null) throw takenName(target.virtual, 'item')
        }
        await bringTo(viewer, { folder, held }, members, signal)
        const changed = await held.changed()
        if (changed !== null) await bringIn.follow(viewer, changedBy(changed, tops))
      } catch (error) {
        throw fileFailure(error, folder)
      } finally {
        held.close()
        file.close()
      }
    },
  }
}
