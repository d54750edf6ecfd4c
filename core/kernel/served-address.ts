/** Where the server of a library can be reached, as it has said when it began: for the terminal beside it. */
import { z } from 'zod'
import type { LibraryDatabase } from './database/database.ts'

const name = 'served-address'

/** Told by the server; believed only while its lock is held. */
export async function tellServedAddress(db: LibraryDatabase, address: string): Promise<void> {
  await db.transact({ userId: null }, tx => {
    tx.run('DELETE FROM choices WHERE name = ?', name)
    tx.run('INSERT INTO choices (name, value) VALUES (?, ?)', name, JSON.stringify(address))
  })
}

/** The best address of the server that runs, or ran last; null: none has said one. */
export function servedAddress(db: LibraryDatabase): string | null {
  const row = db.get<{ value: string }>('SELECT value FROM choices WHERE name = ?', name)
  if (row === null) return null
  const value = z.string().safeParse(JSON.parse(row.value))
  return value.success ? value.data : null
}
