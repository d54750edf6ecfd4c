/** The one module that reads, creates, renames and removes files of a library: below their root, whole, and lasting. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  write,
} from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Failure } from '../../schema/errors.ts'
import { type Anchor, type Anchoring, createAnchoring, displayPlace, namesOf, type Place } from './anchor.ts'
import { codeOf, codeOfNumber, DiskError, diskError } from './disk-error.ts'
import { bytesOfText, joinPath } from './names.ts'
import { type FileFacts, type OpenFile, openRegularFile, timesOf } from './open-file.ts'
import { type SystemCalls, systemCalls, terminated } from './system-calls.ts'

const fsyncAsync = promisify(fsync)
const writeAsync = promisify(write)

/** What lies at a place. A link is told as such, never what it points to. */
export interface PlaceFacts extends FileFacts {
  kind: 'file' | 'dir' | 'link' | 'other'
  /** Decimal numbers as text: they need not fit a number. */
  device: string
  inode: string
}

export interface WriteOptions {
  /** Take the place of a regular file that is there, with its permissions and owner; else that is a `conflict`. */
  replace?: boolean
  /** Permissions of a new file, less the process's umask. Default 0o666. */
  mode?: number
}

/** True for the temporary files of `write`, by their raw name: a killed process leaves one behind. Hidden, so scans pass them over. */
export function isTemporaryName(raw: string): boolean {
  return /^\.keepsake-[0-9a-f]{16}\.tmp$/.test(raw)
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
 * Only `openAsync` and `write` leave the event loop free; the others may wait for a sleeping disk.
 */
export function createDisk(options: { calls?: SystemCalls | null; held?: boolean } = {}) {
  const calls = options.calls === undefined ? systemCalls() : options.calls
  const anchoring = createAnchoring(calls, options.held)

  /** Runs `work` with the directory of a place held, and tells errors with the place's path. */
  function within<T>(place: Place, work: (directory: Anchor, name: Buffer) => T): T {
    const names = namesOf(place)
    const name = names.pop()
    if (name === undefined) throw new Failure('invalid', 'This is the directory itself, and nothing in it.')
    return translated(place, () => {
      const directory = anchoring.directory(place.root, names)
      try {
        return work(directory, name)
      } finally {
        directory.close()
      }
    })
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
     * checked, flushed, renamed, the directory flushed. Extended attributes of a file that is replaced are not kept.
     */
    write: (place: Place, content: Uint8Array | AsyncIterable<Uint8Array>, how: WriteOptions = {}) =>
      writeWhole(calls, anchoring, place, content, how),

    /** Makes a directory and those above it, as far as they are not there. */
    makeDirectory(place: Place): void {
      const names = namesOf(place)
      translated(place, () => {
        let depth = names.length
        while (!isThere(anchoring, place.root, names.slice(0, depth))) depth--
        for (; depth < names.length; depth++) {
          const directory = anchoring.directory(place.root, names.slice(0, depth))
          try {
            makeDirectoryIn(directory, names[depth] ?? Buffer.of())
          } finally {
            directory.close()
          }
        }
        // Somebody may have put something else in the last one's place.
        anchoring.directory(place.root, names).close()
      })
    },

    /**
     * Renames a file or directory within one file system, never over anything: a taken name is a `conflict`. Another
     * file system is a DiskError EXDEV. Both directories are flushed.
     */
    move(from: Place, to: Place): void {
      within(from, (source, oldName) => {
        // So that what is not there is told by its own path, and not by that of the target.
        lstatSync(source.entry(oldName))
        within(to, (target, newName) => {
          renameWithoutReplacing(calls, { directory: source, name: oldName }, { directory: target, name: newName })
          target.sync()
          source.sync()
        })
      })
    },

    /** Removes a file, or a link itself; false when nothing was there. */
    remove: (place: Place) => removed(() => within(place, (directory, name) => removeIn(directory, name, unlinkSync))),

    /** Removes an empty directory; false when nothing was there. */
    removeDirectory: (place: Place) =>
      removed(() => within(place, (directory, name) => removeIn(directory, name, rmdirSync))),
  }
}

export type Disk = ReturnType<typeof createDisk>

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

function makeDirectoryIn(directory: Anchor, name: Buffer) {
  try {
    mkdirSync(directory.entry(name))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    throw error
  }
  directory.sync()
}

function removeIn(directory: Anchor, name: Buffer, remove: (path: Buffer) => void) {
  remove(directory.entry(name))
  directory.sync()
}

function removed(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (error instanceof DiskError && error.code === 'ENOENT') return false
    throw error
  }
}

function temporaryName(): Buffer {
  return bytesOfText(`.keepsake-${randomBytes(8).toString('hex')}.tmp`)
}

async function writeWhole(
  calls: SystemCalls | null,
  anchoring: Anchoring,
  place: Place,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  { replace = false, mode = 0o666 }: WriteOptions,
): Promise<void> {
  const names = namesOf(place)
  const name = names.pop()
  if (name === undefined) throw new Failure('invalid', 'This is the directory itself, and nothing in it.')
  try {
    const directory = anchoring.directory(place.root, names)
    try {
      const before = replace ? replacedFile(directory.entry(name)) : null
      const temporary = temporaryName()
      await writeTemporary(directory.entry(temporary), content, before, mode)
      try {
        if (replace) renameSync(directory.entry(temporary), directory.entry(name))
        else renameWithoutReplacing(calls, { directory, name: temporary }, { directory, name })
      } catch (error) {
        unlinkQuietly(directory.entry(temporary))
        throw error
      }
      directory.sync()
    } finally {
      directory.close()
    }
  } catch (error) {
    throw named(error, place)
  }
}

/** The file whose place is taken, or null when there is none. */
function replacedFile(path: Buffer): Stats | null {
  const found = lstatSync(path, { throwIfNoEntry: false }) ?? null
  if (found !== null && !found.isFile()) throw new Failure('invalid', 'Not a regular file')
  return found
}

/** Leaves a whole, flushed file, or nothing. */
async function writeTemporary(
  path: Buffer,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  before: Stats | null,
  mode: number,
) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const fd = openSync(path, flags, before === null ? mode : before.mode & 0o700)
  let whole = false
  try {
    const length = await writeAll(fd, content)
    const { size } = fstatSync(fd)
    if (size !== length) throw new Error(`${size} of ${length} bytes were written`)
    if (before !== null) copyOwner(fd, before)
    await fsyncAsync(fd)
    whole = true
  } finally {
    closeSync(fd)
    if (!whole) unlinkQuietly(path)
  }
}

/** What went wrong before is what has to be told. */
function unlinkQuietly(path: Buffer) {
  try {
    unlinkSync(path)
  } catch {
    // It stays behind under a name that `isTemporaryName` knows.
  }
}

async function writeAll(fd: number, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0
  for await (const piece of content instanceof Uint8Array ? [content] : content) {
    let done = 0
    while (done < piece.length) {
      const { bytesWritten } = await writeAsync(fd, piece, done, piece.length - done, null)
      if (bytesWritten === 0) throw new DiskError('ENOSPC', '')
      done += bytesWritten
    }
    length += piece.length
  }
  return length
}

function copyOwner(fd: number, before: Stats) {
  const own = fstatSync(fd)
  try {
    if (own.uid !== before.uid || own.gid !== before.gid) fchownSync(fd, before.uid, before.gid)
  } catch {
    // Only root may give files away; the permissions below still are as they were.
  }
  fchmodSync(fd, before.mode & 0o7777)
}

interface DirectoryEntry {
  directory: Anchor
  name: Buffer
}

function taken(to: DirectoryEntry): Failure {
  return new Failure('conflict', `There is already something named ${Buffer.from(to.name).toString()}.`)
}

/** Codes that say: this file system, or this kernel, has no such rename. */
const noSuchRename = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'])

/** Never overwrites. Three ways, from the best to the one that works everywhere. */
function renameWithoutReplacing(calls: SystemCalls | null, from: DirectoryEntry, to: DirectoryEntry) {
  if (calls !== null && from.directory.fd !== null && to.directory.fd !== null) {
    const result = calls.renameWithoutReplacing(
      from.directory.fd,
      terminated(from.name),
      to.directory.fd,
      terminated(to.name),
    )
    if (result === 0) return
    const code = codeOfNumber(-result)
    if (code === 'EEXIST') throw taken(to)
    if (!noSuchRename.has(code)) throw new DiskError(code, '')
  }
  const source = from.directory.entry(from.name)
  const target = to.directory.entry(to.name)
  if (lstatSync(source).isDirectory() || !linkAndUnlink(source, target, to)) reserveAndRename(source, target, to)
}

const noSuchLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'])

/** A second name, then without the first: `link` never replaces. False where there are no second names (FAT, some shares). */
function linkAndUnlink(source: Buffer, target: Buffer, to: DirectoryEntry): boolean {
  try {
    linkSync(source, target)
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'EEXIST') throw taken(to)
    if (noSuchLink.has(code)) return false
    throw error
  }
  unlinkSync(source)
  return true
}

/** Takes the name with something empty, which the rename then replaces: so nobody else's file can be replaced. */
function reserveAndRename(source: Buffer, target: Buffer, to: DirectoryEntry) {
  const isDirectory = lstatSync(source).isDirectory()
  try {
    if (isDirectory) mkdirSync(target)
    else closeSync(openSync(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(to)
    throw error
  }
  try {
    renameSync(source, target)
  } catch (error) {
    if (isDirectory) rmdirSync(target)
    else if (lstatSync(target).size === 0) unlinkSync(target)
    throw error
  }
}
