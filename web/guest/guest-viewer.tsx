/** One picture or video of a link, over its page: arrow keys, buttons and swipes go on. */
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { LinkedItem } from '../../schema/api/shares.ts'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import { longDate } from '../kit/dates.ts'
import { IconButton } from '../kit/icon-button.tsx'
import { LayerDialog } from '../kit/layers/layer-dialog.tsx'
import { forward } from '../kit/viewport.ts'
import { listText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { pictureOfLink, streamOfLink } from './guest-state.ts'

/** Pixels that a finger moves to the side to go on. */
const swipePx = 60

function GuestPicture({ item, words }: { item: LinkedItem; words: string }) {
  if (item.type === 'video')
    return (
      <video
        key={item.id}
        src={streamOfLink(item)}
        controls
        autoPlay
        playsInline
        poster={pictureOfLink(item, 'medium')}
      >
        <track kind="captions" />
      </video>
    )
  const stand = placeholderUrl(item.thumbhash, item.rotation)
  const ratio = item.width > 0 && item.height > 0 ? item.width / item.height : 1.5
  return (
    <img
      key={item.id}
      src={pictureOfLink(item, 'large')}
      alt={words}
      draggable={false}
      style={{
        aspectRatio: ratio,
        backgroundImage: stand === null ? undefined : `url(${stand})`,
        // Never enlarged beyond twice its own pixels.
        width: `min(100%, calc(100dvh * ${ratio}), ${(2 * item.width) / devicePixelRatio}px)`,
      }}
    />
  )
}

export function GuestViewer({
  items,
  index,
  onShow,
}: {
  items: readonly LinkedItem[]
  index: number
  /** Null closes it. */
  onShow: (index: number | null) => void
}) {
  const item = items[index]
  const start = useRef<{ x: number; y: number } | null>(null)
  const go = (by: number) => {
    if (items[index + by] !== undefined) onShow(index + by)
  }
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[key]
      if (by !== undefined && !(target instanceof HTMLVideoElement)) go(by)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  if (item === undefined) return null
  const place = sharingTexts.picture({ position: index + 1, count: items.length })
  const words = [longDate(item.taken), item.place, listText(item.people ?? [])].filter(Boolean).join(' · ')
  return (
    <LayerDialog
      className="guest-viewer"
      aria-label={place}
      frame={{ theme: 'keepsake-dark' }}
      onClose={() => onShow(null)}
    >
      <div
        className="guest-stage"
        onPointerDown={({ clientX: x, clientY: y }) => {
          start.current = { x, y }
        }}
        onPointerUp={({ clientX: x, clientY: y, pointerType }) => {
          const from = start.current
          start.current = null
          if (from === null || pointerType === 'mouse') return
          const [dx, dy] = [x - from.x, y - from.y]
          if (Math.abs(dx) > swipePx && Math.abs(dx) > Math.abs(dy)) go(dx * forward() < 0 ? 1 : -1)
          else if (dy > 2 * swipePx) onShow(null)
        }}
      >
        <GuestPicture item={item} words={words} />
      </div>
      <p className="guest-words" dir="auto">
        {words}
      </p>
      <IconButton icon={X} className="guest-close" label={baseTexts.close} onClick={() => onShow(null)} />
      {index > 0 && (
        <IconButton
          icon={ChevronLeft}
          size={28}
          className="guest-previous"
          label={sharingTexts.previous}
          onClick={() => go(-1)}
        />
      )}
      {index < items.length - 1 && (
        <IconButton
          icon={ChevronRight}
          size={28}
          className="guest-next"
          label={sharingTexts.next}
          onClick={() => go(1)}
        />
      )}
    </LayerDialog>
  )
}
