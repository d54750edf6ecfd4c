/** Errors of disks, as sentences that help users. */
import { constants } from 'node:os'
import { displayName } from './names.ts'

const sentences: Record<string, string> = {
  EACCES: 'Permission denied',
  EPERM:
    'The system does not permit this: the file may be protected against changes (see lsattr), or belong to another user',
  ENOENT: 'It is not there',
  ENOTDIR: 'Not a directory, or a link in the way: links are not followed',
  ELOOP: 'A link is in the way: links are not followed',
  EISDIR: 'It is a directory',
  EEXIST: 'Something of that name is there already',
  ENOTEMPTY: 'The directory is not empty',
  EXDEV: 'It lies on another disk',
  EIO: 'Input/output error: the disk may be failing',
  ENOSPC: 'No space left on the disk',
  EDQUOT: 'The quota of the disk is used up',
  EFBIG: 'The file would be larger than the disk or the limits allow',
  EROFS: 'The disk is read-only',
  ENAMETOOLONG: 'The name is too long',
  EMFILE: 'Too many open files',
  ENFILE: 'Too many open files in the whole system',
  ENODEV: 'The disk is gone',
  ENXIO: 'The disk is gone',
  ENOTCONN: 'The network disk is not connected',
  EHOSTDOWN: 'The network disk does not respond',
  ETIMEDOUT: 'The network disk does not respond',
  ESTALE: 'The network disk has lost this file: it was replaced or removed there',
  EUCLEAN: 'The file system is damaged: it needs checking',
  EBADMSG: 'The file system is damaged: it needs checking',
}

/** An error of a file. `code` is the system's name for it (ENOENT), `reason` a sentence without the path. */
export class DiskError extends Error {
  override readonly name = 'DiskError'
  readonly code: string
  readonly reason: string

  /** `path` is for display; '' if there is none. */
  constructor(code: string, path: string, cause?: unknown) {
    const reason = sentences[code] === undefined ? `The disk says ${code}` : `${sentences[code]} (${code})`
    super(path === '' ? reason : `${path}: ${reason}`, cause === undefined ? undefined : { cause })
    this.code = code
    this.reason = reason
  }
}

const namesByNumber = new Map<number, string>()
for (const [name, number] of Object.entries(constants.errno))
  if (!namesByNumber.has(number)) namesByNumber.set(number, name)

/** The system's name of an error number. */
export function codeOfNumber(number: number): string {
  return namesByNumber.get(number) ?? `error ${number}`
}

/** The `code` of an error: of a system error its name (ENOENT); null for an error without a code. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Converts a system error to a DiskError about this path; any other error is returned unchanged. */
export function diskError(error: unknown, path: Uint8Array | string): unknown {
  const code = error instanceof DiskError ? null : codeOf(error)
  if (code === null || !/^E[A-Z0-9]+$/.test(code)) return error
  return new DiskError(code, typeof path === 'string' ? path : displayName(path), error)
}
