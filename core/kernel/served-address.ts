/** The address of the library's running server, published at its start for this machine's terminal. */
import { z } from 'zod'
import { choiceOf, setChoice } from './choices.ts'
import type { LibraryDatabase } from './database/database.ts'

const name = 'served-address'

/** Called by the server; the address is valid only while the server's lock is held. */
export async function setServedAddress(db: LibraryDatabase, address: string): Promise<void> {
  await db.transact({ userId: null }, tx => setChoice(tx, name, address))
}

/** The best address of the server that runs, or ran last; null if none was published. */
export function servedAddress(db: LibraryDatabase): string | null {
  return z.string().safeParse(choiceOf(db, name)).data ?? null
}
