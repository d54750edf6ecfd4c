/** A picture in the viewer: the medium size first, then the large one, and full size when zoomed in. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ImageSize } from '../../schema/addresses.ts'
import type { Item } from '../../schema/api/items.ts'
import { pictureOf, streamOf } from '../api.ts'
import { useBroken } from '../app/loading/use-broken.ts'
import { rotationOf } from '../items/item-text.ts'
import { filmRotation } from '../items/pictures/film-rotation.ts'
import { rememberedPicture } from '../items/pictures/shown-pictures.ts'
import { baseTexts } from '../texts/base.ts'
import { CannotShow } from './cannot-show.tsx'

/** The longest edge of `large`. */
export const largeEdge = 2048

function Layer({
  item,
  size,
  priority,
  onError,
}: {
  item: Item
  size: ImageSize
  priority: 'high' | 'low' | 'auto'
  onError?: () => void
}) {
  const [shown, setShown] = useState(false)
  return (
    <img
      ref={image => {
        if (image?.complete === true && image.naturalWidth > 0) image.classList.add('at-once', 'in')
      }}
      src={pictureOf(item, size)}
      alt=""
      decoding="async"
      draggable={false}
      fetchPriority={priority}
      className={shown ? 'in' : ''}
      onLoad={() => setShown(true)}
      onError={onError}
    />
  )
}

function Motion({ item, onEnd }: { item: Item; onEnd: () => void }) {
  const [seen, setSeen] = useState(false)
  const ref = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const { current } = ref
    current?.play().catch(() => {
      // Before the first click on the page, browsers play only without sound.
      current.muted = true
      if (current.isConnected) current.play().catch(() => {})
    })
  }, [])
  return (
    // biome-ignore lint/a11y/useMediaCaption: a few seconds around a photograph have no captions
    <video
      ref={ref}
      className={`pointer-events-none ${seen ? 'in' : ''}`}
      style={filmRotation(item, rotationOf(item))}
      src={streamOf(item)}
      playsInline
      onPlaying={() => setSeen(true)}
      onEnded={onEnd}
      onError={onEnd}
    />
  )
}

export function Picture({
  item,
  open,
  needsFullSize,
  onMotionEnd,
  frame,
}: {
  item: Item
  open: boolean
  /** Whether the zoom is so large that the full-size rendition is needed. */
  needsFullSize: boolean
  /** Set while the motion part plays; called at its end. */
  onMotionEnd: (() => void) | null
  /** Puts the picture into its box. */
  frame: (picture: ReactNode) => ReactNode
}) {
  // The gallery's picture of this item, unless it looks different by now.
  const galleryPicture = rememberedPicture(item.id)
  const seen = galleryPicture?.includes(item.reloads) ? galleryPicture : undefined
  const medium = useBroken(pictureOf(item, 'medium'))
  const large = useBroken(pictureOf(item, 'large'))
  // One loaded size is sufficient.
  if (medium.broken && large.broken) return <CannotShow item={item} reason={baseTexts.pictureCouldNotBeLoaded} />
  const priority = open ? 'high' : 'low'
  return frame(
    <>
      {seen !== undefined && <img src={seen} alt="" draggable={false} className="at-once in" />}
      <Layer key={`medium ${item.reloads}`} item={item} size="medium" priority={priority} onError={medium.onError} />
      <Layer key={`large ${item.reloads}`} item={item} size="large" priority={priority} onError={large.onError} />
      {needsFullSize && <Layer item={item} size="variant" priority="high" />}
      {open && onMotionEnd !== null && <Motion item={item} onEnd={onMotionEnd} />}
    </>,
  )
}
