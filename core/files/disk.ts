/** The one module that reads, creates, renames and removes files of a library: below their root, whole, and lasting. */
import { accessSync, constants, lstatSync, mkdirSync, readlinkSync, rmdirSync, statSync, unlinkSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Failure } from '../../schema/errors.ts'
import { type Anchor, type Anchoring, createAnchoring, displayPlace, namesOf, type Place } from './anchor.ts'
import { type Attributes, attributesOf, giveAttributes, withDirectory, withoutThoseKeptOut } from './attributes.ts'
import { type Copied, copyOpen, hashOfOpen, type Written, writeHashed } from './copying.ts'
import { codeOf, DiskError, diskError } from './disk-error.ts'
import { bytesOfText, displayName, joinPath } from './names.ts'
import { type FileFacts, type OpenFile, openRegularFile, timesOf } from './open-file.ts'
import { renameWithoutReplacing } from './rename-without-replacing.ts'
import { syncFileSystem } from './sync-file-system.ts'
import { type SystemCalls, systemCalls } from './system-calls.ts'
import { flushFile, type WriteOptions, writeNew, writeWhole } from './write-whole.ts'

/** What lies at a place. A link is told as such, never what it points to. */
export interface PlaceFacts extends FileFacts {
  kind: 'file' | 'dir' | 'link' | 'other'
  /** Decimal numbers as text: they need not fit a number. */
  device: string
  inode: string
}

/** A directory that stays in hand: see `hold`. */
export interface HeldDirectory {
  root: Uint8Array
  /** Where it is now, absolute, as bytes; null when it was removed. */
  path(): Buffer | null
  close(): void
}

/**
 * Bytes of a small regular file by its absolute path, the last name of which must be no link. Null when it is not there,
 * can't be read, is no regular file or has more than `limit` bytes.
 */
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
    if (file.size > limit) throw new Failure('tooLarge', `The file has ${file.size} bytes, more than ${limit}`)
    return file.read(0, file.size)
  } finally {
    file.close()
  }
}

/**
 * All functions take a place: a trusted root and a relative path of bytes, on which no link is followed. They throw a
 * DiskError with the path for what the disk refuses, and a Failure for what they refuse themselves: `invalid` for a path
 * that leads out of its root or for anything but a regular file, `conflict` for a name that is taken.
 *
 * Only what answers a promise leaves the event loop free; the others may wait for a sleeping disk.
 */
export function createDisk(options: { calls?: SystemCalls | null; held?: boolean } = {}) {
  const calls = options.calls === undefined ? systemCalls() : options.calls
  const anchoring = createAnchoring(calls, options.held)

  /** Runs `work` with the directory of a place held, and tells errors with the place's path. */
  function within<T>(place: Place, work: (directory: Anchor, name: Buffer) => T): T {
    const { names, name } = split(place)
    return translated(place, () => {
      const directory = anchoring.directory(place.root, names)
      try {
        return work(directory, name)
      } finally {
        directory.close()
      }
    })
  }

  /** Runs `work` with a directory held that is itself the place. */
  function inDirectory<T>(place: Place, work: (directory: Anchor) => T): T {
    return translated(place, () => {
      const directory = anchoring.directory(place.root, namesOf(place))
      try {
        return work(directory)
      } finally {
        directory.close()
      }
    })
  }

  /** Runs `work` as `within` does; for work that takes a while. */
  async function withinAsync<T>(place: Place, work: (directory: Anchor, name: Buffer) => Promise<T>): Promise<T> {
    const { names, name } = split(place)
    try {
      const directory = anchoring.directory(place.root, names)
      try {
        return await work(directory, name)
      } finally {
        directory.close()
      }
    } catch (error) {
      throw named(error, place)
    }
  }

  /**
   * Attributes of the directory `above` levels above a place, or of its root where the root is nearer. Whom the directories
   * between it and the root keep out, it keeps out itself.
   */
  function attributesLike({ root, path }: Place, above: number): Attributes {
    const names = namesOf({ root, path })
    const counterpart = names.slice(0, Math.max(0, names.length - above))
    const attributesAt = (of: readonly Buffer[]) =>
      inDirectory({ root, path: joinPath(...of) }, ({ entry }) =>
        withDirectory(entry(bytesOfText('.')), fd => attributesOf(calls, fd)),
      )
    const around = counterpart.slice(1).map((_, n) => attributesAt(counterpart.slice(0, n + 1)).mode)
    return withoutThoseKeptOut(attributesAt(counterpart), around)
  }

  function open(place: Place): OpenFile {
    return within(place, (directory, name) => openRegularFile(directory.entry(name)))
  }

  return {
    /** What is there, or null. */
    stat(place: Place): PlaceFacts | null {
      try {
        return within(place, (directory, name) => factsOf(directory.entry(name)))
      } catch (error) {
        if (error instanceof DiskError && error.code === 'ENOENT') return null
        throw error
      }
    },

    /** Opens a regular file; the caller closes it. */
    open,

    /** The same for a process that must not stand still: a disk that sleeps is awaited first, then opening is a matter of microseconds. */
    async openAsync(place: Place): Promise<OpenFile> {
      const root = typeof place.root === 'string' ? bytesOfText(place.root) : place.root
      // Whatever is wrong is told by opening it.
      await stat(joinPath(root, ...namesOf(place))).catch(() => null)
      return open(place)
    },

    /** Bytes of a whole file of at most `limit` bytes (`tooLarge`). */
    read(place: Place, limit: number): Uint8Array {
      return translated(place, () => readAndClose(open(place), limit))
    },

    /**
     * Writes a file that is there whole or not at all, and lasts when this returns: a temporary file beside it, its size
     * checked, flushed, renamed, the directory flushed. A file that takes the place of another one gets its owner, rights
     * and attributes.
     */
    write: (place: Place, content: Uint8Array | AsyncIterable<Uint8Array>, how: WriteOptions = {}): Promise<void> =>
      withinAsync(place, (directory, name) => writeWhole(calls, directory, name, content, how)),

    /**
     * Writes a new file under this very name, flushed, and tells what it wrote; for names that nobody looks at (see
     * `isTemporaryName`), because while it is written it is not whole. The directory is not flushed.
     */
    writeTemporary: (
      place: Place,
      content: AsyncIterable<Uint8Array>,
      how: { modified?: number; limit?: number; tooMany?: () => Error; signal?: AbortSignal } = {},
    ): Promise<Written> =>
      withinAsync(place, (directory, name) => writeHashed(directory, name, content, { mode: 0o666, ...how })),

    /** The same for what nobody has to recognise by its content: it is not hashed. `flush`: see `move`. */
    writeUnhashed: (
      place: Place,
      content: AsyncIterable<Uint8Array>,
      how: { modified?: number; flush?: boolean } = {},
    ): Promise<void> =>
      withinAsync(place, (directory, name) => writeNew(directory.entry(name), content, { mode: 0o666, ...how })),

    /** The same with the bytes and time of another file, and what else it has: see `copyOpen`. */
    copyTemporary: (
      from: Place,
      to: Place,
      how: { keep: boolean; signal?: AbortSignal | undefined },
    ): Promise<Copied> => withinAsync(to, (directory, name) => copyOpen(calls, open(from), directory, name, how)),

    /** SHA-256 of a whole file as 64 hex digits. */
    async hash(place: Place): Promise<string> {
      const file = open(place)
      try {
        return await hashOfOpen(file)
      } catch (error) {
        throw named(error, place)
      } finally {
        file.close()
      }
    },

    /**
     * A directory as a root of its own, which stays that directory whatever becomes of its path until `close`; null where
     * the system cannot hold one. Only for this process: nothing else can reach it by this root.
     */
    hold(place: Place): HeldDirectory | null {
      return translated(place, () => {
        const directory = anchoring.directory(place.root, namesOf(place))
        const { fd } = directory
        if (fd !== null) {
          const root = bytesOfText(`/proc/self/fd/${fd}`)
          return { root, path: () => pathOfHeld(root), close: directory.close }
        }
        directory.close()
        return null
      })
    },

    /** What lies at a place, for sentences; null where nothing is. */
    kindOf: (place: Place): string | null => within(place, (directory, name) => kindOf(directory.entry(name))),

    /** Makes lasting what was created, renamed or removed in a directory. */
    sync: (place: Place): void => inDirectory(place, directory => directory.sync()),

    /** Makes the bytes of one file lasting. */
    syncFile: (place: Place): Promise<void> =>
      withinAsync(place, (directory, name) => flushFile(directory.entry(name))),

    /**
     * Makes everything lasting that was written to the file system of a directory. False where this machine cannot do that:
     * then each file and directory has to be flushed.
     */
    async syncFileSystem(place: Place): Promise<boolean> {
      const directory = translated(place, () => anchoring.directory(place.root, namesOf(place)))
      try {
        const { fd, entry } = directory
        const path = fd === null ? displayName(entry(Buffer.of())) : `/proc/${process.pid}/fd/${fd}`
        return await syncFileSystem(path)
      } finally {
        directory.close()
      }
    },

    /** May this process create, rename and remove names in a directory? */
    mayChange(place: Place): boolean {
      return inDirectory(place, ({ entry }) => {
        try {
          accessSync(entry(bytesOfText('.')), constants.W_OK | constants.X_OK)
          return true
        } catch {
          return false
        }
      })
    },

    /** Device number of a directory, as text; null when it is not there. */
    deviceOf(place: Place): string | null {
      try {
        return inDirectory(place, ({ entry }) => String(lstatSync(entry(bytesOfText('.')), { bigint: true }).dev))
      } catch (error) {
        if (error instanceof DiskError && error.code === 'ENOENT') return null
        throw error
      }
    },

    /** When a directory was made, in milliseconds; null where it is not there, or its disk does not tell. */
    madeAt(place: Place): number | null {
      try {
        return inDirectory(place, ({ entry }) => lstatSync(entry(bytesOfText('.'))).birthtimeMs || null)
      } catch (error) {
        if (error instanceof DiskError && error.code === 'ENOENT') return null
        throw error
      }
    },

    /**
     * Makes a directory and those above it, as far as they are not there. `flush`: see `move`. With `like` (a directory
     * whose files come here) each new one gets the owner, rights and attributes of its counterpart there, counted from the
     * end of both paths, and never more rights. Returns in words what could not be given, or null.
     */
    makeDirectory(place: Place, { flush = true, like }: { flush?: boolean; like?: Place } = {}): string | null {
      const names = namesOf(place)
      let lost: string | null = null
      translated(place, () => {
        let depth = names.length
        while (!isThere(anchoring, place.root, names.slice(0, depth))) depth--
        for (; depth < names.length; depth++) {
          const directory = anchoring.directory(place.root, names.slice(0, depth))
          try {
            const name = names[depth] ?? Buffer.of()
            const attributes = like === undefined ? null : attributesLike(like, names.length - depth - 1)
            if (makeDirectoryIn(directory, name, attributes === null ? 0o777 : 0o700) && attributes !== null)
              lost = withDirectory(directory.entry(name), fd => giveAttributes(calls, fd, attributes)) ?? lost
            if (flush) directory.sync()
          } finally {
            directory.close()
          }
        }
        // Somebody may have put something else in the last one's place.
        anchoring.directory(place.root, names).close()
      })
      return lost
    },

    /** Makes one new directory; a taken name is a `conflict`. */
    newDirectory: (place: Place): void =>
      within(place, (directory, name) => {
        try {
          mkdirSync(directory.entry(name))
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') throw error
          throw new Failure('conflict', `There is already something named ${displayName(name)}.`)
        }
        directory.sync()
      }),

    /**
     * Renames a file or directory within one file system, never over anything: a taken name is a `conflict`. Another
     * file system is a DiskError EXDEV. Both directories are flushed, unless the caller does that after many (`sync`).
     */
    move(from: Place, to: Place, { flush = true }: { flush?: boolean } = {}): void {
      within(from, (source, oldName) => {
        // So that what is not there is told by its own path, and not by that of the target.
        lstatSync(source.entry(oldName))
        within(to, (target, newName) => {
          renameWithoutReplacing(calls, { directory: source, name: oldName }, { directory: target, name: newName })
          if (!flush) return
          target.sync()
          source.sync()
        })
      })
    },

    /**
     * Renames entries of one directory into another under their own names, as `move` does without flushing; both directories
     * are opened only once. `onMoved` is called after each.
     */
    moveNames(from: Place, to: Place, names: readonly Buffer[], onMoved: (name: Buffer) => void): void {
      inDirectory(from, source =>
        inDirectory(to, target => {
          for (const name of names) {
            renameWithoutReplacing(calls, { directory: source, name }, { directory: target, name })
            onMoved(name)
          }
        }),
      )
    },

    /** The first of these names that is taken in a directory; null when all are free. */
    firstTaken: (place: Place, names: readonly Buffer[]): Buffer | null =>
      inDirectory(
        place,
        ({ entry }) => names.find(name => lstatSync(entry(name), { throwIfNoEntry: false }) !== undefined) ?? null,
      ),

    /** Removes a file, or a link itself; false when nothing was there. `flush`: see `move`. */
    remove: (place: Place, { flush = true }: { flush?: boolean } = {}) =>
      removed(() => within(place, (directory, name) => removeIn(directory, name, unlinkSync, flush))),

    /** Removes files and links by their names in a directory; names that are not there are passed over. Nothing is flushed. */
    removeNames: (place: Place, names: readonly Buffer[]): void =>
      inDirectory(place, directory => {
        for (const name of names) removed(() => unlinkSync(directory.entry(name)))
      }),

    /** Removes an empty directory; false when nothing was there. */
    removeDirectory: (place: Place, { flush = true }: { flush?: boolean } = {}) =>
      removed(() => within(place, (directory, name) => removeIn(directory, name, rmdirSync, flush))),
  }
}

export type Disk = ReturnType<typeof createDisk>

/** Names of its directory, and its own. */
function split(place: Place): { names: Buffer[]; name: Buffer } {
  const names = namesOf(place)
  const name = names.pop()
  if (name === undefined) throw new Failure('invalid', 'This is the directory itself, and nothing in it.')
  return { names, name }
}

function translated<T>(place: Place, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw named(error, place)
  }
}

/** An error of the system with the place's path; one that has a path already is left alone. */
function named(error: unknown, place: Place): unknown {
  if (error instanceof DiskError)
    return error.message === error.reason ? new DiskError(error.code, displayPlace(place)) : error
  return diskError(error, displayPlace(place))
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

/** The system puts words behind the path of what was removed: only what is found there is told. */
function pathOfHeld(root: Buffer): Buffer | null {
  const path = readlinkSync(root, { encoding: 'buffer' })
  const [held, found] = [statSync(root, { bigint: true }), lstatSync(path, { throwIfNoEntry: false, bigint: true })]
  return found !== undefined && found.dev === held.dev && found.ino === held.ino ? path : null
}

/** False for what is missing below the root; throws when the root is, or when it is no directory. */
function isThere(anchoring: Anchoring, root: Place['root'], names: readonly Uint8Array[]): boolean {
  try {
    anchoring.directory(root, names).close()
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && names.length > 0) return false
    throw error
  }
}

/** False where it is there already. */
function makeDirectoryIn(directory: Anchor, name: Buffer, mode: number): boolean {
  try {
    mkdirSync(directory.entry(name), { mode })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function removeIn(directory: Anchor, name: Buffer, remove: (path: Buffer) => void, flush: boolean) {
  remove(directory.entry(name))
  if (flush) directory.sync()
}

function removed(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}
