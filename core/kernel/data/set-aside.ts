/** Starts a new library when the old database is damaged or missing: its remains are kept aside. */
import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, sentence } from '../../../schema/errors.ts'
import { isDamaged, toDatabaseError } from '../database/database-error.ts'
import { asideName, databaseFiles, databaseName } from './aside.ts'
import { copiesName } from './copies.ts'
import { isServerRunning } from './server-lock.ts'

/** Whether the file is an intact database. Throws errors of the disk. */
function isIntact(path: string): boolean {
  let db: Database | null = null
  try {
    db = new Database(path, { readonly: true })
    db.run('PRAGMA busy_timeout = 5000')
    const rows = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').all()
    const hasItems = db.query("SELECT 1 FROM sqlite_schema WHERE name = 'items'").get() !== null
    return rows[0]?.quick_check === 'ok' && hasItems
  } catch (error) {
    if (isDamaged(error)) return false
    throw toDatabaseError(error, path)
  } finally {
    db?.close()
  }
}

/** Throws `conflict` if nothing is lost, or `busy` if a server runs. */
export function requireLostLibrary(data: string): void {
  const path = join(data, databaseName)
  if (!existsSync(data)) return
  if (isServerRunning(data)) throw new Failure('busy', sentence`A Keepsake server uses ${data}: stop it first.`)
  if (existsSync(path) && isIntact(path))
    throw new Failure(
      'conflict',
      sentence`The library in ${data} is intact: --new is only for a damaged or missing database. For another library, give another --data DIR.`,
    )
}

/**
 * Moves the database and its copies into a directory `.before-new-…` of the data directory. Settings, secrets, plugins
 * and the cache stay. Returns that directory; null if there was nothing to move.
 */
export function setLibraryAside(data: string): string | null {
  // The copies are moved last: without them and the database, the directory would count as fresh.
  const there = [...databaseFiles, copiesName].filter(name => existsSync(join(data, name)))
  if (there.length === 0) return null
  const aside = asideName(join(data, '.before-new-'))
  mkdirSync(aside, { mode: 0o700 })
  for (const name of there) renameSync(join(data, name), join(aside, name))
  return aside
}
