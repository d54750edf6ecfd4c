/** Albums named in the metadata of files, so that a library rebuilt from its files has its albums again. */
import { limits } from '../../schema/limits.ts'
import { appendAlbumItems } from '../items/albums/album-items.ts'
import type { Transaction } from '../kernel/database/database.ts'
import type { FileAlbum } from '../metadata/albums.ts'
import { albumByUid, insertAlbum, publishAlbums } from './album-rows.ts'
import { countOfAlbums } from './albums.sql.ts'

/** Creates the album if there is none with its uid. Null for one that was deleted here, or takes no items. */
function albumOf(tx: Transaction, { uid, name }: FileAlbum, createdAt: number): number | null {
  const known = albumByUid(tx, uid)
  if (known !== undefined) return known.kind === 'hand' && known.deletedAt === null ? known.id : null
  if ((tx.get(countOfAlbums)?.n ?? 0) >= limits.maxAlbums) return null
  // Without an owner, because files do not name one: only global admins see it.
  return insertAlbum(tx, { uid, name, kind: 'hand', createdAt })
}

/** Adds a new item to the albums that its files name. `now`: seconds. */
export function joinAlbumsOfFiles(tx: Transaction, itemId: number, albums: readonly FileAlbum[], now: number): void {
  for (const album of albums) {
    const id = albumOf(tx, album, now)
    if (id !== null && appendAlbumItems(tx, id, [itemId], { addedAt: now, addedBy: null }).length > 0) publishAlbums(tx)
  }
}
