/** The files below a directory that the journal still lists: their final place is not known yet. */

import { bytesOfText, rawOf } from '../files/names.ts'
import { realPath } from '../files/overlap.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { journalPaths } from './survey.sql.ts'

export interface InHand {
  isEmpty: boolean
  /** Is this path, relative to the directory, or one above it, in hand? */
  has(path: Uint8Array): boolean
}

/** A path of a row as one absolute path, a character each byte. */
export function absoluteOf(path: Uint8Array): string {
  return rawOf(path).replace('//', '/')
}

/** Beginnings of paths below a directory: as it is written, and as it is without links. */
function beginningsOf(root: string): string[] {
  return [root, realPath(root)].map(path => `${rawOf(bytesOfText(path)).replace(/\/+$/, '')}/`)
}

/**
 * Sources and destinations of what is being moved, destinations of copies, and what is being removed. Asked before a
 * directory is read: what the journal names then may come or go while it is read. `root` is absolute.
 */
export function inHandBelow(db: Pick<LibraryDatabase, 'all'>, root: string): InHand {
  const rows = db.all(journalPaths)
  if (rows.length === 0) return { isEmpty: true, has: () => false }
  const roots = beginningsOf(root)
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
