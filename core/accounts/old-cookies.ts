/** Until when cookies are read over https under the names that they had before they got the prefix `__Host-`. */
import { eq } from 'drizzle-orm'
import { choices } from '../../schema/tables/choices.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { prepared } from '../kernel/database/orm.ts'

const choice = prepared(orm => orm.select().from(choices).where(eq(choices.name, 'old-cookies-until')).prepare())

/** Seconds since the epoch; a migration wrote it, 30 days after the update. 0 where nothing says so. */
export function oldCookiesUntil(db: Pick<LibraryDatabase, 'orm'>): number {
  return Number(choice(db).get()?.value ?? 0) || 0
}
