/** One server per data directory: a lock of the operating system, taken through SQLite, which ends with the process. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { Failure, sentence } from '../../../schema/errors.ts'
import { makePrivateFile } from './private-files.ts'

/** References that keep the garbage collector from closing the database, which would release the lock silently. */
const held: Database[] = []

function openLock(data: string): Database {
  const path = join(data, 'server.lock')
  // Private, because anybody who could open the file could hold the lock.
  makePrivateFile(path)
  return new Database(path, { create: true })
}

/** Whether a server of this data directory runs, in any process. */
export function isServerRunning(data: string): boolean {
  const probe = openLock(data)
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

/** Takes the lock until the process ends. Throws `busy` if another process does not release it within 1.5 seconds. */
export function acquireServerLock(data: string): void {
  const lock = openLock(data)
  try {
    lock.run('PRAGMA busy_timeout = 1500')
    lock.run('PRAGMA journal_mode = DELETE')
    lock.run('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    throw new Failure(
      'busy',
      sentence`A Keepsake server already uses ${data}. Stop it, or give this one another --data DIR.`,
      {
        cause: error,
      },
    )
  }
  held.push(lock)
}
