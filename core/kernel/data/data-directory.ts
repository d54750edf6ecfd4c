/** The data directory on the disk: whether it can be written, and temporary ones. */
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, sentence } from '../../../schema/errors.ts'
import { codeOf } from '../../files/disk-error.ts'
import { outputFailure } from '../../files/output-paths.ts'
import { databaseName } from './aside.ts'
import { hadLibrary, lossRemedy, noLibraryMessage } from './copies.ts'
import { makeDataPrivate } from './private-files.ts'
import { requireLostLibrary, setLibraryAside } from './set-aside.ts'

/** A temporary directory, which is removed when the process ends, unless it is killed. */
export function temporaryDirectory(): { path: string; remove: () => void } {
  let path: string
  try {
    path = mkdtempSync(join(tmpdir(), 'keepsake-'))
  } catch (error) {
    throw new Failure('invalid', sentence`No temporary directory can be made in ${tmpdir()}.`, { cause: error })
  }
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return { path, remove }
}

/** A file in the place of the data directory or a parent; null if there is none. */
export function fileInPlaceOf(data: string): string | null {
  for (let path = data; ; path = dirname(path)) {
    try {
      return statSync(path).isDirectory() ? null : path
    } catch (error) {
      const code = codeOf(error)
      // Unreadable parents are reported when they are used.
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(path) === path) return null
    }
  }
}

/** Throws `invalid` if a file is in the place of the data directory. */
export function requireDirectory(data: string): void {
  const file = fileInPlaceOf(data)
  if (file === null) return
  throw new Failure('invalid', sentence`${file} is not a directory. Choose another with --data DIR or KEEPSAKE_DATA.`)
}

/** Whether there is a library in this directory. Throws `denied` if this user may not read it. */
export function hasLibrary(data: string): boolean {
  try {
    return statSync(join(data, databaseName), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') return false
    const remedy = 'Run as its owner, or choose another with --data DIR.'
    throw new Failure('denied', sentence`This user may not read ${data}. ${remedy}`, { cause: error })
  }
}

/**
 * Describes the loss of a database that is missing or empty: a new one would look as if everything had been deleted,
 * and show hidden items. Null if the database has any content (`migrate` checks it), or never existed.
 */
export function describeLoss(data: string): string | null {
  if (!hadLibrary(data)) return null
  const path = join(data, databaseName)
  if (!hasLibrary(data)) return `${path} is missing, and there was a library in ${data}.`
  const isEmpty = [path, `${path}-wal`].every(name => (statSync(name, { throwIfNoEntry: false })?.size ?? 0) === 0)
  return isEmpty ? noLibraryMessage(path) : null
}

/** Throws if the directory or its database is not writable: SQLite writes even to read, and explains nothing. */
function requireWritable(home: string, data: string): void {
  for (const path of [home, join(home, databaseName)]) {
    if (!existsSync(path)) continue
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      throw new Failure(
        'denied',
        sentence`The library in ${data} cannot be written by this user. Run as the owner of ${path}, or choose another with --data DIR.`,
        { cause: error },
      )
    }
  }
}

export interface PrepareOptions {
  /**
   * If there is no library: create the data directory (true), fail with `noLibrary` (false), or 'pretend': open an
   * empty library in a temporary directory, removed when it is closed, without creating the data directory.
   */
  create: boolean | 'pretend'
  /** Move the remains of a lost library aside and start a new one; `conflict` if the database is intact. */
  asNew?: boolean
}

/**
 * Prepares the data directory for opening its library. `home` is the directory of the library's files: the data
 * directory, or a temporary one, which `leave` removes. Throws `noLibrary` if there is none and none may be created,
 * `conflict` if its database is lost (with `asNew`: if it is intact), and errors of the directory.
 */
export function prepareDataDirectory(
  data: string,
  { create, asNew = false }: PrepareOptions,
): { home: string; leave: () => void } {
  requireDirectory(data)
  if (asNew) {
    requireLostLibrary(data)
    if (create === true) setLibraryAside(data)
  }
  const loss = asNew ? null : describeLoss(data)
  if (loss !== null) throw new Failure('conflict', sentence`${loss} ${lossRemedy(data)}`)
  const isThere = !asNew && hasLibrary(data)
  if (!isThere && create === false) {
    throw new Failure(
      'noLibrary',
      sentence`There is no library in ${data}. Make one with: keepsake scan DIR, or keepsake serve`,
    )
  }
  const temporary = !isThere && create === 'pretend' ? temporaryDirectory() : null
  const home = temporary?.path ?? data
  requireWritable(home, data)
  try {
    mkdirSync(join(home, 'cache'), { recursive: true, mode: 0o700 })
  } catch (error) {
    const refused = outputFailure(error, data)
    if (refused instanceof Failure && refused.code === 'noSpace') throw refused
    const refusal = `The data directory ${data} cannot be made. Choose another with --data DIR.`
    throw new Failure('invalid', refusal, { cause: error })
  }
  makeDataPrivate(home, { deep: false })
  return { home, leave: () => temporary?.remove() }
}
