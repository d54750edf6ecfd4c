/** Writes files below a root, completely and durably. */
import { type DiskPlace, namesOnPath } from './anchor.ts'
import { type Copied, copyOpen, type Written, writeHashed } from './copying.ts'
import { findTool } from './find-tool.ts'
import { displayName } from './names.ts'
import type { OpenFile } from './open-file.ts'
import { type PlaceAccess, withErrorPath } from './place-access.ts'
import { flushFile, type WriteOptions, writeNew, writeWhole } from './write-whole.ts'

export function createDiskWriting(
  { calls, anchoring, inDirectory, withinAsync }: PlaceAccess,
  { open }: { open: (place: DiskPlace) => OpenFile },
) {
  return {
    /**
     * Writes a file completely or not at all: a temporary file beside it is checked, flushed and renamed. The file is
     * durable when this returns. A file that replaces another gets its owner, rights and attributes.
     */
    write: (place: DiskPlace, content: Uint8Array | AsyncIterable<Uint8Array>, how: WriteOptions = {}): Promise<void> =>
      withinAsync(place, (directory, name) => writeWhole(calls, directory, name, content, how)),

    /**
     * Writes a new file directly under this name, flushed, and returns what it wrote. The file is incomplete meanwhile,
     * so use names that scans skip (see `isTemporaryName`). The directory is not flushed.
     */
    writeTemporary: (
      place: DiskPlace,
      content: AsyncIterable<Uint8Array>,
      how: { modified?: number; limit?: number; tooMany?: () => Error; signal?: AbortSignal } = {},
    ): Promise<Written> =>
      withinAsync(place, (directory, name) => writeHashed(directory, name, content, { mode: 0o666, ...how })),

    /** Like `writeTemporary`, without a hash. With `flush: false`, the caller flushes the bytes later (`syncFile`). */
    writeUnhashed: (
      place: DiskPlace,
      content: AsyncIterable<Uint8Array>,
      how: { modified?: number; flush?: boolean } = {},
    ): Promise<void> =>
      withinAsync(place, (directory, name) => writeNew(directory.entry(name), content, { mode: 0o666, ...how })),

    /** Like `writeTemporary`, for a copy of another file: see `copyOpen`. */
    copyTemporary: (
      from: DiskPlace,
      to: DiskPlace,
      how: { keep: boolean; signal?: AbortSignal | undefined },
    ): Promise<Copied> => withinAsync(to, (directory, name) => copyOpen(calls, open(from), directory, name, how)),

    /** Flushes names that were created, renamed or removed in a directory. */
    sync: (place: DiskPlace): void => inDirectory(place, directory => directory.sync()),

    /** Flushes the bytes of one file. */
    syncFile: (place: DiskPlace): Promise<void> =>
      withinAsync(place, (directory, name) => flushFile(directory.entry(name))),

    /**
     * Flushes the whole file system of a directory (syncfs), in a child process because it may take long: for thousands
     * of files it is far cheaper than flushing each. False if `sync` is missing, too old for `-f`, or reports an error.
     */
    async syncFileSystem(place: DiskPlace): Promise<boolean> {
      const tool = findTool('sync', undefined)
      if (tool === null) return false
      const directory = withErrorPath(place, () => anchoring.directory(place.root, namesOnPath(place)))
      try {
        const { fd, entry } = directory
        const path = fd === null ? displayName(entry(Buffer.of())) : `/proc/${process.pid}/fd/${fd}`
        const child = Bun.spawn([tool, '-f', path], { stdio: ['ignore', 'ignore', 'ignore'] })
        return (await child.exited) === 0
      } finally {
        directory.close()
      }
    },
  }
}
