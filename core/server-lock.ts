/** One server per data directory: a lock of the operating system, through SQLite, that ends with the process. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Failure } from '../schema/errors.ts'

/** Kept from the garbage collector, which would close the database and let the lock go silently. */
const held: Database[] = []

/** True while a server of this data directory runs, in whatever process. */
export function serverRuns(data: string): boolean {
  const probe = new Database(join(data, 'server.lock'), { create: true })
  try {
    probe.run('PRAGMA busy_timeout = 0')
    probe.run('BEGIN EXCLUSIVE')
    probe.run('ROLLBACK')
    return false
  } catch {
    return true
  } finally {
    probe.close()
  }
}

/** Takes the lock until the process ends, or fails within two seconds with `busy`. */
export function takeServerLock(data: string): void {
  const lock = new Database(join(data, 'server.lock'), { create: true })
  try {
    lock.run('PRAGMA busy_timeout = 1500')
    lock.run('PRAGMA journal_mode = DELETE')
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new Failure('busy', `A Keepsake server already uses ${data}. Stop it, or give this one another --data DIR.`, {
      cause: error,
    })
  }
  held.push(lock)
}
