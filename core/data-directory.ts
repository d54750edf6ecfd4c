/** The data directory as a place on the disk: whether it can be written, and one that is only there for a while. */
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from '../schema/errors.ts'
import { codeOf } from './files/disk-error.ts'

/** A directory that is gone with the process, however that ends but by a kill. */
export function passingDirectory(): { path: string; remove: () => void } {
  let path: string
  try {
    path = mkdtempSync(join(tmpdir(), 'keepsake-'))
  } catch (error) {
    throw new Failure('invalid', `No temporary directory can be made in ${tmpdir()}.`, { cause: error })
  }
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return { path, remove }
}

/** What stands where the data directory should be, or above it, and is no directory; null where nothing is in the way. */
export function inItsPlace(data: string): string | null {
  for (let path = data; ; path = dirname(path)) {
    try {
      return statSync(path).isDirectory() ? null : path
    } catch (error) {
      const code = codeOf(error)
      // What may not be looked at is told by whoever needs it.
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(path) === path) return null
    }
  }
}

/** `invalid` where a file is in the place of the data directory: it is there, and of another kind. */
export function demandDirectory(data: string): void {
  const file = inItsPlace(data)
  if (file === null) return
  throw new Failure('invalid', `${file} is not a directory. Choose another with --data DIR or KEEPSAKE_DATA.`)
}

/** Is there a library in this directory? `denied` where this user may not even look. */
export function holdsLibrary(data: string): boolean {
  try {
    return statSync(join(data, 'library.db'), { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') return false
    throw new Failure(
      'denied',
      `This user may not look into ${data}. Run as its owner, or choose another with --data DIR.`,
      {
        cause: error,
      },
    )
  }
}

/**
 * The database of a library that was there has no byte left, as a full disk or a crash of the system leaves it: an empty one in
 * its place would look as if everything had been deleted. A start that was broken off before anything was made leaves no secrets.
 */
export function isEmptied(data: string): boolean {
  const size = (name: string) => statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0
  return holdsLibrary(data) && size('library.db') === 0 && size('library.db-wal') === 0 && size('secrets.json') > 0
}

/** SQLite writes beside the database also where one only reads: its own words for that help nobody. */
export function demandWritable(home: string, data: string): void {
  for (const path of [home, join(home, 'library.db')]) {
    if (!existsSync(path)) continue
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
    } catch (error) {
      throw new Failure(
        'denied',
        `The library in ${data} cannot be written by this user. Run as the owner of ${path}, or choose another with --data DIR.`,
        { cause: error },
      )
    }
  }
}
