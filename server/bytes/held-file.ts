/** Sends a file by its descriptor, so that another file that takes its name meanwhile is not sent. */
import { existsSync } from 'node:fs'
import { type OpenFile, openBelow } from '../../core/files/open-file.ts'
import { Failure } from '../../schema/errors.ts'

/** A file by its absolute path, and the directory that it must be in. */
export interface FileToSend {
  root: string
  path: Buffer
}

export interface HeldFile {
  size: number
  mtimeSeconds: number
  mtimeNanoseconds: number
  /** Path of the open descriptor, valid for `heldMs`; the web server opens it when it starts sending. */
  path: string
}

/** Directory where open files have their own paths, which stay valid even if files are renamed. */
const descriptors = existsSync('/proc/self/fd') ? '/proc/self/fd' : '/dev/fd'
/** How long a file stays open. The web server opens it again in the turn of the event loop that sends the response. */
const heldMs = 5000

/** Opens a file to be sent; `notFound` if it does not exist, is reached over a link, or is no regular file. */
export function openHeld({ root, path }: FileToSend): HeldFile {
  try {
    return holdOpen(openBelow(root, path))
  } catch {
    // The file is gone since the last scan, or its disk is missing.
    throw new Failure('notFound', 'Image not found')
  }
}

/** Prepares an open file to be sent, and closes it after `heldMs`. */
export function holdOpen(file: OpenFile): HeldFile {
  setTimeout(() => file.close(), heldMs).unref()
  const { size, mtimeSeconds, mtimeNanoseconds } = file
  return { size, mtimeSeconds, mtimeNanoseconds, path: `${descriptors}/${file.fd}` }
}
