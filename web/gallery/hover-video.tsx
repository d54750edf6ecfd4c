/** A muted film that plays while the pointer is over its card. */
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { streamOf } from '../api.ts'
import { useFilm } from '../items/pictures/use-film.ts'
import { videoErrorText } from '../items/pictures/video-errors.ts'
import { galleryTexts } from '../texts/gallery.ts'

/** `playing`: whether the pointer is over the card; if not, the film is paused and stays loaded. */
export function HoverVideo({
  item,
  playing,
  style,
}: {
  item: Item
  playing: boolean
  style: CSSProperties | undefined
}) {
  const ref = useRef<HTMLVideoElement>(null)
  const [hasPlayed, setHasPlayed] = useState(false)
  const { state, reportError, reportSoundOnly } = useFilm(item, playing)
  const { phase } = state
  useEffect(() => {
    const { current } = ref
    if (current === null || phase !== 'ready') return
    // React sets `muted` too late: browsers allow a video to play without a click only if it is muted.
    current.muted = true
    if (playing) current.play().catch(() => {})
    else current.pause()
  }, [playing, phase])
  if (phase === 'preparing') return <p className="card-fault">{galleryTexts.beingPrepared}</p>
  if (phase === 'fault') return playing ? <p className="card-fault">{videoErrorText(state.code)}</p> : null
  if (phase !== 'ready') return null
  return (
    <video
      ref={ref}
      src={streamOf(item)}
      className={hasPlayed ? 'in' : ''}
      style={style}
      loop
      muted
      playsInline
      preload="auto"
      tabIndex={-1}
      aria-hidden="true"
      onLoadedMetadata={event => {
        if (event.currentTarget.videoWidth === 0) reportSoundOnly()
      }}
      onPlaying={() => setHasPlayed(true)}
      onError={event => reportError(event.currentTarget.error?.code)}
    />
  )
}
