/** Shares: links to single items that anybody may open for a while, as long as the one who made them could see the item. */
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, lte, sql } from 'drizzle-orm'
import type { Share, SharedItem } from '../../schema/api/shares.ts'
import { Failure } from '../../schema/errors.ts'
import { shares } from '../../schema/tables/sharing.ts'
import { demandSignedIn, notFound, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import type { ItemForBytes } from '../items/item-bytes.ts'
import type { Items } from '../items/items.ts'
import { canTranscode, type TranscodeParts } from '../items/transcode-job.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { Seal } from '../kernel/data/sealed.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowIn } from '../kernel/database/statement.ts'
import { shareByLookup, sharesToList } from './sharing.sql.ts'

type ShareRow = RowIn<typeof shareByLookup>

interface ShareStore {
  db: LibraryDatabase
  clock: Clock
  settings: TranscodeParts['settings']
  items: Items
  rights: RightsTable
  /** Names of shares open what is shared, so the database has them sealed, as it has passwords hashed. */
  seal: Seal
}

function shareJson({ item, username, created, expires }: ShareRow, name: string): Share {
  return { name, item, username, created, expires }
}

/**
 * The share under a name and its maker, with the rights of now and not unlocked. Null when it has expired or its maker may
 * not see the item any more, and for an unknown name: nobody can tell which.
 */
function opened({ db, clock, items, rights, seal }: ShareStore, name: string): (ShareRow & { sharer: Viewer }) | null {
  const row = db.get(shareByLookup, seal.lookupOf(name))
  // An unsealed row is one of before, and not found by what is in the database.
  if (row === null || row.sealedName === null || row.expires <= seconds(clock)) return null
  const sharer = viewerOfUser(db, rights, row.userId)
  if (sharer === null || items.visibleIds(sharer, [row.item], undefined).length === 0) return null
  return { ...row, sharer }
}

export function createShares(store: ShareStore) {
  const { db, clock, items, settings, seal } = store
  return {
    /** A link to an item that the caller sees and that nothing hides, for this many hours. */
    async create(viewer: Viewer, itemId: number, hours: number): Promise<Share> {
      demandSignedIn(viewer)
      if (items.visibleIds(viewer, [itemId], undefined).length === 0) throw notFound()
      const { userId } = viewer
      if (userId === null) throw new Failure('denied', 'A share belongs to an account.')
      const name = randomBytes(16).toString('base64url')
      const lookup = seal.lookupOf(name)
      const now = seconds(clock)
      return db.transact(viewer, tx => {
        tx.orm.delete(shares).where(lte(shares.expiresAt, now)).run()
        const time = { createdAt: now, expiresAt: now + hours * 3600 }
        tx.orm
          .insert(shares)
          .values({ lookup, sealedName: seal.seal(name), itemId, userId, ...time })
          .run()
        const row = tx.get(shareByLookup, lookup)
        if (row === null) throw new Error('the new share is not there')
        return shareJson(row, name)
      })
    },

    /** Shares that are still good, newest first: one's own, everybody's for global admins. */
    list(viewer: Viewer): Share[] {
      demandSignedIn(viewer)
      return db.all(sharesToList, seconds(clock), viewer.globalAdmin ? 1 : 0, viewer.userId).flatMap(row => {
        // Null: made with the key of another `secrets.json`. Its link is dead, and nobody knows it any more.
        const name = seal.unseal(row.sealedName ?? '')
        return name === null || opened(store, name) === null ? [] : [shareJson(row, name)]
      })
    },

    /** Ends a share at once: one's own, anybody's for global admins. */
    async remove(viewer: Viewer, { id, name }: { id: number; name: string }): Promise<void> {
      demandSignedIn(viewer)
      const isMine = viewer.globalAdmin ? undefined : sql`${shares.userId} = ${viewer.userId}`
      const isMeant = and(eq(shares.lookup, seal.lookupOf(name)), eq(shares.itemId, id), isMine)
      await db.transact(viewer, tx => {
        const { changes } = tx.orm.delete(shares).where(isMeant).run()
        if (changes === 0) throw notFound()
      })
    },

    /** What is shared under a name: its type, size and date, for anybody. */
    get(name: string): SharedItem {
      const share = opened(store, name)
      const [item] = share === null ? [] : items.byIds(share.sharer, [share.item], undefined)
      if (share === null || item === undefined) throw notFound()
      const { type, width, height, taken_at, duration, reloads } = item
      // What changes when the picture does says nothing about the file: whoever has a copy could tell it by that.
      // The motion part of a still has metadata: it is shared where there is something that takes it out.
      return {
        name,
        type,
        width,
        height,
        taken_at,
        duration,
        live: item.live && canTranscode(settings),
        reloads: createHash('sha256').update(`${name} ${reloads}`).digest('base64url').slice(0, 12),
        expires: share.expires,
      }
    },

    /**
     * What sending a shared item's pictures needs: made again without metadata, and kept by nobody's cache. Null as
     * above.
     */
    findForBytes(name: string): ItemForBytes | null {
      const share = opened(store, name)
      const item = share === null ? null : items.findForBytes(share.sharer, share.item)
      return item === null ? null : { ...item, isPrivate: true, keepsPlaces: true }
    },
  }
}

export type Shares = ReturnType<typeof createShares>
