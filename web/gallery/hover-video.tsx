/** A muted film that plays while the pointer is over its card. */
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { streamOf } from '../api.ts'
import { useFilm } from '../items/pictures/use-film.ts'
import { videoErrorText } from '../items/pictures/video-errors.ts'
import { galleryTexts } from '../texts/gallery.ts'

/** `playing`: the pointer is over it. What was loaded is kept when it leaves. */
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
  const { state, failed, soundOnly } = useFilm(item, playing)
  const { phase } = state
  useEffect(() => {
    const { current } = ref
    if (current === null || phase !== 'ready') return
    // React sets `muted` only as a property, after autoplay was decided.
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
        if (event.currentTarget.videoWidth === 0) soundOnly()
      }}
      onPlaying={() => setSeen(true)}
      onError={event => failed(event.currentTarget.error?.code)}
    />
  )
}
