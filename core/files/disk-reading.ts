/** Examines and reads entries below a root. */
import { accessSync, constants, lstatSync, readlinkSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Failure, sentence } from '../../schema/errors.ts'
import { type DiskPlace, namesOnPath } from './anchor.ts'
import { hashOfOpen } from './copying.ts'
import { codeOf, DiskError } from './disk-error.ts'
import { bytesOfText, joinPath } from './names.ts'
import { type FileFacts, type OpenFile, openRegularFile, timesOf } from './open-file.ts'
import { errorWithPath, type PlaceAccess, withErrorPath } from './place-access.ts'

/** The entry at a path; for a link, the link itself and not its target. */
export interface PlaceFacts extends FileFacts {
  kind: 'file' | 'dir' | 'link' | 'other'
  /** Decimal numbers as text: they may be too large for a number. */
  device: string
  inode: string
}

/** An open directory: see `hold`. */
export interface HeldDirectory {
  root: Uint8Array
  /** Its current path, absolute, as bytes; null if it was removed. */
  path(): Buffer | null
  close(): void
}

/** Bytes of a file by its absolute path; null if it is missing, unreadable, a link, not regular or above `limit`. */
export function readRegularFile(path: string | Uint8Array, limit: number): Uint8Array | null {
  try {
    return readAndClose(openRegularFile(typeof path === 'string' ? bytesOfText(path) : path), limit)
  } catch (error) {
    if (error instanceof Failure || codeOf(error) !== null) return null
    throw error
  }
}

function readAndClose(file: OpenFile, limit: number): Uint8Array {
  try {
    if (file.size > limit) throw new Failure('tooLarge', sentence`The file has ${file.size} bytes, more than ${limit}`)
    return file.read(0, file.size)
  } finally {
    file.close()
  }
}

/** Runs `work`; null for a missing entry. */
function unlessAbsent<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof DiskError && error.code === 'ENOENT') return null
    throw error
  }
}

export function createDiskReading({ anchoring, within, inDirectory }: PlaceAccess) {
  const open = (place: DiskPlace): OpenFile =>
    within(place, (directory, name) => openRegularFile(directory.entry(name)))

  return {
    /** The entry at a place; null if there is none. */
    stat: (place: DiskPlace): PlaceFacts | null =>
      unlessAbsent(() => within(place, (directory, name) => factsOf(directory.entry(name)))),

    /** Opens a regular file; the caller closes it. */
    open,

    /** Like `open`, without blocking the process: waits for a sleeping disk first, then opening takes microseconds. */
    async openAsync(place: DiskPlace): Promise<OpenFile> {
      const root = typeof place.root === 'string' ? bytesOfText(place.root) : place.root
      // Any error is reported by opening the file.
      await stat(joinPath(root, ...namesOnPath(place))).catch(() => null)
      return open(place)
    },

    /** Bytes of a whole file; throws `tooLarge` if it has more than `limit`. */
    read(place: DiskPlace, limit: number): Uint8Array {
      return withErrorPath(place, () => readAndClose(open(place), limit))
    },

    /** SHA-256 of a whole file as 64 hex digits. */
    async hash(place: DiskPlace): Promise<string> {
      const file = open(place)
      try {
        return await hashOfOpen(file)
      } catch (error) {
        throw errorWithPath(error, place)
      } finally {
        file.close()
      }
    },

    /** Holds a directory open as a root that stays valid if its path changes. Null if the system cannot do that. */
    hold(place: DiskPlace): HeldDirectory | null {
      return withErrorPath(place, () => {
        const directory = anchoring.directory(place.root, namesOnPath(place))
        const { fd } = directory
        if (fd !== null) {
          const root = bytesOfText(`/proc/self/fd/${fd}`)
          return { root, path: () => pathOfHeld(root), close: directory.close }
        }
        directory.close()
        return null
      })
    },

    /** The kind of the entry, for messages; null if there is none. */
    kindOf: (place: DiskPlace): string | null => within(place, (directory, name) => kindOf(directory.entry(name))),

    /** Whether this process may create, rename and remove names in a directory. */
    mayChange(place: DiskPlace): boolean {
      return inDirectory(place, ({ entry }) => {
        try {
          accessSync(entry(bytesOfText('.')), constants.W_OK | constants.X_OK)
          return true
        } catch {
          return false
        }
      })
    },

    /** Device number of a directory, as text; null if it is missing. */
    deviceOf: (place: DiskPlace): string | null =>
      unlessAbsent(() =>
        inDirectory(place, ({ entry }) => String(lstatSync(entry(bytesOfText('.')), { bigint: true }).dev)),
      ),

    /** When a directory was created, in milliseconds; null if it is missing, or its disk does not record it. */
    createdAt: (place: DiskPlace): number | null =>
      unlessAbsent(() => inDirectory(place, ({ entry }) => lstatSync(entry(bytesOfText('.'))).birthtimeMs || null)),

    /** The first of these names that is taken in a directory; null if all are free. */
    firstTaken: (place: DiskPlace, names: readonly Buffer[]): Buffer | null =>
      inDirectory(
        place,
        ({ entry }) => names.find(name => lstatSync(entry(name), { throwIfNoEntry: false }) !== undefined) ?? null,
      ),
  }
}

function factsOf(path: Buffer): PlaceFacts | null {
  const found = lstatSync(path, { bigint: true })
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'dir' : found.isSymbolicLink() ? 'link' : 'other'
  return {
    kind,
    size: Number(found.size),
    ...timesOf(found.mtimeNs),
    device: String(found.dev),
    inode: String(found.ino),
  }
}

function kindOf(path: Buffer): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (found.isFile()) return 'a file'
  if (found.isDirectory()) return 'a folder'
  if (found.isSymbolicLink()) return 'a link'
  if (found.isFIFO()) return 'a pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}

/** Null if the directory was removed: Linux then appends ' (deleted)' to its path. */
function pathOfHeld(root: Buffer): Buffer | null {
  const path = readlinkSync(root, { encoding: 'buffer' })
  const [held, found] = [statSync(root, { bigint: true }), lstatSync(path, { throwIfNoEntry: false, bigint: true })]
  return found !== undefined && found.dev === held.dev && found.ino === held.ino ? path : null
}
