/** Turns errors of the machine (a full disk, a damaged library) into failures with a sentence, wherever they occur. */
import { Failure, type FailureCode } from '../schema/errors.ts'

/** System errors caused by the machine; any other error stays unexpected. */
const codes: Partial<Record<FailureCode, string>> = {
  noSpace: 'ENOSPC EDQUOT',
  denied: 'EACCES EPERM EROFS',
  conflict: 'EIO EFBIG EMFILE ENFILE ENODEV ENXIO ESTALE ENOTCONN EUCLEAN',
  invalid: 'ENAMETOOLONG ENOTDIR EISDIR ELOOP',
}
const byCode = new Map(
  Object.entries(codes).flatMap(([code, theirs]) => theirs.split(' ').map(one => [one, code as FailureCode])),
)

/** The failure for an error; an unexpected error is returned as it is. */
export async function asFailure(error: unknown): Promise<unknown> {
  if (error instanceof Failure || !(error instanceof Error)) return error
  const { DatabaseError } = await import('../core/kernel/database/database-error.ts')
  if (error instanceof DatabaseError) return new Failure('conflict', error.message, { cause: error })
  const { DiskError, diskError } = await import('../core/files/disk-error.ts')
  const path = 'path' in error && typeof error.path === 'string' ? error.path : ''
  const disk = diskError(error, path)
  const code = disk instanceof DiskError ? byCode.get(disk.code) : undefined
  return disk instanceof DiskError && code !== undefined ? new Failure(code, disk.message, { cause: error }) : error
}
