/** SQLite's errors about a damaged database file, or its disk, as messages with the file and the remedy. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../../../schema/errors.ts'
import { DiskError } from '../../files/disk-error.ts'
import { lossRemedy } from '../data/copies.ts'

/** SQLite's error code, for example SQLITE_CORRUPT; '' for other errors. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : ''
}

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** Whether the file is not a database, or a damaged one. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error))
}

/** The remedy for a damaged database at `path`. */
export function damageRemedy(path: string): string {
  return lossRemedy(dirname(path))
}

/** An error of a database file, neither a bug nor a refusal. Servers log it; responses do not contain its path. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

/** Whether the disk is full. */
function isFullDisk(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < 65_536
  } catch {
    return false
  }
}

/** Converts SQLite errors: to `noSpace`, or to DatabaseError for damage and refusals of the disk. Keeps others. */
export function toDatabaseError(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (isDamaged(error))
    return new DatabaseError(`${path} is damaged (${code}). See: keepsake doctor. ${damageRemedy(path)}`, {
      cause: error,
    })
  const isRefused = /^SQLITE_(IOERR|READONLY|CANTOPEN)/.test(code)
  // SQLite reports a full disk only for writes: for the log's index it is an I/O error.
  if (code === 'SQLITE_FULL' || (isRefused && isFullDisk(path)))
    return new Failure('noSpace', 'The disk of the library is full. Free some space and try again.', { cause: error })
  if (isRefused)
    return new DatabaseError(`The disk refuses to read or write ${path} (${code}). See: keepsake doctor`, {
      cause: error,
    })
  return error
}

/** Like `toDatabaseError`, for copying the database to `target`: a DiskError for errors of its disk. */
export function toCopyError(error: unknown, path: string, target: string): unknown {
  const code = codeOf(error)
  if (code === 'SQLITE_FULL') return new DiskError('ENOSPC', target, error)
  if (/^SQLITE_(IOERR_(WRITE|FSYNC|TRUNCATE)|CANTOPEN|READONLY)/.test(code)) {
    return new DiskError(isFullDisk(target) ? 'ENOSPC' : 'EIO', target, error)
  }
  return toDatabaseError(error, path)
}
