/** Actions of albums on items, and the open dialog about albums. */
import { useSignals } from '@preact/signals-react/runtime'
import { BookImage, BookX } from 'lucide-react'
import { z } from 'zod'
import { filterQuery } from '../../schema/api/items.ts'
import { currentCollection } from '../app/collections.ts'
import { filter } from '../app/current-filter.ts'
import { queryOf } from '../app/filter.ts'
import { signedIn } from '../app/session.ts'
import { addSelectionAction } from '../items/selection/selection-actions.ts'
import { Confirm } from '../kit/layers/confirm.tsx'
import { listText } from '../kit/words.ts'
import { conditionsOf } from '../search/no-items.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { albumDialog, chooseAlbum, closeAlbumDialog } from './album-dialogs.ts'
import { deleteAlbum, mayAdd, mayManage, openAlbum, removeFromAlbum, updateAlbum } from './albums.ts'
import { ChooseDialog } from './choose-dialog.tsx'
import { offerCover } from './cover-action.ts'
import { dragSourceOfAlbum } from './drag-albums.ts'
import { dragSourceOfItem } from './drag-items.ts'
import { DropAlbums } from './drop-albums.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { offerHandMoves } from './hand-moves.ts'
import { MembersDialog } from './members-dialog.tsx'
import { enableMouseDrag } from './mouse-drag.ts'

addSelectionAction({
  text: albumsTexts.addToAlbum,
  short: albumsTexts.album,
  icon: BookImage,
  order: 25,
  inBar: 'always',
  onPhoneBar: true,
  inItemMenu: true,
  offered: () => signedIn.value,
  act: items => chooseAlbum(items),
})

addSelectionAction({
  text: albumsTexts.removeFromAlbum,
  icon: BookX,
  order: 26,
  inBar: 1,
  inItemMenu: true,
  offered: () => filter.value.album !== 0 && openAlbum.value !== null && mayAdd(openAlbum.value),
  act(items) {
    const album = openAlbum.peek()
    if (album !== null) void removeFromAlbum(album, items)
  },
})

offerCover(
  () => openAlbum.value !== null && mayManage(openAlbum.value),
  item => {
    const album = openAlbum.peek()
    if (album !== null) void updateAlbum(album, { cover: item.id })
  },
)

offerHandMoves()

/** Opens the form of a new album with the search of the gallery. */
export function openSaveSearchForm(): void {
  const shown = filter.peek()
  const { collection_id: _, ...query } = z.encode(filterQuery, queryOf(shown))
  const kept = shown.collection === 0 ? query : { ...query, collection_id: shown.collection }
  const conditions = conditionsOf(shown, currentCollection.peek()?.name ?? null)
  albumDialog.value = {
    kind: 'edit',
    album: null,
    query: Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, String(value)])),
    searchText: listText(conditions.map(({ label, value }) => `${label}: ${value}`)),
  }
}

enableMouseDrag(pressed => dragSourceOfItem(pressed) ?? dragSourceOfAlbum(pressed))

function OpenDialog() {
  useSignals()
  const { value } = albumDialog
  switch (value?.kind) {
    case undefined:
      return null
    case 'edit':
      return <EditDialog {...value} />
    case 'members':
      return <MembersDialog album={value.album} />
    case 'choose':
      return <ChooseDialog items={value.items} />
    case 'delete': {
      const { album } = value
      return (
        <Confirm
          title={albumsTexts.deleteNamed({ name: album.name })}
          action={baseTexts.delete}
          isUsual
          onConfirm={() => deleteAlbum(album)}
          onClose={closeAlbumDialog}
        >
          {album.kind === 'folder' ? albumsTexts.deleteFolderHint : albumsTexts.deleteHint}
        </Confirm>
      )
    }
  }
}

export function AlbumDialogs() {
  return (
    <>
      <DropAlbums />
      <OpenDialog />
    </>
  )
}
