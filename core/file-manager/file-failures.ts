/** Maps disk errors for users of the file manager: which file, and what to do. */
import { Failure, type FailureCode, sentence } from '../../schema/errors.ts'
import { DiskError } from '../files/disk-error.ts'

const failureOf: Record<string, { code: FailureCode; pattern: string }> = {
  ENOENT: { code: 'notFound', pattern: '{0} no longer exists. Refresh the folder.' },
  ENOTDIR: { code: 'denied', pattern: '{0} is behind a link or a file: links are not followed.' },
  ELOOP: { code: 'denied', pattern: '{0} is a link or behind one: links are not followed.' },
  EACCES: { code: 'denied', pattern: '{0} is not accessible to the server: its file permissions forbid it.' },
  EPERM: { code: 'denied', pattern: '{0} is not accessible to the server: the system forbids it.' },
  EROFS: { code: 'denied', pattern: '{0} is on a read-only disk.' },
  EEXIST: { code: 'conflict', pattern: '{0} already exists. Choose another name.' },
  ENOTEMPTY: { code: 'conflict', pattern: '{0} is not empty.' },
  EISDIR: { code: 'invalid', pattern: '{0} is a folder, not a file.' },
  ENAMETOOLONG: { code: 'invalid', pattern: '{0} has a name or path that is too long for this disk.' },
  EXDEV: { code: 'conflict', pattern: '{0} is on another disk.' },
  ENOSPC: { code: 'noSpace', pattern: '{0} does not fit: no space is left on the disk.' },
  EDQUOT: { code: 'noSpace', pattern: '{0} does not fit: the quota of the disk is used up.' },
  EFBIG: { code: 'tooLarge', pattern: '{0} is larger than the disk allows.' },
}

/** Returns a disk error as a Failure that names the place; returns any other error unchanged. */
export function fileFailure(error: unknown, place: { virtual: string } | string, field?: string): unknown {
  if (!(error instanceof DiskError)) return error
  const virtual = typeof place === 'string' ? place : place.virtual
  const more = { cause: error, ...(field === undefined ? {} : { field }) }
  const known = failureOf[error.code]
  if (known !== undefined) return new Failure(known.code, { pattern: known.pattern, values: [virtual] }, more)
  return new Failure('unavailable', sentence`${virtual}: ${error.reason}`, more)
}

/** The failure for a missing file. Used for hidden files too. */
export function missingFailure(virtual: string, field: string): Failure {
  return new Failure('notFound', sentence`There is no ${virtual}. Refresh the folder.`, { field })
}

export function noFolder({ virtual }: { virtual: string }): Failure {
  return new Failure('invalid', sentence`${virtual} is a file, not a folder.`, { field: 'path' })
}

/** Runs the work, and reports disk errors with the name of the place. */
export function namingFailures<T>(place: { virtual: string }, work: () => T, field?: string): T {
  try {
    return work()
  } catch (error) {
    throw fileFailure(error, place, field)
  }
}
