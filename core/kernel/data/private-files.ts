/**
 * Keeps the data directory private: files 0600, directories 0700. It contains password hashes, secrets and thumbnails
 * of everything. Most files are created with these modes; older files, and those that SQLite creates, are changed here.
 */
import { chmodSync, closeSync, type Dirent, lstatSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../files/disk-error.ts'

/** Prefixes of names that this program creates in the data directory. The directory's own mode protects the rest. */
const ownNames =
  /^(library\.db|library-before-version-\d+\.db|server\.lock|secrets\.json|config\.toml|cache|copies|logs|models|plugins|replaced$|\.before-new-|\.before-restore-|\.restoring-)/

export interface PrivacyResult {
  /** Paths on which other users had rights before. */
  closed: string[]
  /** Paths on which other users still have rights: another user owns them, or the disk does not support modes. */
  open: string[]
}

/** Links at the top (the data directory and its entries) are followed: the admin made them. Links below are not. */
const statOf = (path: string | Buffer, follow: boolean) => (follow ? statSync(path) : lstatSync(path))

type State = 'closed' | 'open' | 'fine'

/** Removes all rights of other users from one file or directory. */
function removeOthersRights(path: string | Buffer, follow: boolean): State {
  try {
    const found = statOf(path, follow)
    if (!(found.isFile() || found.isDirectory()) || (found.mode & 0o077) === 0) return 'fine'
    // The mode is read again below, which shows whether this failed.
    try {
      chmodSync(path, found.mode & 0o700)
    } catch (error) {
      if (codeOf(error) === null) throw error
    }
    return (statOf(path, follow).mode & 0o077) === 0 ? 'closed' : 'open'
  } catch (error) {
    // The file was removed meanwhile, or this user cannot read it.
    if (codeOf(error) === null) throw error
    return 'fine'
  }
}

/** Entries of a directory; none if it is not a directory or cannot be read. */
function entriesIn(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === null) throw error
    return []
  }
}

/**
 * Makes the data directory and its files private. Without `deep` (at every start) only entries directly in it and in
 * `logs`: mode 0700 protects the rest. With `deep` all, but cached files only where others could read their directory.
 */
export function makeDataPrivate(data: string, { deep }: { deep: boolean }): PrivacyResult {
  const result: PrivacyResult = { closed: [], open: [] }
  const closeEntry = (path: string, follow: boolean): State => {
    const state = removeOthersRights(path, follow)
    if (state !== 'fine') result[state].push(path)
    return state
  }
  const below = (directory: string, withFiles: boolean) => {
    for (const entry of entriesIn(directory)) {
      if (!withFiles && !entry.isDirectory()) continue
      const path = join(directory, entry.name)
      const state = closeEntry(path, false)
      if (deep && entry.isDirectory()) below(path, withFiles || state !== 'fine')
    }
  }
  closeEntry(data, true)
  for (const { name } of entriesIn(data).filter(one => ownNames.test(one.name))) {
    const path = join(data, name)
    const state = closeEntry(path, true)
    if (deep || name === 'logs') below(path, name !== 'cache' || state !== 'fine')
  }
  return result
}

/** Creates a private file if missing, because SQLite would use the umask. Errors show when it is opened. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    if (codeOf(error) === null) throw error
  }
}

/** Makes new files private, if their disk supports it. */
export function makePathsPrivate(paths: readonly Buffer[]): void {
  for (const path of paths) removeOthersRights(path, false)
}
