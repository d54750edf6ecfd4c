/** Writes a file that is there whole or not at all. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
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
import { renameWithoutReplacing } from './rename-without-replacing.ts'
import type { SystemCalls } from './system-calls.ts'

const fsyncAsync = promisify(fsync)
const writeAsync = promisify(write)

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

function temporaryName(): Buffer {
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
  { replace = false, mode = 0o666 }: WriteOptions,
): Promise<void> {
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
