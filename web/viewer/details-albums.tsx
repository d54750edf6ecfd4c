/** The albums by hand that have the open item. */
import { useSignals } from '@preact/signals-react/runtime'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Album } from '../../schema/api/albums.ts'
import { Cover } from '../albums/album-tile.tsx'
import { api } from '../api.ts'
import { addressOfAlbum } from '../app/current-filter.ts'
import { hiddenQuery, includeHidden } from '../app/hidden.ts'
import { createCached } from '../app/loading/resource.ts'
import { versionOf } from '../app/loading/stale.ts'
import { user } from '../app/session.ts'
import { openId } from '../items/open-item.ts'
import { albumsTexts } from '../texts/albums.ts'
import { baseTexts } from '../texts/base.ts'
import { viewerTexts } from '../texts/viewer.ts'
import { Part } from './details-part.tsx'

const albumsOfItem = createCached<Album>(
  albumsTexts.failedToLoadAlbums,
  () => `${user.value?.id ?? 0} ${includeHidden.value} ${openId.value}`,
  () => versionOf('albums'),
  async () => {
    const id = openId.peek()
    if (id === null) return []
    return (await api.albums.list({ query: { ...hiddenQuery(), item: id } })).albums
  },
)

/** Number of albums that are shown until the user requests the rest. */
const maxShown = 3

export function Albums() {
  useSignals()
  const [opened, setOpened] = useState<number | null>(null)
  const latest = useRef<readonly Album[]>([])
  const read = albumsOfItem.read()
  const isLoaded = albumsOfItem.isLoaded.value
  if (isLoaded) latest.current = read
  // Until the next picture's albums are loaded, reserve the space of the last ones: they are often the same.
  const albums = latest.current
  if (albums.length === 0) return null
  const shown = opened === openId.value ? albums : albums.slice(0, maxShown)
  return (
    <div className={isLoaded ? '' : 'invisible'}>
      <Part title={baseTexts.albums}>
        <ul className="details-albums">
          {shown.map(({ id, name, sort, items, cover }) => (
            <li key={id}>
              <Link href={addressOfAlbum(id, sort)}>
                <Cover item={cover} />
                <span className="min-w-0">
                  <span className="block truncate" dir="auto" title={name}>
                    {name}
                  </span>
                  <span className="block text-xs soft">{baseTexts.itemCount({ count: items })}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
        {shown.length < albums.length && (
          <button type="button" className="details-more soft" onClick={() => setOpened(openId.value)}>
            {viewerTexts.moreAlbums({ count: albums.length - shown.length })}
          </button>
        )}
      </Part>
    </div>
  )
}
