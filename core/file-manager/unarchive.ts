/** Unpacks zips into a folder: all of it appears at once under names that are free, or nothing does. */
import { Failure } from '../../schema/errors.ts'
import { terminalViewer, type Viewer } from '../access.ts'
import type { Place as DiskPlace } from '../files/anchor.ts'
import { bytesOfText, joinPath } from '../files/names.ts'
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

  /** Everything at the archive's top gets its name in the folder, or nothing does. */
  async function place(viewer: Viewer, folder: Place, from: DiskPlace, tops: readonly Buffer[]): Promise<void> {
    const unit = crypto.randomUUID()
    const ways = tops.map(name => ({
      source: { root: from.root, path: joinPath(from.path, name) },
      destination: places.within(folder, name).at,
    }))
    const sizes = ways.map(({ source }) => disk.stat(source)?.size ?? 0)
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
      for (const { source, destination } of ways) disk.move(source, destination, { flush: false })
      disk.sync(folder.at)
      await db.transact(viewer, tx => recordUnit(tx, unit))
    } catch (error) {
      await journal.abandon(unit)
      throw error
    }
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
      const file = await disk.openAsync(archive.at).catch((error: unknown) => {
        throw fileFailure(error, archive, 'item')
      })
      const into: DiskPlace = { root: folder.at.root, path: joinPath(folder.at.path, temporaryName()) }
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
        await unpack(members, into, signal)
        await place(viewer, folder, into, names)
        isPlaced = true
        await removeTree(disk, into)
        await db.transact(terminalViewer, tx => closeUnit(tx, unit))
      } catch (error) {
        // All of it lies where it should: only what was left over has not gone, and the next start sees to that.
        if (isPlaced) log.warn('a temporary folder of an archive could not be removed', { error })
        else {
          await journal.abandon(unit)
          throw fileFailure(error, folder)
        }
      } finally {
        file.close()
      }
      await bringIn.follow(viewer, changedBy(folder, tops))
    },
  }
}
