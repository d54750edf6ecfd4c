/** Sends a file by its descriptor: a file that takes its name meanwhile is not sent. */
import { existsSync } from 'node:fs'
import { type OpenFile, openBelow } from '../../core/files/open-file.ts'
import { Failure } from '../../schema/errors.ts'

/** A file by its absolute path, and the directory that it must be in. */
export interface SentFile {
  root: string
  path: Buffer
}

export interface HeldFile {
  size: number
  mtimeSeconds: number
  mtimeNanoseconds: number
  /** A path for the web server, valid for a short time: it opens the file itself when it begins to send. */
  path: string
}

/** Where open files have paths of their own, which stay valid whatever happens to their names. */
const descriptors = existsSync('/proc/self/fd') ? '/proc/self/fd' : '/dev/fd'
/** The web server opens the file in the turn in which it gets the response; this is more than enough. */
const heldMs = 5000

/** Opens a file to be sent; `notFound` when it is not there, is reached over a link, or is no regular file. */
export function openHeld({ root, path }: SentFile): HeldFile {
  try {
    return holdOpen(openBelow(root, path))
  } catch {
    // Gone since the last scan, or its disk is missing: not found.
    throw new Failure('notFound', 'Image not found')
  }
}

/** The same for an open file, which is closed here. */
export function holdOpen(file: OpenFile): HeldFile {
  setTimeout(() => file.close(), heldMs).unref()
  const { size, mtimeSeconds, mtimeNanoseconds } = file
  return { size, mtimeSeconds, mtimeNanoseconds, path: `${descriptors}/${file.fd}` }
}
