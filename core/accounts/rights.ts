/** Rights of users and visitors, cached until an access group, a membership or a collection's access changes. */
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { accessCount } from './access.sql.ts'
import { type Rights, rightsOf } from './access.ts'

const maxUsers = 1_000

/** `of` returns the current rights of a user, or of a visitor (null). Not for transactions that change access. */
export function createRights(db: LibraryDatabase) {
  let lastCount = -1
  const cached = new Map<number | null, ReadonlyMap<number, Rights>>()

  return {
    of(userId: number | null): ReadonlyMap<number, Rights> {
      const count = db.get(accessCount)?.access ?? -1
      if (count !== lastCount || cached.size > maxUsers) {
        cached.clear()
        lastCount = count
      }
      let rights = cached.get(userId)
      if (rights === undefined) {
        rights = rightsOf(db, userId)
        cached.set(userId, rights)
      }
      return rights
    },
  }
}

export type RightsTable = ReturnType<typeof createRights>
