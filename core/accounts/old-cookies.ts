/** Until when cookies are read over https under the names that they had before they got the prefix `__Host-`. */
import type { LibraryDatabase } from '../kernel/database/database.ts'

/** Seconds since the epoch; a migration wrote it, 30 days after the update. 0 where nothing says so. */
export function oldCookiesUntil(db: Pick<LibraryDatabase, 'get'>): number {
  const row = db.get<{ value: string }>("SELECT value FROM choices WHERE name = 'old-cookies-until'")
  return Number(row?.value ?? 0) || 0
}
