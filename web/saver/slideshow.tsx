/** Plays a slideshow over the whole screen, again and again, until it is stopped. */
import { useEffect, useState } from 'react'
import { cursorIn } from '../../schema/api/items.ts'
import { api } from '../api.ts'
import { filter, filterQuery, sortQuery } from '../app/current-filter.ts'
import { type Shot, type Slideshow as Shown, stopSlideshow } from '../items/selection/slideshow.ts'
import { baseTexts } from '../texts/base.ts'
import { enterFullscreen, onFullscreenLeft } from './fullscreen.ts'
import { Player } from './player.tsx'
import { playSettings } from './savers.ts'
import { shotOf } from './shot.ts'

const pageSize = 50

/** Loads the gallery's list page by page, and from its beginning after the last one. */
function pagesOfList(): () => Promise<Shot[]> {
  const params = { collectionId: filter.peek().collection }
  const query = { ...filterQuery.peek(), ...sortQuery.peek(), limit: pageSize }
  let cursor: string | null = null
  return async () => {
    const page = await api.items.list({ params, query: cursor === null ? query : { ...query, cursor } })
    cursor = cursorIn(page._links.next)
    return page.items.map(shotOf)
  }
}

function fetchOf(of: Shown): () => Promise<Shot[]> {
  if (of === 'list') return pagesOfList()
  return typeof of === 'function' ? of : async () => of.map(shotOf)
}

export function Slideshow({ of }: { of: Shown }) {
  const [fetch] = useState(() => fetchOf(of))
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    // Dialogs opened before full screen would be below the page.
    void enterFullscreen().then(() => setReady(true))
    return onFullscreenLeft(stopSlideshow)
  }, [])
  if (!isReady) return <div className="viewer-ground" />
  return (
    <Player
      name="slideshow"
      label={baseTexts.slideshow}
      seconds={playSettings.peek().seconds}
      videos
      fetch={fetch}
      onStop={stopSlideshow}
    />
  )
}
