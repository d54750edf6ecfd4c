/** Names of the database's files, and of directories for replaced files. */
import { existsSync } from 'node:fs'

export const databaseName = 'library.db'
/** The database, and the files that SQLite writes beside it, which belong together. */
export const databaseFiles = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`] as const

/** Prefix of the name of a directory for files that a restore replaced. Beside the data directory, it follows its name. */
export const keptBeforeRestore = '.before-restore-'

/** A path that does not exist yet: `start`, the current time (UTC), and a number if it is needed. */
export function asideName(start: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  for (let n = 1; ; n++) {
    const name = `${start}${stamp}${n === 1 ? '' : `-${n}`}`
    if (!existsSync(name)) return name
  }
}
