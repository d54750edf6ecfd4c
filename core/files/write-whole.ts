/** Writes a file completely or not at all. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  futimesSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  write,
} from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../../schema/errors.ts'
import type { Anchor } from './anchor.ts'
import { type Attributes, AttributesNotKept, attributesOf, copyAttributes } from './attributes.ts'
import { DiskError } from './disk-error.ts'
import { bytesOfText } from './names.ts'
import { type FileFacts, openRegularFile, timesOf, versionOf } from './open-file.ts'
import { renameWithoutReplacing } from './rename-without-replacing.ts'
import type { SystemCalls } from './system-calls.ts'

const fsyncAsync = promisify(fsync)
const writeAsync = promisify(write)

export interface WriteOptions {
  /** Replace an existing regular file, and keep its owner, rights and attributes. Otherwise it is a `conflict`. */
  replace?: boolean
  /** Throw AttributesNotKept if owner, rights and attributes cannot all be kept. Otherwise the file may get fewer rights. */
  keepAll?: boolean
  /** Permissions of a new file, less the process's umask. Default 0o666. */
  mode?: number
  /** Name of a file beside it, whose owner, permissions and access list a new file gets, but never more rights. */
  like?: Uint8Array
  /** With `replace`: throw `changed` if the file has changed since it was read. */
  expected?: FileFacts
  /** Modification time of the new file, in seconds. */
  modified?: number
  /** Name of the temporary file, if the caller must know it: see `temporaryName`. */
  temporary?: Uint8Array
}

/** Whether a raw name is that of a temporary file of `write`, which a crash may leave and scans skip. */
export function isTemporaryName(raw: string): boolean {
  return /^\.keepsake-[0-9a-f]{16}\.tmp$/.test(raw)
}

/** A new name for a temporary file. */
export function temporaryName(): Buffer {
  return bytesOfText(`.keepsake-${randomBytes(8).toString('hex')}.tmp`)
}

/** Writes `name` in an open directory through a temporary file, flushed and renamed. A failure leaves the old state. */
export async function writeWhole(
  calls: SystemCalls | null,
  directory: Anchor,
  name: Buffer,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  { replace = false, mode = 0o666, ...how }: WriteOptions,
): Promise<void> {
  const before =
    (replace ? attributesIn(calls, directory.entry(name)) : null) ??
    (how.like === undefined ? null : withoutUserAttributes(attributesIn(calls, directory.entry(Buffer.from(how.like)))))
  const temporary = Buffer.from(how.temporary ?? temporaryName())
  const { modified } = how
  const finish = (fd: number) => {
    const missing = before === null ? null : copyAttributes(calls, fd, before)
    if (missing !== null && how.keepAll === true)
      throw new AttributesNotKept(`a new file could not be given ${missing}`)
  }
  await writeNew(directory.entry(temporary), content, {
    mode: before === null ? mode : privateMode,
    finish,
    ...(modified === undefined ? {} : { modified }),
  })
  try {
    if (how.expected !== undefined) requireUnchanged(directory.entry(name), how.expected)
    if (replace) renameSync(directory.entry(temporary), directory.entry(name))
    else renameWithoutReplacing(calls, { directory, name: temporary }, { directory, name })
  } catch (error) {
    unlinkQuietly(directory.entry(temporary))
    throw error
  }
  directory.sync()
}

/** Throws if another program has changed the file. Misses a change between this check and the rename. */
function requireUnchanged(path: Buffer, expected: FileFacts) {
  const now = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  if (now === undefined || versionOf({ size: Number(now.size), ...timesOf(now.mtimeNs) }) !== versionOf(expected))
    throw new Failure('changed', 'Another program changed the file meanwhile.')
}

/** Attributes for another file: other programs' notes (`user.*`) stay with the original. */
function withoutUserAttributes(attributes: Attributes | null): Attributes | null {
  if (attributes === null) return null
  const extended = [...attributes.extended].filter(([name]) => !name.startsWith('user.'))
  return { ...attributes, mode: attributes.mode & 0o666, extended: new Map(extended) }
}

/** Attributes of a file; null if it is missing. */
function attributesIn(calls: SystemCalls | null, path: Buffer): Attributes | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isFile()) throw new Failure('invalid', 'Not a regular file')
  const file = openRegularFile(path)
  try {
    return attributesOf(calls, file.fd)
  } finally {
    file.close()
  }
}

/** Permissions of a new file until it gets those of the file that it replaces or copies. */
export const privateMode = 0o600

/**
 * Creates a complete, flushed file under a free name, or none. `finish` is called once all bytes are written;
 * `modified` is in seconds; with `flush: false`, the caller flushes many files at once. Does not flush the directory.
 */
export async function writeNew(
  path: Buffer,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  {
    mode,
    modified,
    finish,
    flush = true,
  }: { mode: number; modified?: number; finish?: (fd: number) => void; flush?: boolean },
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const fd = openSync(path, flags, mode)
  let whole = false
  try {
    const length = await writeAll(fd, content)
    const { size } = fstatSync(fd)
    if (size !== length) throw new Error(`${size} of ${length} bytes were written`)
    // As text: a negative number (a time before 1970) would be replaced by the current time.
    if (modified !== undefined) futimesSync(fd, String(modified), String(modified))
    finish?.(fd)
    if (flush) await fsyncAsync(fd)
    whole = true
  } finally {
    closeSync(fd)
    if (!whole) unlinkQuietly(path)
  }
}

/** Flushes the bytes of a file. */
export async function flushFile(path: Buffer): Promise<void> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    await fsyncAsync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Removes a file and ignores errors: an earlier error is the one to report. */
function unlinkQuietly(path: Buffer) {
  try {
    unlinkSync(path)
  } catch {
    // The file stays; scans skip it if it has a temporary name.
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
