/**
 * Keeps the files of the data directory to their owner: files 0600, directories 0700. Passwords' hashes, secrets and small
 * pictures of everything are in them. Most are made so; what was there before, or was made by SQLite, is closed here.
 */
import { chmodSync, closeSync, type Dirent, lstatSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './files/disk-error.ts'

/** Names in the data directory that this program makes. Whatever else lies there is out of reach by the directory's own mode. */
const ownNames =
  /^(library\.db|library-before-version-\d+\.db|server\.lock|secrets\.json|config\.toml|cache|copies|logs|models|plugins|replaced$|\.before-new-|\.before-restore-|\.restoring-)/

export interface Closing {
  /** Paths that others could read, and can't any more. */
  closed: string[]
  /** Paths that others can read still: they belong to somebody else, or their disk keeps no modes. */
  open: string[]
}

/** A link at the top leads to a place that was given to this library; one further down is somebody's own. */
const statOf = (path: string | Buffer, follow: boolean) => (follow ? statSync(path) : lstatSync(path))

type State = 'closed' | 'open' | 'fine'

/** Closes one file or directory. */
function close(path: string | Buffer, follow: boolean): State {
  try {
    const found = statOf(path, follow)
    if (!(found.isFile() || found.isDirectory()) || (found.mode & 0o077) === 0) return 'fine'
    // What the disk refuses is seen by looking again.
    try {
      chmodSync(path, found.mode & 0o700)
    } catch {}
    return (statOf(path, follow).mode & 0o077) === 0 ? 'closed' : 'open'
  } catch (error) {
    // Gone meanwhile, or nobody's to look at.
    if (codeOf(error) === null) throw error
    return 'fine'
  }
}

/** What a directory holds; nothing in what is no directory, or may not be read. */
function entriesIn(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === null) throw error
    return []
  }
}

/**
 * Closes the data directory and the program's own files in it to other users. Without `deep`, as at every start, that is
 * what lies directly in it and in `logs`: nothing deeper can be reached past a directory of mode 0700. With `deep` it is
 * everything; in the cache, which may hold millions of files, files only where their directory was open.
 */
export function closeToOthers(data: string, { deep }: { deep: boolean }): Closing {
  const told: Closing = { closed: [], open: [] }
  const look = (path: string, follow: boolean): State => {
    const state = close(path, follow)
    if (state !== 'fine') told[state].push(path)
    return state
  }
  const below = (directory: string, withFiles: boolean) => {
    for (const entry of entriesIn(directory)) {
      if (!withFiles && !entry.isDirectory()) continue
      const path = join(directory, entry.name)
      const state = look(path, false)
      if (deep && entry.isDirectory()) below(path, withFiles || state !== 'fine')
    }
  }
  look(data, true)
  for (const { name } of entriesIn(data).filter(one => ownNames.test(one.name))) {
    const path = join(data, name)
    const state = look(path, true)
    if (deep || name === 'logs') below(path, name !== 'cache' || state !== 'fine')
  }
  return told
}

/**
 * Makes an empty file that only its owner may read, for SQLite to fill: by itself it makes files by the process's umask. One
 * that is there stays. What hinders this is told by whoever opens the file next.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    if (codeOf(error) === null) throw error
  }
}

/** Closes what was just made, as far as its disk can. */
export function closePaths(paths: readonly Buffer[]): void {
  for (const path of paths) close(path, false)
}
