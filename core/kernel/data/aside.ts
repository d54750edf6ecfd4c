/** Names of the database's files, and of directories for what is kept aside. */
import { existsSync } from 'node:fs'

export const databaseName = 'library.db'
/** The database, and what SQLite keeps beside it: they belong together. */
export const databaseFiles = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`] as const

/** Within a data directory, or after its name: begin of the name of what a restored library replaced. */
export const keptBeforeRestore = '.before-restore-'

/** `start` and the time of now (UTC), with a number where that is taken. */
export function asideName(start: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  for (let n = 1; ; n++) {
    const name = `${start}${stamp}${n === 1 ? '' : `-${n}`}`
    if (!existsSync(name)) return name
  }
}
