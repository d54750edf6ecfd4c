/** Keeps the previous bytes of an item whose file was replaced, in the data directory for some time. */
import { limits } from '../../../schema/limits.ts'
import type { DiskPlace } from '../../files/anchor.ts'
import type { Disk } from '../../files/disk.ts'
import { bytesOfRaw, bytesOfText, joinPath } from '../../files/names.ts'
import { temporaryName } from '../../files/write-whole.ts'
import { removeTree } from '../../journal/remove-tree.ts'
import type { Clock } from '../../kernel/clock.ts'
import { makePathsPrivate } from '../../kernel/data/private-files.ts'
import type { Log } from '../../kernel/log.ts'
import { listDirectory } from '../../survey/walk.ts'

const folder = bytesOfText('replaced')
const dayMs = 86_400_000

/** The copies are in `replaced/YYYY-MM-DD/ITEM-RANDOM-NAME` of the data directory. */
export function createKeptBytes({ data, disk, clock, log }: { data: string; disk: Disk; clock: Clock; log: Log }) {
  const inData = (...names: Uint8Array[]): DiskPlace => ({ root: data, path: joinPath(folder, ...names) })

  /** Removes the folders of expired days; folders whose name is no date are not touched. */
  async function prune(): Promise<void> {
    const oldest = new Date(clock.now() - limits.recycledDays * dayMs).toISOString().slice(0, 10)
    for (const { raw, kind } of listDirectory(data, folder)?.entries ?? []) {
      if (kind !== 'dir' || !/^\d{4}-\d{2}-\d{2}$/.test(raw) || raw >= oldest) continue
      try {
        await removeTree(disk, inData(bytesOfRaw(raw)))
      } catch (error) {
        log.warn('expired copies of replaced files could not be removed', { day: raw, error })
      }
    }
  }

  return {
    prune,

    /** Copies a file completely and flushes it before returning. `name`: the file's name on the disk. */
    async keep(itemId: number, file: DiskPlace, name: Uint8Array): Promise<void> {
      await prune()
      const day = bytesOfText(new Date(clock.now()).toISOString().slice(0, 10))
      disk.makeDirectory(inData(day))
      const temporary = inData(day, temporaryName())
      await disk.copyTemporary(file, temporary, { keep: false })
      const unique = bytesOfText(`${itemId}-${crypto.randomUUID().slice(0, 8)}-`)
      const kept = inData(day, Buffer.concat([unique, name.subarray(0, 200)]))
      disk.move(temporary, kept)
      // Until now, the copy has had the permissions of the original.
      makePathsPrivate([inData(), inData(day), kept].map(({ path }) => joinPath(bytesOfText(data), path)))
    },
  }
}

export type KeptBytes = ReturnType<typeof createKeptBytes>
