/** Brings a database to the version of this executable. */
import type { Database } from 'bun:sqlite'
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, sentence } from '../../../schema/errors.ts'
import { migrations } from '../../../schema/migrations.ts'
import { lossRemedy, noLibraryMessage } from '../data/copies.ts'
import { makePrivateFile } from '../data/private-files.ts'
import type { Seals } from '../data/sealed.ts'
import { processExists } from '../process-identity.ts'

/** Removes the copies of a database that killed processes have left. Others may still be making theirs. */
function removeOldCopies(copy: string): void {
  const prefix = `${basename(copy)}.`
  for (const name of readdirSync(dirname(copy)))
    if (name.startsWith(prefix) && !processExists(Number.parseInt(name.slice(prefix.length), 10)))
      rmSync(join(dirname(copy), name), { force: true })
}

/**
 * Copies the database, then brings it to the version of this executable in one transaction. `upTo` is for tests of the
 * migrations themselves. With `mustHoldLibrary`, a database without tables fails with `conflict`: its library was lost.
 */
export function migrate(db: Database, path: string | null, upTo = migrations.length, mustHoldLibrary = false): void {
  const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  if (version > migrations.length) {
    throw new Failure(
      'conflict',
      sentence`The library was last used by a newer Keepsake (its version is ${version}, this one knows ${migrations.length}). Use the newer executable, or restore a backup.`,
    )
  }
  if (version >= upTo) return
  // Several processes may migrate at once: each makes a separate copy, and the one that gets the lock keeps its copy.
  const copy = version > 0 && path !== null ? join(dirname(path), `library-before-version-${upTo}.db`) : null
  const ownCopy = `${copy}.${process.pid}`
  if (copy !== null) {
    makePrivateFile(ownCopy)
    db.run('VACUUM INTO ?', [ownCopy])
  }
  db.run('PRAGMA foreign_keys = OFF')
  db.run('BEGIN IMMEDIATE')
  try {
    // Another process may have migrated while this one waited for the lock.
    const now = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
    if (now === 0 && mustHoldLibrary && path !== null)
      throw new Failure('conflict', sentence`${noLibraryMessage(path)} ${lossRemedy(dirname(path))}`)
    for (const { sql } of migrations.slice(now, upTo)) {
      for (const statement of sql.split('--> statement-breakpoint')) if (statement.trim() !== '') db.run(statement)
    }
    if (now < upTo) {
      // Without statistics, the planner chooses the wrong index for lists (measured: 3,888 ms instead of 0.14 ms). In the
      // same transaction, as a process that is killed before it commits must not leave a new version without them.
      db.run('ANALYZE')
      db.run(`PRAGMA user_version = ${upTo}`)
      if (copy !== null) renameSync(ownCopy, copy)
    }
    db.run('COMMIT')
    if (copy !== null) removeOldCopies(copy)
  } catch (error) {
    db.run('ROLLBACK')
    throw error
  } finally {
    if (copy !== null) rmSync(ownCopy, { force: true })
  }
  db.run('PRAGMA foreign_keys = ON')
}

const unsealedShares = 'SELECT lookup FROM shares WHERE sealed_name IS NULL'
const unsealedPins = "SELECT id, pin_hash FROM users WHERE pin_hash LIKE '$argon2%'"

/**
 * Encrypts share names and PIN hashes that older versions stored unencrypted; links and PINs stay valid. Several
 * processes may run it at once. The copy made before the migration still has them unencrypted.
 */
export function sealOldRows(db: Database, sealsOf: () => Seals): void {
  const unsealed = db.query(`SELECT 1 FROM (${unsealedShares} UNION ALL SELECT id FROM (${unsealedPins})) LIMIT 1`)
  if (unsealed.get() === null) return
  const { shares, pins } = sealsOf()
  db.run('BEGIN IMMEDIATE')
  try {
    for (const { lookup: name } of db.query<{ lookup: string }, []>(unsealedShares).all())
      db.run('UPDATE shares SET lookup = ?, sealed_name = ? WHERE lookup = ? AND sealed_name IS NULL', [
        shares.lookupOf(name),
        shares.seal(name),
        name,
      ])
    for (const { id, pin_hash: hash } of db.query<{ id: number; pin_hash: string }, []>(unsealedPins).all())
      db.run('UPDATE users SET pin_hash = ? WHERE id = ?', [pins.seal(hash), id])
    db.run('COMMIT')
  } catch (error) {
    db.run('ROLLBACK')
    throw error
  }
  // The log still has the old pages; in the database itself they were overwritten (secure_delete).
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
}
