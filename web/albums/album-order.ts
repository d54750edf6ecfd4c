/** The order of an open album: its choices, and how one is chosen. */
import type { Album } from '../../schema/api/albums.ts'
import { go } from '../app/address.ts'
import { addressOfAlbum, filter } from '../app/current-filter.ts'
import type { AlbumSort } from '../app/filter.ts'
import { albumsTexts } from '../texts/albums.ts'
import { mayManage, updateAlbum } from './albums.ts'

const orders: readonly { value: AlbumSort; text: string }[] = [
  { value: 'taken', text: albumsTexts.oldestFirst },
  { value: '-taken', text: albumsTexts.newestFirst },
  { value: '-added', text: albumsTexts.lastAddedFirst },
  { value: 'name', text: albumsTexts.byName },
  { value: 'hand', text: albumsTexts.byHand },
]

export const ordersOf = ({ kind }: Album) => orders.filter(({ value }) => value !== 'hand' || kind === 'hand')

/** The order in which the album is shown now. */
export const shownOrder = (): AlbumSort => filter.value.sort ?? '-taken'

export function chooseOrder(album: Album, sort: AlbumSort): void {
  go(addressOfAlbum(album.id, sort), { replace: true })
  // If the user manages the album, it opens in this order from now on.
  if (mayManage(album)) void updateAlbum(album, { sort })
}
