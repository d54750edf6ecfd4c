/** The files below a directory that the journal lists: their final place is not known yet. */

import { bytesOfText, rawOf } from '../files/names.ts'
import { realPath } from '../files/overlap.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { journalPaths } from './survey.sql.ts'

/** Paths of the journal below a directory. */
export interface JournalledPaths {
  isEmpty: boolean
  /** Whether this path, relative to the directory, or one above it, is in the journal. */
  has(path: Uint8Array): boolean
}

/** The absolute path in a journal row, one character per byte. */
export function absoluteOf(path: Uint8Array): string {
  return rawOf(path).replace('//', '/')
}

/** Prefixes of paths below a directory: as written, and with links resolved. */
function prefixesOf(root: string): string[] {
  return [root, realPath(root)].map(path => `${rawOf(bytesOfText(path)).replace(/\/+$/, '')}/`)
}

/**
 * Reads the journal's paths below a directory: sources and destinations of moves, destinations of copies, and removals.
 * Call it before reading the directory: files in the journal may appear or disappear meanwhile. `root` is absolute.
 */
export function journalledBelow(db: Pick<LibraryDatabase, 'all'>, root: string): JournalledPaths {
  const rows = db.all(journalPaths)
  if (rows.length === 0) return { isEmpty: true, has: () => false }
  const roots = prefixesOf(root)
  const paths = new Set<string>()
  for (const { operation, source, destination } of rows) {
    for (const bytes of operation === 'copy' ? [destination] : [source, destination]) {
      const path = bytes === null ? '' : absoluteOf(bytes)
      for (const name of roots) if (path.startsWith(name)) paths.add(path.slice(name.length))
    }
  }
  return {
    isEmpty: paths.size === 0,
    has(path) {
      const raw = rawOf(path)
      for (let end = raw.length; end > 0; end = raw.lastIndexOf('/', end - 1))
        if (paths.has(raw.slice(0, end))) return true
      return false
    },
  }
}
