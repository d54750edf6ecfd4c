/** Names of the database's files, and of directories for replaced files. */
import { existsSync } from 'node:fs'

export const databaseName = 'library.db'
/** The database, and SQLite's files beside it: they belong together. */
export const databaseFiles = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`] as const

/** Within a data directory, or after its name: prefix of the directory for what a restore replaced. */
export const keptBeforeRestore = '.before-restore-'

/** `start` and the present time (UTC), with a number where that is taken. */
export function asideName(start: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  for (let n = 1; ; n++) {
    const name = `${start}${stamp}${n === 1 ? '' : `-${n}`}`
    if (!existsSync(name)) return name
  }
}
