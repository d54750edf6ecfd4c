/** Shares: temporary public links to single items, valid as long as their creator can see the item. */
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, lte, sql } from 'drizzle-orm'
import type { Share, SharedItem } from '../../schema/api/shares.ts'
import { Failure } from '../../schema/errors.ts'
import { shares } from '../../schema/tables/sharing.ts'
import { notFound, requireSignedIn, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import type { ItemForBytes } from '../items/item-bytes.ts'
import type { Items } from '../items/items.ts'
import { canTranscode, type TranscodeParts } from '../items/transcode-job.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { Seal } from '../kernel/data/sealed.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { RowOfQuery } from '../kernel/database/statement.ts'
import { shareByLookup, sharesToList } from './sharing.sql.ts'

type ShareRow = RowOfQuery<typeof shareByLookup>

interface ShareStore {
  db: LibraryDatabase
  clock: Clock
  settings: TranscodeParts['settings']
  items: Items
  rights: RightsTable
  /** Tokens of shares give access, so the database stores them encrypted, as it stores passwords hashed. */
  seal: Seal
}

function shareJson({ item, username, created, expires }: ShareRow, name: string): Share {
  return { name, item, username, created, expires }
}

/**
 * The share whose token is `name`, and its creator as a viewer, with current rights and without unlocking. Null if it
 * has expired, its creator may not see the item any more, or the token is unknown; callers can't distinguish these.
 */
function findActiveShare(
  { db, clock, items, rights, seal }: ShareStore,
  name: string,
): (ShareRow & { sharer: Viewer }) | null {
  const row = db.get(shareByLookup, seal.lookupOf(name))
  // An unencrypted row is from an earlier version, and its stored token does not work.
  if (row === null || row.sealedName === null || row.expires <= seconds(clock)) return null
  const sharer = viewerOfUser(db, rights, row.userId)
  if (sharer === null || items.visibleIds(sharer, [row.item], undefined).length === 0) return null
  return { ...row, sharer }
}

export function createShares(store: ShareStore) {
  const { db, clock, items, settings, seal } = store
  return {
    /** Creates a link, valid for this many hours, to an item that the caller sees even without unlocking. */
    async create(viewer: Viewer, itemId: number, hours: number): Promise<Share> {
      requireSignedIn(viewer)
      if (items.visibleIds(viewer, [itemId], undefined).length === 0) throw notFound()
      const { userId } = viewer
      if (userId === null) throw new Failure('denied', 'Only a user can create a share: the terminal has no account.')
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

    /** Valid shares, newest first: the viewer's own, or everybody's for global admins. */
    list(viewer: Viewer): Share[] {
      requireSignedIn(viewer)
      return db.all(sharesToList, seconds(clock), viewer.globalAdmin ? 1 : 0, viewer.userId).flatMap(row => {
        // Null if it was encrypted with the key of another `secrets.json`: its link can't be restored.
        const name = seal.unseal(row.sealedName ?? '')
        return name === null || findActiveShare(store, name) === null ? [] : [shareJson(row, name)]
      })
    },

    /** Ends a share at once: the viewer's own, or anybody's for global admins. */
    async remove(viewer: Viewer, { id, name }: { id: number; name: string }): Promise<void> {
      requireSignedIn(viewer)
      const isMine = viewer.globalAdmin ? undefined : sql`${shares.userId} = ${viewer.userId}`
      const isMeant = and(eq(shares.lookup, seal.lookupOf(name)), eq(shares.itemId, id), isMine)
      await db.transact(viewer, tx => {
        const { changes } = tx.orm.delete(shares).where(isMeant).run()
        if (changes === 0) throw notFound()
      })
    },

    /** Whether anything is shared under a token now. */
    isActive(name: string): boolean {
      return findActiveShare(store, name) !== null
    },

    /** Describes to anybody what is shared under a token: its type, size and date, and who shares it until when. */
    get(name: string): SharedItem {
      const share = findActiveShare(store, name)
      const [item] = share === null ? [] : items.byIds(share.sharer, [share.item], undefined)
      if (share === null || item === undefined) throw notFound()
      const { type, width, height, taken_at, duration, reloads } = item
      // `reloads` is hashed, so that nobody with a copy of the file can recognize it. A motion part is shared only if
      // it can be transcoded, which removes its metadata.
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
        from: share.displayName,
      }
    },

    /** What sending a shared item's pictures needs: re-encoded without metadata, never cached. Null if not shared. */
    findForBytes(name: string): ItemForBytes | null {
      const share = findActiveShare(store, name)
      const item = share === null ? null : items.findForBytes(share.sharer, share.item)
      return item === null ? null : { ...item, isPrivate: true, withholdsPlaces: true }
    },
  }
}

export type Shares = ReturnType<typeof createShares>
