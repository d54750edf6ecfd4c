/** Names of the database's files, and of directories for replaced files. */
import { existsSync } from 'node:fs'

export const databaseName = 'library.db'
/** The database, and the files that SQLite writes beside it, which belong together. */
export const databaseFiles = [databaseName, `${databaseName}-wal`, `${databaseName}-shm`] as const

/** Begins the name of a directory for files that a restore replaced; beside the data directory, follows its name. */
export const keptBeforeRestore = '.before-restore-'

/** `start`, which begins a path, and the current time (UTC), with a number if that path is taken. */
export function asideName(start: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  for (let n = 1; ; n++) {
    const name = `${start}${stamp}${n === 1 ? '' : `-${n}`}`
    if (!existsSync(name)) return name
  }
}
