/** The head of an album over its items in the gallery, and what is shown if it has none. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowDownUp, BookImage, Clapperboard, Ellipsis, FileArchive, ImagePlus, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Album } from '../../schema/api/albums.ts'
import { applyOwnOrder, filter, isInOwnOrder, setFilter } from '../app/current-filter.ts'
import { openSlideshow } from '../app/dialogs.ts'
import { type AlbumSort, emptyFilter } from '../app/filter.ts'
import { signedIn, user } from '../app/session.ts'
import { playSlideshow } from '../items/selection/slideshow.ts'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { Select } from '../kit/form/select.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { Menu } from '../kit/layers/menu.tsx'
import type { Rect } from '../kit/layers/menu-place.ts'
import { frame, phone } from '../kit/viewport.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { albumDialog } from './album-dialogs.ts'
import { AlbumFaces, usePeopleOf } from './album-faces.tsx'
import { entriesOf } from './album-menu.ts'
import { chooseOrder, ordersOf, shownOrder } from './album-order.ts'
import { albumLine, namesText } from './album-text.ts'
import { Cover } from './album-tile.tsx'
import { albums, mayManage, openAlbum } from './albums.ts'
import { Breadcrumb, foldersOf } from './breadcrumb.tsx'
import { useHandOrder } from './use-hand-order.ts'

function Order({ album }: { album: Album }) {
  useSignals()
  return (
    <div className="album-order">
      <ArrowDownUp size={16} aria-hidden="true" />
      <Select
        className="album-select"
        aria-label={albumsTexts.order}
        value={shownOrder()}
        choices={ordersOf(album)}
        onChoose={value => chooseOrder(album, value as AlbumSort)}
      />
    </div>
  )
}

function HeadActions({ album, onMenu }: { album: Album; onMenu: (at: Rect) => void }) {
  useSignals()
  const share = () => {
    albumDialog.value = { kind: 'members', album }
  }
  return (
    <div className="flex items-center gap-1">
      {frame.value === 'sidebar' && album.items > 0 && (
        <Button
          look="ghost"
          small
          icon={Clapperboard}
          text={baseTexts.slideshow}
          onClick={() => playSlideshow('list')}
        />
      )}
      {frame.value === 'sidebar' && signedIn.value && album.items > 0 && (
        <IconButton icon={FileArchive} label={baseTexts.downloadAsSlideshow} onClick={() => openSlideshow()} />
      )}
      {mayManage(album) && <Button look="quiet" small icon={Users} text={albumsTexts.share} onClick={share} />}
      {entriesOf(album).length > 0 && (
        <IconButton
          icon={Ellipsis}
          label={albumsTexts.menuOf({ name: album.name })}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => onMenu(currentTarget.getBoundingClientRect())}
        />
      )}
    </div>
  )
}

function HandOrder({ album }: { album: Album }) {
  const [place, setPlace] = useState('')
  useHandOrder(album, index => setPlace(albumsTexts.positionOf({ position: index + 1, count: album.items })))
  return (
    <span className="sr-only" role="status">
      {place}
    </span>
  )
}

/** The people on the pictures, with whom the album is shared, and its description. */
function AlbumDetails({ album, words }: { album: Album; words: readonly string[] }) {
  const shown = usePeopleOf(album)
  const text = words.filter(Boolean).join(' · ')
  const isWaiting = shown === null && album.items > 0
  if (!isWaiting && (shown?.total ?? 0) === 0 && text === '') return null
  return (
    <div className="album-more-words">
      {shown !== null && shown.total > 0 && <AlbumFaces {...shown} />}
      {text !== '' && (
        <p className="album-description soft" dir="auto" title={album.description}>
          {text}
        </p>
      )}
    </div>
  )
}

export function AlbumHead() {
  useSignals()
  const [at, setAt] = useState<Rect | null>(null)
  const album = openAlbum.value
  const ownOrder = album !== null && isInOwnOrder.value ? album.sort : null
  useEffect(() => {
    if (ownOrder !== null) applyOwnOrder(ownOrder)
  }, [ownOrder])
  if (album === null) {
    // An album that is not there is explained below.
    return albums.isLoaded.value ? <div /> : <div className="album-head album-head-room" aria-busy="true" />
  }
  const names = namesText(album, user.value?.username, 5)
  const words = [names === '' ? '' : albumsTexts.withNames({ names }), album.description]
  const isByHand = filter.value.sort === 'hand' && mayManage(album)
  return (
    <header className="album-head">
      <Cover item={album.cover} />
      <div className="album-words">
        <Breadcrumb folders={foldersOf(albums.read(), album)} />
        <h1 className="text-xl font-semibold truncate" dir="auto" title={album.name}>
          {album.name}
        </h1>
        <p className="truncate" title={isByHand ? albumsTexts.dragHint : undefined}>
          {albumLine({ ...album, members: [] }, user.value?.username)}
        </p>
        {isByHand && <HandOrder album={album} />}
        {!phone.value && <AlbumDetails album={album} words={words} />}
      </div>
      {phone.value ? (
        <AlbumDetails album={album} words={words} />
      ) : (
        <div className="album-acts">
          <HeadActions album={album} onMenu={setAt} />
          <Order album={album} />
        </div>
      )}
      {at !== null && <Menu label={album.name} entries={entriesOf(album)} at={at} onClose={() => setAt(null)} />}
    </header>
  )
}

/** Shown in place of the items of an album that has none. */
export function AlbumEmpty() {
  useSignals()
  const album = openAlbum.value
  if (album === null)
    return albums.isLoaded.value ? (
      <Empty
        icon={BookImage}
        title={albumsTexts.isGone}
        actions={
          <Link href="/albums" className="btn btn-primary">
            {albumsTexts.allAlbums}
          </Link>
        }
      >
        {albumsTexts.isGoneHint}
      </Empty>
    ) : null
  if (album.kind === 'search') return <Empty icon={BookImage} title={albumsTexts.isEmptySearch} />
  return (
    <Empty
      icon={BookImage}
      title={albumsTexts.isEmpty}
      actions={
        <Button
          look="primary"
          icon={ImagePlus}
          text={albumsTexts.choosePictures}
          onClick={() => setFilter(emptyFilter)}
        />
      }
    >
      {albumsTexts.isEmptyHint}
    </Empty>
  )
}
