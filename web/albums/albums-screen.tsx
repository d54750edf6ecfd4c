/** The screen 'Albums': folders, then albums; or the content of one folder. */

import { useSignals } from '@preact/signals-react/runtime'
import { BookImage, FolderPlus, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Album } from '../../schema/api/albums.ts'
import { compareNames } from '../../schema/locale.ts'
import { api } from '../api.ts'
import { address } from '../app/address.ts'
import { openLogin } from '../app/dialogs.ts'
import { hiddenQuery } from '../app/hidden.ts'
import { createResource } from '../app/loading/resource.ts'
import { versionOf } from '../app/loading/stale.ts'
import { signedIn, user } from '../app/session.ts'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { Select } from '../kit/form/select.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Menu } from '../kit/layers/menu.tsx'
import type { Rect } from '../kit/layers/menu-place.ts'
import { OutOfReach } from '../kit/out-of-reach.tsx'
import { Segmented } from '../kit/segmented.tsx'
import { useSlow } from '../kit/time/use-slow.ts'
import { phone, windowWidth } from '../kit/viewport.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { albumDialog } from './album-dialogs.ts'
import { entriesOf } from './album-menu.ts'
import { AlbumTile, FavouritesTile, FolderTile } from './album-tile.tsx'
import { albums } from './albums.ts'
import { Breadcrumb, foldersOf } from './breadcrumb.tsx'

const kinds = ['all', 'mine', 'shared', 'smart'] as const
type Kind = (typeof kinds)[number]
const orders = ['newestFirst', 'byName', 'latestPictures'] as const
type Order = (typeof orders)[number]

const isOfKind: Record<Kind, (album: Album) => boolean> = {
  all: () => true,
  mine: ({ own }) => own,
  shared: ({ own, members }) => !own || members.length > 0,
  smart: ({ kind }) => kind === 'search',
}

const compare: Record<Order, (a: Album, b: Album) => number> = {
  newestFirst: (a, b) => b.created - a.created || b.id - a.id,
  byName: (a, b) => compareNames(a.name, b.name),
  latestPictures: (a, b) => (b.to ?? 0) - (a.to ?? 0) || b.id - a.id,
}

const favourites = createResource(albumsTexts.failedToLoadAlbums, () =>
  api.items.list({ params: { collectionId: 0 }, query: { q: 'favourite:yes', limit: 1, ...hiddenQuery() } }),
)

/** Albums within a folder, those in its folders too. */
function allInside(all: readonly Album[], folder: number): Album[] {
  return all
    .filter(({ parent }) => parent === folder)
    .flatMap(album => (album.kind === 'folder' ? allInside(all, album.id) : [album]))
}

/** Window width in pixels from which all of the head's words fit into one line beside the sidebar. */
const leastWidthForWords = 1280

interface Choice {
  kind: Kind
  order: Order
}

function Head({
  all,
  folder,
  choice,
  onChoose,
}: {
  all: readonly Album[]
  folder: Album | undefined
  choice: Choice
  onChoose: (choice: Choice) => void
}) {
  useSignals()
  const parent = folder?.id ?? null
  const isNarrow = phone.value
  const hasRoom = !isNarrow && windowWidth.value >= leastWidthForWords
  const openForm = (isFolder: boolean) => () => {
    albumDialog.value = { kind: 'edit', album: null, folder: isFolder, parent }
  }
  const mayCreate = signedIn.value && (folder === undefined || folder.role === 'manage')
  return (
    <header className="albums-head">
      <div className="min-w-0 me-auto">
        {folder !== undefined && <Breadcrumb folders={foldersOf(all, folder)} />}
        <h1 className="text-xl font-semibold truncate" dir="auto">
          {folder?.name ?? baseTexts.albums}
        </h1>
      </div>
      {folder === undefined &&
        signedIn.value &&
        (!hasRoom ? (
          <Select
            className="album-select"
            aria-label={albumsTexts.whichAlbums}
            value={choice.kind}
            choices={kinds.map(value => ({ value, text: albumsTexts[value] }))}
            onChoose={kind => onChoose({ ...choice, kind: kind as Kind })}
          />
        ) : (
          <Segmented
            label={albumsTexts.whichAlbums}
            isLabelHidden
            choices={kinds}
            value={choice.kind}
            text={kind => albumsTexts[kind]}
            onChange={kind => onChoose({ ...choice, kind })}
          />
        ))}
      {!isNarrow && (
        <Select
          className="album-select"
          aria-label={albumsTexts.order}
          value={choice.order}
          choices={orders.map(value => ({ value, text: albumsTexts[value] }))}
          onChoose={order => onChoose({ ...choice, order: order as Order })}
        />
      )}
      {mayCreate &&
        folder?.parent == null &&
        (!hasRoom ? (
          <IconButton icon={FolderPlus} label={albumsTexts.newFolder} onClick={openForm(true)} />
        ) : (
          <Button look="ghost" small icon={FolderPlus} text={albumsTexts.newFolder} onClick={openForm(true)} />
        ))}
      {mayCreate &&
        (isNarrow ? (
          <IconButton icon={Plus} label={albumsTexts.newAlbum} onClick={openForm(false)} />
        ) : (
          <Button look="primary" small icon={Plus} text={albumsTexts.newAlbum} onClick={openForm(false)} />
        ))}
    </header>
  )
}

function NoAlbums({ folder, kind }: { folder: Album | undefined; kind: Kind }) {
  useSignals()
  if (!signedIn.value)
    return (
      <Empty
        icon={BookImage}
        title={albumsTexts.noPublicAlbums}
        actions={<Button look="primary" text={baseTexts.login} onClick={() => openLogin()} />}
      >
        {albumsTexts.signInForMore}
      </Empty>
    )
  if (folder !== undefined)
    return (
      <Empty icon={BookImage} title={albumsTexts.folderIsEmpty}>
        {albumsTexts.folderIsEmptyHint}
      </Empty>
    )
  if (kind !== 'all') return <Empty icon={BookImage} title={albumsTexts.noneOfThese} />
  return (
    <Empty
      icon={BookImage}
      title={albumsTexts.noAlbumsYet}
      actions={
        <Button
          look="primary"
          text={albumsTexts.newAlbum}
          onClick={() => {
            albumDialog.value = { kind: 'edit', album: null }
          }}
        />
      }
    >
      {albumsTexts.noAlbumsHint}
    </Empty>
  )
}

/** Whether the favourites are shown as an album, and the newest of them. */
function useFavourites(isWanted: boolean) {
  const version = versionOf('items')
  const userId = user.value?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when any of these changes
  useEffect(() => {
    if (isWanted) void favourites.load({ quiet: true })
  }, [isWanted, version, userId])
  const { value } = favourites.value
  const cover = value?.items[0]
  return isWanted && cover !== undefined ? { cover, count: value?._meta.total_records ?? 0 } : null
}

/** Folders in rows of their own, then albums; `children` are the first of them. */
function Tiles({
  all,
  shown,
  onMenu,
  children,
}: {
  all: readonly Album[]
  shown: readonly Album[]
  onMenu: OpenMenu
  children?: ReactNode
}) {
  const menuOf = (album: Album) => (entriesOf(album).length === 0 ? undefined : (at: Rect) => onMenu(album, at))
  const folders = shown.filter(({ kind }) => kind === 'folder')
  return (
    <>
      {folders.length > 0 && (
        <ul className="album-grid mb-6">
          {folders.map(album => {
            const covers = allInside(all, album.id).flatMap(({ cover }) => cover ?? [])
            const inside = all.filter(({ parent }) => parent === album.id)
            return <FolderTile key={album.id} album={album} inside={inside} covers={covers} onMenu={menuOf(album)} />
          })}
        </ul>
      )}
      <ul className="album-grid">
        {children}
        {shown
          .filter(({ kind }) => kind !== 'folder')
          .map(album => (
            <AlbumTile key={album.id} album={album} onMenu={menuOf(album)} />
          ))}
      </ul>
    </>
  )
}

type OpenMenu = (album: Album, at: Rect) => void

export function AlbumsScreen() {
  useSignals()
  const [choice, setChoice] = useState<Choice>({ kind: 'all', order: 'newestFirst' })
  const [menu, setMenu] = useState<{ album: Album; at: Rect } | null>(null)
  const isSlow = useSlow(!albums.isLoaded.value)
  const all = albums.read().toSorted(compare[choice.order])
  const folderId = Number(/^\/albums\/(\d+)/.exec(address.value.path)?.[1] ?? 0)
  const folder = all.find(({ id, kind }) => id === folderId && kind === 'folder')
  const favourite = useFavourites(signedIn.value && folderId === 0 && choice.kind === 'all')
  if (!albums.isLoaded.value) {
    if (albums.failed.value) return <OutOfReach again={how => albums.refresh(how)} />
    return isSlow ? <div className="albums" aria-busy="true" /> : null
  }
  const isHere = ({ parent, orphan }: Album) => parent === (folder?.id ?? null) && !orphan
  const orphans = folder === undefined && choice.kind === 'all' ? all.filter(({ orphan }) => orphan) : []
  const shown =
    choice.kind === 'all' || folder !== undefined
      ? all.filter(isHere)
      : all.filter(album => album.kind !== 'folder' && !album.orphan && isOfKind[choice.kind](album))
  const open: OpenMenu = (album, at) => setMenu({ album, at })
  return (
    <div className="albums">
      <Head all={all} folder={folder} choice={choice} onChoose={setChoice} />
      {shown.length + orphans.length === 0 && favourite === null ? (
        <NoAlbums folder={folder} kind={choice.kind} />
      ) : (
        <Tiles all={all} shown={shown} onMenu={open}>
          {favourite !== null && <FavouritesTile {...favourite} />}
        </Tiles>
      )}
      {orphans.length > 0 && (
        <section>
          <h2 className="text-base font-semibold mt-8">{albumsTexts.withoutOwner}</h2>
          <p className="soft text-xs mb-4">{albumsTexts.withoutOwnerHint}</p>
          <Tiles all={all} shown={orphans} onMenu={open} />
        </section>
      )}
      {menu !== null && (
        <Menu label={menu.album.name} entries={entriesOf(menu.album)} at={menu.at} onClose={() => setMenu(null)} />
      )}
    </div>
  )
}
