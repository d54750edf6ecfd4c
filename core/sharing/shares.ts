/** Shares: links to single items that anybody may open for a while, as long as the one who made them could see the item. */
import { createHash, randomBytes } from 'node:crypto'
import type { Share, SharedItem } from '../../schema/api/shares.ts'
import { Failure } from '../../schema/errors.ts'
import { demandSignedIn, notFound, type Viewer } from '../accounts/access.ts'
import type { RightsTable } from '../accounts/rights.ts'
import { viewerOfUser } from '../accounts/viewers.ts'
import type { ItemForBytes } from '../items/item-bytes.ts'
import type { Items } from '../items/items.ts'
import { canTranscode, type TranscodeParts } from '../items/transcode-job.ts'
import { type Clock, seconds } from '../kernel/clock.ts'
import type { Seal } from '../kernel/data/sealed.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'

interface ShareRow {
  lookup: string
  sealed_name: string | null
  item_id: number
  user_id: number
  username: string
  created_at: number
  expires_at: number
}

const selectShare = 'SELECT s.*, u.username FROM shares AS s JOIN users AS u ON u.id = s.user_id'

function shareJson(row: ShareRow, name: string): Share {
  return {
    name,
    item: row.item_id,
    username: row.username,
    created: row.created_at,
    expires: row.expires_at,
  }
}

export function createShares({
  db,
  clock,
  items,
  rights,
  settings,
  seal,
}: {
  /** Names of shares open what is shared, so the database has them sealed, as it has passwords hashed. */
  seal: Seal
  db: LibraryDatabase
  clock: Clock
  settings: TranscodeParts['settings']
  items: Items
  rights: RightsTable
}) {
  /**
   * The share under a name and the one who made it, as he is now and not unlocked; null when it has expired, he is gone,
   * was disabled or does not see the item any more, and for a name that is none: nobody can tell which.
   */
  function opened(name: string): { row: ShareRow; sharer: Viewer } | null {
    const row = db.get<ShareRow>(`${selectShare} WHERE s.lookup = ?`, seal.lookupOf(name))
    // An unsealed row is one of before, and not found by what stands in the database.
    if (row === null || row.sealed_name === null || row.expires_at <= seconds(clock)) return null
    const sharer = viewerOfUser(db, rights, row.user_id)
    if (sharer === null || items.visibleIds(sharer, [row.item_id], undefined).length === 0) return null
    return { row, sharer }
  }

  return {
    /** A link to an item that the caller sees and that nothing hides, for so many hours. */
    async create(viewer: Viewer, itemId: number, hours: number): Promise<Share> {
      demandSignedIn(viewer)
      if (items.visibleIds(viewer, [itemId], undefined).length === 0) throw notFound()
      const { userId } = viewer
      if (userId === null) throw new Failure('denied', 'A share belongs to an account.')
      const name = randomBytes(16).toString('base64url')
      const lookup = seal.lookupOf(name)
      const now = seconds(clock)
      return db.transact(viewer, tx => {
        tx.run('DELETE FROM shares WHERE expires_at <= ?', now)
        tx.run(
          'INSERT INTO shares (lookup, sealed_name, item_id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
          lookup,
          seal.seal(name),
          itemId,
          userId,
          now,
          now + hours * 3600,
        )
        const row = tx.get<ShareRow>(`${selectShare} WHERE s.lookup = ?`, lookup)
        if (row === null) throw new Error('the new share is not there')
        return shareJson(row, name)
      })
    },

    /** Shares that are still good, newest first: one's own, everybody's for global admins. */
    list(viewer: Viewer): Share[] {
      demandSignedIn(viewer)
      return db
        .all<ShareRow>(
          `${selectShare} WHERE s.expires_at > ? AND (? OR s.user_id = ?) ORDER BY s.created_at DESC, s.lookup`,
          seconds(clock),
          viewer.globalAdmin ? 1 : 0,
          viewer.userId,
        )
        .flatMap(row => {
          // Null: made with the key of another `secrets.json`. Its link is dead, and nobody knows it any more.
          const name = seal.unseal(row.sealed_name ?? '')
          return name === null || opened(name) === null ? [] : [shareJson(row, name)]
        })
    },

    /** Ends a share at once: one's own, anybody's for global admins. */
    async remove(viewer: Viewer, { id, name }: { id: number; name: string }): Promise<void> {
      demandSignedIn(viewer)
      await db.transact(viewer, tx => {
        const { changes } = tx.run(
          'DELETE FROM shares WHERE lookup = ? AND item_id = ? AND (? OR user_id = ?)',
          seal.lookupOf(name),
          id,
          viewer.globalAdmin ? 1 : 0,
          viewer.userId,
        )
        if (changes === 0) throw notFound()
      })
    },

    /** What is shared under a name: its type, size and date, for anybody. */
    get(name: string): SharedItem {
      const share = opened(name)
      const [item] = share === null ? [] : items.byIds(share.sharer, [share.row.item_id], undefined)
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
        expires: share.row.expires_at,
      }
    },

    /** What sending a shared item's pictures needs: made anew without metadata, and kept by nobody's cache. Null as above. */
    findForBytes(name: string): ItemForBytes | null {
      const share = opened(name)
      const item = share === null ? null : items.findForBytes(share.sharer, share.row.item_id)
      return item === null ? null : { ...item, isPrivate: true, keepsPlaces: true }
    },
  }
}

export type Shares = ReturnType<typeof createShares>
