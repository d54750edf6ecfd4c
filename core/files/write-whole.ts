/** Writes a file that is there whole or not at all. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  futimesSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  write,
} from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../../schema/errors.ts'
import type { Anchor } from './anchor.ts'
import { DiskError } from './disk-error.ts'
import { bytesOfText } from './names.ts'
import { type FileFacts, timesOf } from './open-file.ts'
import { renameWithoutReplacing } from './rename-without-replacing.ts'
import type { SystemCalls } from './system-calls.ts'

const fsyncAsync = promisify(fsync)
const writeAsync = promisify(write)

export interface WriteOptions {
  /** Take the place of a regular file that is there, with its permissions and owner; else that is a `conflict`. */
  replace?: boolean
  /** Permissions of a new file, less the process's umask. Default 0o666. */
  mode?: number
  /** With `replace`: only while the file is as it was when it was read, else that is `changed`. */
  expected?: FileFacts
  /** Modification time of the new file, in seconds. */
  modified?: number
  /** What the temporary file is called, where somebody has to know it beforehand: see `temporaryName`. */
  temporary?: Uint8Array
}

/** True for the temporary files of `write`, by their raw name: a killed process leaves one behind. Hidden, so scans pass them over. */
export function isTemporaryName(raw: string): boolean {
  return /^\.keepsake-[0-9a-f]{16}\.tmp$/.test(raw)
}

/** A new name of that kind. */
export function temporaryName(): Buffer {
  return bytesOfText(`.keepsake-${randomBytes(8).toString('hex')}.tmp`)
}

/**
 * Writes `name` in a directory that is held: a temporary file beside it, its size checked, flushed, renamed, the directory
 * flushed. A failure leaves what was there before.
 */
export async function writeWhole(
  calls: SystemCalls | null,
  directory: Anchor,
  name: Buffer,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  { replace = false, mode = 0o666, ...how }: WriteOptions,
): Promise<void> {
  const before = replace ? replacedFile(directory.entry(name)) : null
  const temporary = Buffer.from(how.temporary ?? temporaryName())
  const { modified } = how
  await writeNew(directory.entry(temporary), content, { before, mode, ...(modified === undefined ? {} : { modified }) })
  try {
    if (how.expected !== undefined) demandUnchanged(directory.entry(name), how.expected)
    if (replace) renameSync(directory.entry(temporary), directory.entry(name))
    else renameWithoutReplacing(calls, { directory, name: temporary }, { directory, name })
  } catch (error) {
    unlinkQuietly(directory.entry(temporary))
    throw error
  }
  directory.sync()
}

/** What somebody else wrote meanwhile is not overwritten; only the moment between this look and the rename remains. */
function demandUnchanged(path: Buffer, expected: FileFacts) {
  const now = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  const { mtimeSeconds, mtimeNanoseconds } = timesOf(now?.mtimeNs ?? 0n)
  const isSame =
    now !== undefined &&
    Number(now.size) === expected.size &&
    mtimeSeconds === expected.mtimeSeconds &&
    mtimeNanoseconds === expected.mtimeNanoseconds
  if (!isSame) throw new Failure('changed', 'Another program changed the file meanwhile.')
}

/** The file whose place is taken, or null when there is none. */
function replacedFile(path: Buffer): Stats | null {
  const found = lstatSync(path, { throwIfNoEntry: false }) ?? null
  if (found !== null && !found.isFile()) throw new Failure('invalid', 'Not a regular file')
  return found
}

/**
 * Leaves a whole, flushed file under a name that must be free, or nothing. `before`: the file whose permissions and owner it
 * gets; `modified`: its modification time, in seconds. The directory is not flushed.
 */
export async function writeNew(
  path: Buffer,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  { before = null, mode, modified }: { before?: Stats | null; mode: number; modified?: number },
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const fd = openSync(path, flags, before === null ? mode : before.mode & 0o700)
  let whole = false
  try {
    const length = await writeAll(fd, content)
    const { size } = fstatSync(fd)
    if (size !== length) throw new Error(`${size} of ${length} bytes were written`)
    if (before !== null) copyOwner(fd, before)
    // As a text: a negative number, a time before 1970, would be taken for now.
    if (modified !== undefined) futimesSync(fd, String(modified), String(modified))
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
