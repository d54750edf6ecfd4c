/** What SQLite says of a database file that is damaged, or of its disk, in words that name the file and what to do. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure } from '../../../schema/errors.ts'
import { DiskError } from '../../files/disk-error.ts'
import { lossRemedy } from '../data/copies.ts'

/** SQLite's name of what went wrong (SQLITE_CORRUPT); '' for an error that is none of its. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : ''
}

/** Does another process have the lock? */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** Is it no database, or not a whole one? */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(error))
}

/** What to do where the database at `path` is damaged. */
export function damageRemedy(path: string): string {
  return lossRemedy(dirname(path))
}

/**
 * Trouble with the file of a database that was opened well: neither a fault of ours nor a refusal. A server logs it and tells
 * nobody its path; a command tells it as it stands.
 */
export class DatabaseTrouble extends Error {
  override readonly name = 'DatabaseTrouble'
}

/** Has the disk no room left for another page of the database or its log? */
function isFullDisk(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < 65_536
  } catch {
    return false
  }
}

/**
 * An error of SQLite about the database at `path`: `noSpace` for a full disk, DatabaseTrouble for one that is damaged or cannot
 * be read or written. Any other error comes back as it is.
 */
export function databaseTrouble(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (isDamaged(error))
    return new DatabaseTrouble(`${path} is damaged (${code}). See: keepsake doctor. ${damageRemedy(path)}`, {
      cause: error,
    })
  const isRefused = /^SQLITE_(IOERR|READONLY|CANTOPEN)/.test(code)
  // Of a full disk it says so only where it writes: the log's index is said to be an error of the disk.
  if (code === 'SQLITE_FULL' || (isRefused && isFullDisk(path)))
    return new Failure('noSpace', 'The disk of the library is full. Free some space and try again.', { cause: error })
  if (isRefused)
    return new DatabaseTrouble(`The disk refuses to read or write ${path} (${code}). See: keepsake doctor`, {
      cause: error,
    })
  return error
}

/** The same where a copy of the database is written to `target`: a DiskError for what the copy's own disk refuses. */
export function copyTrouble(error: unknown, path: string, target: string): unknown {
  const code = codeOf(error)
  if (code === 'SQLITE_FULL') return new DiskError('ENOSPC', target, error)
  if (/^SQLITE_(IOERR_(WRITE|FSYNC|TRUNCATE)|CANTOPEN|READONLY)/.test(code)) {
    return new DiskError(isFullDisk(target) ? 'ENOSPC' : 'EIO', target, error)
  }
  return databaseTrouble(error, path)
}
