/** The albums over the sidebar while pictures are dragged, to drop them on. */
import { useSignals } from '@preact/signals-react/runtime'
import { Plus } from 'lucide-react'
import { filter } from '../app/current-filter.ts'
import { user } from '../app/session.ts'
import { albumsTexts } from '../texts/albums.ts'
import { albumLine } from './album-text.ts'
import { Cover } from './album-tile.tsx'
import { addableAlbums } from './albums.ts'
import { draggedItems } from './drag-items.ts'

const maxShown = 12

export function DropAlbums() {
  useSignals()
  if (draggedItems.value.length === 0) return null
  const side = document.querySelector('.frame > :is(.sidebar, .rail)')?.getBoundingClientRect()
  if (side === undefined) return null
  const open = filter.value.album
  return (
    <div className="drop-albums float" style={{ top: side.top, height: side.height, minWidth: side.width }}>
      <p className="eyebrow px-2 pb-2">{albumsTexts.addToAlbum}</p>
      <div className="album-choice" data-into={0}>
        <span className="cover grid place-items-center">
          <Plus size={20} aria-hidden="true" />
        </span>
        <span className="truncate font-semibold">{albumsTexts.newAlbum}</span>
      </div>
      {addableAlbums.value
        .filter(({ id }) => id !== open)
        .slice(0, maxShown)
        .map(album => (
          <div key={album.id} className="album-choice" data-into={album.id}>
            <Cover item={album.cover} />
            <span className="min-w-0">
              <span className="block truncate font-semibold" dir="auto">
                {album.name}
              </span>
              <span className="block truncate text-xs soft">{albumLine(album, user.value?.username)}</span>
            </span>
          </div>
        ))}
    </div>
  )
}
