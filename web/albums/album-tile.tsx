/** An album or a folder as a tile: its cover or a mosaic, and its words beneath. */
import { useSignals } from '@preact/signals-react/runtime'
import { BookImage, Ellipsis, Folder, ListFilter, type LucideIcon, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Album } from '../../schema/api/albums.ts'
import type { Item } from '../../schema/api/items.ts'
import { pictureOf } from '../api.ts'
import { addressOfAlbum } from '../app/current-filter.ts'
import { useBroken } from '../app/loading/use-broken.ts'
import { user } from '../app/session.ts'
import { rotationOf } from '../items/item-text.ts'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import { IconButton } from '../kit/icon-button.tsx'
import type { Rect } from '../kit/layers/menu-place.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { albumLine, folderLine } from './album-text.ts'

export function Cover({ item, className = '' }: { item: Item | null; className?: string }) {
  const source = item === null ? '' : pictureOf(item, 'small')
  const { broken, onError } = useBroken(source)
  const stand = item === null ? null : placeholderUrl(item.thumbhash, rotationOf(item))
  return (
    <span className={`cover ${className}`} style={stand === null ? undefined : { backgroundImage: `url(${stand})` }}>
      {item !== null && !broken && item.problem === null && (
        <img key={item.reloads} src={source} alt="" loading="lazy" decoding="async" onError={onError} />
      )}
      {item === null && <BookImage size={28} strokeWidth={1.25} className="cover-empty" aria-hidden="true" />}
    </span>
  )
}

/** The icon of a shared album or an album by a search; null for other albums. */
function markOf({ kind, members, own, role, orphan }: Album): LucideIcon | null {
  if (kind !== 'search' && (members.length > 0 || !(own || orphan || role === 'manage'))) return Users
  return kind === 'search' ? ListFilter : null
}

function Tile({
  album,
  to,
  picture,
  name,
  line,
  icon: Icon,
  onMenu,
}: {
  album?: Album
  to: string
  picture: ReactNode
  name: string
  line: string
  icon?: LucideIcon
  onMenu?: ((at: Rect) => void) | undefined
}) {
  return (
    <li className="album-tile" data-album={album?.id} data-folder={album?.kind === 'folder' ? album.id : undefined}>
      <Link
        href={to}
        onContextMenu={event => {
          if (onMenu === undefined) return
          event.preventDefault()
          onMenu({ x: event.clientX, y: event.clientY, width: 0, height: 0 })
        }}
      >
        {picture}
        <span className="album-name">
          {Icon !== undefined && <Icon size={16} className="shrink-0" aria-hidden="true" />}
          <span className="truncate" dir="auto" title={name}>
            {name}
          </span>
        </span>
        <span className="text-xs soft truncate block">{line}</span>
      </Link>
      {onMenu !== undefined && (
        <IconButton
          icon={Ellipsis}
          size={18}
          className="album-more"
          label={albumsTexts.menuOf({ name })}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => onMenu(currentTarget.getBoundingClientRect())}
        />
      )}
    </li>
  )
}

interface TileProps {
  album: Album
  onMenu: ((at: Rect) => void) | undefined
}

export function AlbumTile({ album, onMenu }: TileProps) {
  useSignals()
  const Mark = markOf(album)
  const picture = (
    <span className="album-cover">
      <Cover item={album.cover} />
      {Mark !== null && (
        <i className="on-pic album-mark">
          <Mark size={16} aria-hidden="true" />
        </i>
      )}
    </span>
  )
  return (
    <Tile
      album={album}
      to={addressOfAlbum(album.id, album.sort)}
      picture={picture}
      name={album.name}
      line={albumLine(album, user.value?.username)}
      onMenu={onMenu}
    />
  )
}

/** `inside`: the folder's albums and folders; `covers`: its newest covers, at most three are shown. */
export function FolderTile({
  album,
  inside,
  covers,
  onMenu,
}: TileProps & { inside: readonly Album[]; covers: readonly Item[] }) {
  const picture = (
    <span className="folder-mosaic">
      {[0, 1, 2].map(n => (
        <Cover key={n} item={covers[n] ?? null} />
      ))}
    </span>
  )
  return (
    <Tile
      album={album}
      to={`/albums/${album.id}`}
      picture={picture}
      name={album.name}
      line={folderLine(inside)}
      icon={Folder}
      onMenu={onMenu}
    />
  )
}

export function FavouritesTile({ cover, count }: { cover: Item; count: number }) {
  return (
    <Tile
      to="/?q=favourite:yes"
      picture={
        <span className="album-cover">
          <Cover item={cover} />
        </span>
      }
      name={albumsTexts.favourites}
      line={baseTexts.itemCount({ count })}
    />
  )
}
