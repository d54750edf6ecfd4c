/** Adding, removing and ordering the items of albums by hand. */
import type { albumCalls } from '../../schema/api/albums.ts'
import type { InputOf } from '../../schema/api/contract.ts'
import { Failure, sentence } from '../../schema/errors.ts'
import { notFound, type Viewer } from '../accounts/access.ts'
import { type AlbumEntry, appendAlbumItems, moveAlbumItems, removeAlbumItem } from '../items/albums/album-items.ts'
import type { Items } from '../items/items.ts'
import { chunksOf } from '../kernel/chunks.ts'
import { seconds } from '../kernel/clock.ts'
import type { Actor, LibraryDatabase, Transaction } from '../kernel/database/database.ts'
import type { SeenAlbum } from '../words/seen-albums.ts'
import { type AlbumStore, publishAlbums, requireRole } from './album-rows.ts'
import * as statements from './albums.sql.ts'

type Body<Name extends keyof typeof albumCalls> = InputOf<(typeof albumCalls)[Name]>['body']

/** Items that one transaction adds or removes. */
const itemsAtOnce = 300

function requireHandPicked({ kind, name }: SeenAlbum): void {
  if (kind === 'hand') return
  throw new Failure(
    'conflict',
    kind === 'folder'
      ? sentence`'${name}' is a folder of albums.`
      : sentence`The items of '${name}' come from a search.`,
  )
}

/** The distinct ids of items that the viewer sees: whether an album has others must not show in the result of a change. */
function visibleAmong(items: Items, viewer: Viewer, ids: readonly number[]): number[] {
  const seen = new Set(items.visibleIds(viewer, ids, viewer.unlockValue ?? undefined))
  return [...new Set(ids)].filter(id => seen.has(id))
}

/** The distinct ids; `notFound` if the viewer does not see one of these items. */
export function requireVisible(items: Items, viewer: Viewer, ids: readonly number[]): number[] {
  const seen = visibleAmong(items, viewer, ids)
  if (seen.length < new Set(ids).size) throw notFound()
  return seen
}

/** Whether the item is in the album and another user added it. */
export function wasAddedByOthers(tx: Pick<Transaction, 'get'>, viewer: Viewer, id: number, itemId: number): boolean {
  const row = tx.get(statements.adderOfItem, id, itemId)
  return row !== null && row.addedBy !== viewer.userId
}

function addChunk(tx: Transaction, id: number, items: readonly number[], by: Pick<AlbumEntry, 'addedAt' | 'addedBy'>) {
  const added = appendAlbumItems(tx, id, items, by)
  if (added.length > 0) {
    tx.history({ operation: 'album.items', after: { id, added, ...by }, before: { id, removed: [] } })
    publishAlbums(tx)
  }
  return added.length
}

function removeChunk(tx: Transaction, id: number, items: readonly number[]) {
  const removed = items.flatMap(itemId => removeAlbumItem(tx, id, itemId) ?? [])
  if (removed.length > 0) {
    tx.history({ operation: 'album.items', after: { id, added: [] }, before: { id, removed } })
    publishAlbums(tx)
  }
  return removed.length
}

/** Changes many items in several short transactions, so that others can write too. Fails if the viewer loses the role. */
async function inTransactions(
  db: LibraryDatabase,
  actor: Viewer & Actor,
  id: number,
  ids: readonly number[],
  work: (tx: Transaction, ids: readonly number[]) => number,
): Promise<number> {
  let changed = 0
  for (const some of chunksOf(ids, itemsAtOnce)) {
    changed += await db.transact(actor, tx => {
      requireRole(tx, actor, id, 'add')
      return work(tx, some)
    })
    if (ids.length > itemsAtOnce) await Bun.sleep(1)
  }
  return changed
}

/** Adds items at the end of an album, in this order, as a part of the actor's step; returns how many are new in it. */
export function addItems(
  { db, clock }: AlbumStore,
  actor: Viewer & Actor,
  id: number,
  ids: readonly number[],
): Promise<number> {
  const by = { addedAt: seconds(clock), addedBy: actor.userId }
  return inTransactions(db, actor, id, ids, (tx, some) => addChunk(tx, id, some, by))
}

export function createAlbumItems(store: AlbumStore) {
  const { db, items } = store
  return {
    async setItems(viewer: Viewer, id: number, { add = [], remove = [] }: Body<'setItems'>) {
      const album = requireRole(db, viewer, id, 'add')
      requireHandPicked(album)
      const added = requireVisible(items, viewer, add)
      const removed = visibleAmong(items, viewer, remove)
      if (album.role !== 'manage' && removed.some(itemId => wasAddedByOthers(db, viewer, id, itemId)))
        throw new Failure('denied', 'You can remove only what you have added to this album.')
      const step = crypto.randomUUID()
      const actor = { ...viewer, step }
      return {
        removed: await inTransactions(db, actor, id, removed, (tx, some) => removeChunk(tx, id, some)),
        added: await addItems(store, actor, id, added),
        step,
      }
    },

    async order(viewer: Viewer, id: number, { items: ids, before }: Body<'order'>): Promise<{ step: string }> {
      requireRole(db, viewer, id, 'manage')
      const moved = visibleAmong(items, viewer, ids)
      if (before !== null) requireVisible(items, viewer, [before])
      if (before !== null && moved.includes(before))
        throw new Failure('invalid', 'An item cannot be moved before itself.', { field: 'before' })
      return db.transact(viewer, tx => {
        requireHandPicked(requireRole(tx, viewer, id, 'manage'))
        const positions = moveAlbumItems(tx, id, moved, before)
        if (positions.length > 0) {
          tx.history({ operation: 'album.order', before: { id, positions } })
          publishAlbums(tx)
        }
        return { step: tx.step }
      })
    },
  }
}
