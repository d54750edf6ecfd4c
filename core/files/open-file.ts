/** An open regular file for reading. */
import { closeSync, constants, fstatSync, openSync, read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { Failure, sentence } from '../../schema/errors.ts'
import { createAnchoring } from './anchor.ts'
import { whyNotReplaced } from './attributes.ts'
import { diskError } from './disk-error.ts'
import { bytesOfText, componentsOf } from './names.ts'
import { kindAtPath } from './path-kind.ts'

const slash = 0x2f
const readAsync = promisify(read)

/** Size in bytes; modification time in whole seconds since 1970 and nanoseconds. */
export interface FileFacts {
  size: number
  mtimeSeconds: number
  mtimeNanoseconds: number
}

/** A text that changes when the file changes. ETags begin with it. */
export function versionOf({ size, mtimeSeconds, mtimeNanoseconds }: FileFacts): string {
  return `${size}-${mtimeSeconds}.${mtimeNanoseconds}`
}

export class FileEnded extends Error {
  override readonly name = 'FileEnded'
}

export interface OpenFile extends FileFacts {
  fd: number
  /** Device and inode as text: unique for each file. */
  identity: string
  /** Why the file should not be replaced by a new one, as a part of a sentence: see `whyNotReplaced`. */
  whyNotReplaced: string | null
  /** Bytes from `offset`, fewer than `length` at the end of the file. Blocks. */
  read(offset: number, length: number): Uint8Array
  /** Streams bytes `start` to `end` (excluded), and closes the file in any case. Fails if it became shorter. */
  stream(start?: number, end?: number): ReadableStream<Uint8Array>
  close(): void
}

// O_NONBLOCK: opening a FIFO would otherwise wait for a writer. O_NOFOLLOW: links are not opened.
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY
const pieceLength = 256 * 1024

/** Opens a path for reading. Throws system errors, and `invalid` for anything but a regular file. */
export function openRegularFile(path: Uint8Array): OpenFile {
  return openWithFlags(path, readFlags)
}

function openWithFlags(path: Uint8Array, flags: number): OpenFile {
  const fd = openSync(Buffer.from(path), flags)
  try {
    return openFile(fd)
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/**
 * Opens a file whose path is from a user or a setting; follows links. Throws `notFound` for a missing file, `invalid`
 * for other entries, and DiskErrors. `what`: the file's role, as in 'There is no plan FILE'.
 */
export function openNamedFile(path: string, what = 'file'): OpenFile {
  // Examined before opening, which has side effects for some devices.
  const place = kindAtPath(path)
  if (place === 'nothing' || place === 'blocked') throw new Failure('notFound', sentence`There is no ${what} ${path}.`)
  if (place === 'directory') throw new Failure('invalid', sentence`${path} is a directory. Give a file.`)
  if (place === 'other')
    throw new Failure('invalid', sentence`${path} is not a regular file: pipes and devices are not read.`)
  try {
    return openWithFlags(Buffer.from(path), readFlags & ~constants.O_NOFOLLOW)
  } catch (error) {
    throw diskError(error, path)
  }
}

/** The content of a file from a user or a setting: see `openNamedFile`. */
export function readNamedFile(path: string, what?: string): Uint8Array {
  const file = openNamedFile(path, what)
  try {
    return file.read(0, file.size)
  } finally {
    file.close()
  }
}

const anchoring = createAnchoring(null)

/**
 * Opens a file below a directory without following links, even ones created meanwhile. `root` and `path` are absolute.
 * Throws system errors, and `invalid` for a path that is not below the root or does not lead to a regular file.
 */
export function openBelow(root: string | Uint8Array, path: Uint8Array): OpenFile {
  const above = typeof root === 'string' ? bytesOfText(root) : Buffer.from(root)
  const whole = Buffer.from(path)
  const start = above.at(-1) === slash ? above.length : above.length + 1
  const isBelow = whole.subarray(0, above.length).equals(above) && whole[start - 1] === slash
  const names = isBelow ? componentsOf(whole.subarray(start)) : null
  const name = names?.pop()
  if (names === null || name === undefined) throw new Failure('invalid', 'Not a path within its directory')
  const directory = anchoring.directory(above, names)
  try {
    return openRegularFile(directory.entry(name))
  } finally {
    directory.close()
  }
}

function openFile(fd: number): OpenFile {
  const stat = fstatSync(fd, { bigint: true })
  if (!stat.isFile()) throw new Failure('invalid', 'Not a regular file')
  const facts = { size: Number(stat.size), ...timesOf(stat.mtimeNs) }
  let open = true
  function close() {
    if (open) closeSync(fd)
    open = false
  }
  return {
    fd,
    identity: `${stat.dev}:${stat.ino}`,
    whyNotReplaced: whyNotReplaced({ nlink: Number(stat.nlink), uid: Number(stat.uid), gid: Number(stat.gid) }),
    ...facts,
    read: (offset, length) => readFully(fd, offset, Math.min(length, facts.size - offset)),
    stream: (start = 0, end = facts.size) => streamOf(fd, start, Math.min(end, facts.size), close),
    close,
  }
}

const nanosecondsInSecond = 1_000_000_000n

/** Nanoseconds since 1970 as two exact numbers. */
export function timesOf(nanoseconds: bigint): { mtimeSeconds: number; mtimeNanoseconds: number } {
  const rest = ((nanoseconds % nanosecondsInSecond) + nanosecondsInSecond) % nanosecondsInSecond
  return { mtimeSeconds: Number((nanoseconds - rest) / nanosecondsInSecond), mtimeNanoseconds: Number(rest) }
}

function readFully(fd: number, offset: number, length: number): Uint8Array {
  if (!(length > 0)) return new Uint8Array(0)
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const got = readSync(fd, bytes, filled, length - filled, offset + filled)
    if (got === 0) return bytes.subarray(0, filled)
    filled += got
  }
  return bytes
}

function streamOf(fd: number, start: number, end: number, close: () => void): ReadableStream<Uint8Array> {
  let offset = start
  let reading: Promise<unknown> = Promise.resolve()
  function finish(controller: ReadableStreamDefaultController<Uint8Array>) {
    close()
    controller.close()
  }
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>) {
    if (offset >= end) return finish(controller)
    const piece = new Uint8Array(Math.min(pieceLength, end - offset))
    const { bytesRead } = await readAsync(fd, piece, 0, piece.length, offset)
    if (bytesRead === 0) throw new FileEnded(`The file ended at ${offset}, ${end - offset} bytes too early`)
    offset += bytesRead
    controller.enqueue(piece.subarray(0, bytesRead))
    // A reader that counts bytes never requests more than there are, so the stream must end now.
    if (offset >= end) finish(controller)
  }
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const step = pull(controller)
        reading = step.catch(() => close())
        return step
      },
      // A closed descriptor may be reused a moment later, so the file is not closed during a read.
      cancel: () => reading.then(close),
    },
    { highWaterMark: 0 },
  )
}
