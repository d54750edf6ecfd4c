/** A whole copy of the database, checked before anybody relies on it. */
import { Database } from 'bun:sqlite'
import { closeSync, openSync } from 'node:fs'
import { Failure } from '../../../schema/errors.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { isDamaged } from '../../kernel/database/database-trouble.ts'

export interface CopyFacts {
  /** Its version (PRAGMA user_version). */
  database: number
  items: number
  collections: number
}

/** Reads a copy whole. `wrong` makes the failure where SQLite finds fault with it; `look` gets the open copy. */
export function checkCopy(
  path: string,
  wrong: (faults: string) => Failure,
  look: (copy: Database) => void = () => {},
): CopyFacts {
  let copy: Database | null = null
  try {
    copy = new Database(path, { readonly: true })
    const faults = copy.query<{ integrity_check: string }, []>('PRAGMA integrity_check(5)').all()
    if (faults[0]?.integrity_check !== 'ok') throw wrong(faults.map(fault => fault.integrity_check).join('; '))
    const number = (sql: string) => copy?.query<{ n: number }, []>(sql).get()?.n ?? 0
    const facts = {
      database: number('SELECT user_version AS n FROM pragma_user_version'),
      items: number('SELECT count(*) AS n FROM items'),
      collections: number('SELECT count(*) AS n FROM collections'),
    }
    look(copy)
    return facts
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (isDamaged(error) || message.startsWith('no such table')) throw wrong(message)
    throw error
  } finally {
    copy?.close()
  }
}

/**
 * Copies the database to `path`, where nothing may be, and reads the copy back: `conflict` where the database is damaged.
 * What the disk refuses is thrown as it comes.
 */
export function copyDatabase(db: LibraryDatabase, path: string): CopyFacts {
  // Only its owner may read what is in it: passwords' hashes, secrets.
  closeSync(openSync(path, 'wx', 0o600))
  db.copyTo(path)
  return checkCopy(path, faults => new Failure('conflict', `The database is damaged: ${faults}`))
}
