/** Until when cookies are read over https under the names that they had before they got the prefix `__Host-`. */
import { choices } from '../../schema/tables/choices.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { findBy } from '../kernel/database/find-by.ts'

const choice = findBy(choices, choices.name)

/** Seconds since the epoch: a migration stores the time 30 days after the update. 0 if none is stored. */
export function oldCookiesUntil(db: Pick<LibraryDatabase, 'orm'>): number {
  return Number(choice(db, 'old-cookies-until')?.value ?? 0) || 0
}
