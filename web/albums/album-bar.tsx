/** The actions of the open album, in place of a phone's bottom bar. */
import { useSignals } from '@preact/signals-react/runtime'
import { ArrowDownUp, Clapperboard, Ellipsis, type LucideIcon, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { playSlideshow } from '../items/selection/slideshow.ts'
import { Menu, type MenuEntry } from '../kit/layers/menu.tsx'
import type { Rect } from '../kit/layers/menu-place.ts'
import { FilterEntry } from '../search/filters/filter-entry.tsx'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { albumDialog } from './album-dialogs.ts'
import { entriesOf } from './album-menu.ts'
import { chooseOrder, ordersOf, shownOrder } from './album-order.ts'
import { albums, mayManage, openAlbum } from './albums.ts'

function Entry({
  icon: Icon,
  text,
  onPress,
  isMenu = false,
}: {
  icon: LucideIcon
  text: string
  onPress: (at: Rect) => void
  isMenu?: boolean
}) {
  return (
    <button
      type="button"
      aria-haspopup={isMenu ? 'menu' : undefined}
      onClick={({ currentTarget }) => onPress(currentTarget.getBoundingClientRect())}
    >
      <Icon size={22} />
      {text}
    </button>
  )
}

/** `otherwise`: shown if there is no such album. */
export function AlbumBar({ otherwise }: { otherwise: ReactNode }) {
  useSignals()
  const [menu, setMenu] = useState<{ label: string; entries: readonly MenuEntry[]; at: Rect } | null>(null)
  const album = openAlbum.value
  if (album === null) return albums.isLoaded.value ? otherwise : <div className="bottom-bar" />
  const orderEntries = () =>
    ordersOf(album).map(({ value, text }) => ({
      text,
      checked: value === shownOrder(),
      act: () => chooseOrder(album, value),
    }))
  const entries = entriesOf(album)
  return (
    <div className="bottom-bar" role="toolbar" aria-label={albumsTexts.album}>
      {album.items > 0 && (
        <Entry icon={Clapperboard} text={baseTexts.slideshow} onPress={() => playSlideshow('list')} />
      )}
      {mayManage(album) && (
        <Entry
          icon={Users}
          text={albumsTexts.share}
          onPress={() => {
            albumDialog.value = { kind: 'members', album }
          }}
        />
      )}
      <Entry
        icon={ArrowDownUp}
        text={albumsTexts.order}
        isMenu
        onPress={at => setMenu({ label: albumsTexts.order, entries: orderEntries(), at })}
      />
      <FilterEntry />
      {entries.length > 0 && (
        <Entry
          icon={Ellipsis}
          text={baseTexts.more}
          isMenu
          onPress={at => setMenu({ label: album.name, entries, at })}
        />
      )}
      {menu !== null && <Menu {...menu} onClose={() => setMenu(null)} />}
    </div>
  )
}
