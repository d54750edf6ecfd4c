/** A library with users, items and albums, for tests of albums without a server. */
import { expect } from 'bun:test'
import type { Viewer } from '../../core/accounts/access.ts'
import { createAlbums } from '../../core/albums/albums.ts'
import { albumUndos } from '../../core/albums/undo-albums.ts'
import { openEditingLibrary } from './editing-library.ts'

export const failureWith = (code: string) => expect.objectContaining({ code })

/** `ines` administers the open collection, `ines` and `uma` see the closed one, `tom` is in no group. */
export async function openAlbumLibrary() {
  const library = openEditingLibrary({ undos: albumUndos })
  const { db, clock, items, make, viewer, undo, lastStep } = library
  const albums = createAlbums({ db, clock, items })
  const [ines, tom, uma] = [await make.user('ines'), await make.user('tom'), await make.user('uma')]
  const admin = await make.user('admin', { globalAdmin: true })
  const open = await make.collection({ name: 'Open', public: true, admins: [ines] })
  const closed = await make.collection({ name: 'Closed', viewers: [ines, uma] })
  const sea = await make.item({ collection: open, name: 'sea.jpg', taken: '2019-05-01', keywords: ['sea'] })
  const hills = await make.item({ collection: closed, name: 'hills.jpg', taken: '2020-01-01' })
  const boat = await make.item({ collection: open, name: 'boat.jpg', taken: '2021-01-01', keywords: ['sea'] })
  await make.keystring('secret', { hidesItems: true })
  const hidden = await make.item({ collection: closed, taken: '2022-01-01', keywords: ['secret'] })
  return {
    ...library,
    albums,
    users: { ines, tom, uma, admin },
    ines: viewer(ines),
    tom: viewer(tom),
    uma: viewer(uma),
    admin: { ...viewer(admin), globalAdmin: true },
    collections: { open, closed },
    ids: { sea, hills, boat, hidden },
    /** Undoes the newest step of the history; returns how many of its entries were undone, refused and so on. */
    undoLast: async (who: Viewer) => (await undo(who, lastStep()?.step ?? '')).counts,
    itemIds: (who: Viewer, album: number, more: object = {}) =>
      items.list(who, { collectionId: 0 }, { album, ...more }).items.map(({ id }) => id),
  }
}
