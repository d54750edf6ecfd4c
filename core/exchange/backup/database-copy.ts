/** Makes complete copies of the database, and verifies copies before they are used. */
import { Database } from 'bun:sqlite'
import { closeSync, openSync } from 'node:fs'
import { Failure, sentence } from '../../../schema/errors.ts'
import type { LibraryDatabase } from '../../kernel/database/database.ts'
import { isDamaged } from '../../kernel/database/database-error.ts'
import type { RowOfQuery } from '../../kernel/database/statement.ts'
import { copyFacts } from '../exchange.sql.ts'

/** `database`: the version of the database (PRAGMA user_version). */
export type CopyFacts = RowOfQuery<typeof copyFacts>

/** Verifies a copy. `createFailure` creates the failure for SQLite's errors; `inspect` reads from the open copy. */
export function checkCopy(
  path: string,
  createFailure: (faults: string) => Failure,
  inspect: (copy: Database) => void = () => {},
): CopyFacts {
  let copy: Database | null = null
  try {
    copy = new Database(path, { readonly: true })
    const faults = copy.query<{ integrity_check: string }, []>('PRAGMA integrity_check(5)').all()
    if (faults[0]?.integrity_check !== 'ok') throw createFailure(faults.map(fault => fault.integrity_check).join('; '))
    const facts = copy.query<CopyFacts, []>(copyFacts.sql).get()
    inspect(copy)
    return facts ?? { database: 0, items: 0, collections: 0 }
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (isDamaged(error) || message.startsWith('no such table')) throw createFailure(message)
    throw error
  } finally {
    copy?.close()
  }
}

/** Copies the database to the new file `path` and verifies the copy. Throws `conflict` if it is damaged. */
export function copyDatabase(db: LibraryDatabase, path: string): CopyFacts {
  // The copy contains password hashes and secrets, so only its owner may read it.
  closeSync(openSync(path, 'wx', 0o600))
  db.copyTo(path)
  return checkCopy(path, faults => new Failure('conflict', sentence`The database is damaged: ${faults}`))
}
