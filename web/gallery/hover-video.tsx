/** A muted film that plays while the pointer is over its card. */
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { streamOf } from '../api.ts'
import { useFilm } from '../items/pictures/use-film.ts'
import { videoErrorText } from '../items/pictures/video-errors.ts'
import { galleryTexts } from '../texts/gallery.ts'

/** `playing`: whether the pointer is over the card. Loaded data are kept when the pointer leaves. */
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
  const [seen, setSeen] = useState(false)
  const { state, reportError, reportSoundOnly } = useFilm(item, playing)
  const { phase } = state
  useEffect(() => {
    const { current } = ref
    if (current === null || phase !== 'ready') return
    // React sets `muted` only as a property, after the browser has decided about autoplay.
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
      className={seen ? 'in' : ''}
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
      onPlaying={() => setSeen(true)}
      onError={event => reportError(event.currentTarget.error?.code)}
    />
  )
}
