/** Favourites: items that a user has marked for themselves. They are no edits: no version, no history, no write-back. */
import { Failure } from '../../../schema/errors.ts'
import { keyOf, marks } from '../../../schema/keys.ts'
import { channels } from '../../../schema/realtime.ts'
import { notFound, requireSignedIn, type Viewer } from '../../accounts/access.ts'
import { type Clock, seconds } from '../../kernel/clock.ts'
import type { LibraryDatabase, Transaction } from '../../kernel/database/database.ts'
import { addFavourite, addMarkKey, removeFavourite, removeMarkKey } from '../item-rows.sql.ts'
import type { Items } from '../items.ts'

/** Marks or unmarks one item for a user; returns whether that changed anything. */
export function setFavourite(
  tx: Transaction,
  { userId, itemId, favourite, at }: { userId: number; itemId: number; favourite: boolean; at: number },
): boolean {
  const { changes } = favourite ? tx.run(addFavourite, userId, itemId, at) : tx.run(removeFavourite, userId, itemId)
  if (changes > 0) tx.run(favourite ? addMarkKey : removeMarkKey, keyOf('mark', marks.favourite(userId)), itemId)
  return changes > 0
}

function ownerOf(viewer: Viewer): number {
  requireSignedIn(viewer)
  if (viewer.userId !== null) return viewer.userId
  throw new Failure('denied', 'Only a user has favourites: the terminal has no account. Name one: --user NAME')
}

export function createFavourites({ db, clock, items }: { db: LibraryDatabase; clock: Clock; items: Items }) {
  return {
    list(viewer: Viewer, { includeHidden }: { includeHidden?: string | undefined }): { items: number[] } {
      ownerOf(viewer)
      const query = { q: 'favourite:yes', includeHidden }
      const { ids } = items.idsOf(viewer, 0, query, { limit: Number.MAX_SAFE_INTEGER })
      return { items: ids }
    },

    async set(viewer: Viewer, { items: ids, favourite }: { items: readonly number[]; favourite: boolean }) {
      const userId = ownerOf(viewer)
      const distinct = [...new Set(ids)]
      if (items.visibleIds(viewer, distinct, viewer.unlockValue ?? undefined).length < distinct.length) throw notFound()
      const at = seconds(clock)
      return await db.transact(viewer, tx => {
        const changed = distinct.filter(itemId => setFavourite(tx, { userId, itemId, favourite, at })).length
        if (changed > 0) tx.event(channels.rpc(String(userId)), { action: 'update', favourite: {} })
        return { changed }
      })
    },
  }
}

export type Favourites = ReturnType<typeof createFavourites>
