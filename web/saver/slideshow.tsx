/** Plays selected items over the whole screen, again and again, until it is stopped. */
import { useEffect } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { stopSlideshow } from '../items/selection/slideshow.ts'
import { baseTexts } from '../texts/base.ts'
import { enterFullscreen, onFullscreenLeft } from './fullscreen.ts'
import { Player } from './player.tsx'
import { play } from './savers.ts'

export function Slideshow({ items }: { items: readonly Item[] }) {
  useEffect(() => {
    void enterFullscreen()
    return onFullscreenLeft(stopSlideshow)
  }, [])
  return (
    <Player
      name="selection"
      label={baseTexts.slideshow}
      seconds={play.peek().seconds}
      videos
      fetch={async () => [...items]}
      onStop={stopSlideshow}
    />
  )
}
