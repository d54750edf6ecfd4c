/** Maps disk errors for users of the file manager: which file, and what to do. */
import { Failure, type FailureCode } from '../../schema/errors.ts'
import { DiskError } from '../files/disk-error.ts'

const failureOf: Record<string, { code: FailureCode; text: string }> = {
  ENOENT: { code: 'notFound', text: 'is not there. Refresh the folder.' },
  ENOTDIR: { code: 'denied', text: 'lies behind a link or a file: links are not followed.' },
  ELOOP: { code: 'denied', text: 'is a link, or lies behind one: links are not followed.' },
  EACCES: { code: 'denied', text: 'may not be touched by the server: its permissions on the disk forbid it.' },
  EPERM: { code: 'denied', text: 'may not be touched by the server: the system forbids it.' },
  EROFS: { code: 'denied', text: 'lies on a disk that is read-only.' },
  EEXIST: { code: 'conflict', text: 'is there already. Choose another name.' },
  ENOTEMPTY: { code: 'conflict', text: 'is not empty.' },
  EISDIR: { code: 'invalid', text: 'is a folder, not a file.' },
  ENAMETOOLONG: { code: 'invalid', text: 'is too long a name or path for this disk.' },
  EXDEV: { code: 'conflict', text: 'lies on another disk.' },
  ENOSPC: { code: 'noSpace', text: 'does not fit: no space is left on the disk.' },
  EDQUOT: { code: 'noSpace', text: 'does not fit: the quota of the disk is used up.' },
  EFBIG: { code: 'tooLarge', text: 'is larger than the disk takes.' },
}

/** Returns a disk error as a Failure that names the place; returns any other error unchanged. */
export function fileFailure(error: unknown, place: { virtual: string } | string, field?: string): unknown {
  if (!(error instanceof DiskError)) return error
  const virtual = typeof place === 'string' ? place : place.virtual
  const more = { cause: error, ...(field === undefined ? {} : { field }) }
  const known = failureOf[error.code]
  if (known !== undefined) return new Failure(known.code, `${virtual} ${known.text}`, more)
  return new Failure('unavailable', `${virtual}: ${error.reason}`, more)
}

/** Including hidden files. */
export function missingFailure(virtual: string, field: string): Failure {
  return new Failure('notFound', `There is no ${virtual}. Refresh the folder.`, { field })
}

export function noFolder({ virtual }: { virtual: string }): Failure {
  return new Failure('invalid', `${virtual} is a file, not a folder.`, { field: 'path' })
}

/** Runs the work, and reports disk errors with the name of the place. */
export function namingFailures<T>(place: { virtual: string }, work: () => T, field?: string): T {
  try {
    return work()
  } catch (error) {
    throw fileFailure(error, place, field)
  }
}
