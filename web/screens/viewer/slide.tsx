/** One picture or video in the viewer: stand-in, what is already there, the large one, and the largest when zoomed. */
import { ImageOff } from 'lucide-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { ImageSize } from '../../../schema/api/bytes.ts'
import type { Item } from '../../../schema/api/items.ts'
import { pictureOf, streamOf } from '../../api.ts'
import { RegionBox, sharesOf } from '../../parts/regions.tsx'
import { rotationOf } from '../../state/item-text.ts'
import { standIn } from '../../state/thumbhash.ts'
import { videoErrorText } from '../../state/video-errors.ts'
import { fitWithin, type Size, turnedSize } from '../../state/zoom.ts'

/** The longest edge of `large`. */
const largeEdge = 2048

function Layer({ item, size, priority }: { item: Item; size: ImageSize; priority: 'high' | 'low' | 'auto' }) {
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
    />
  )
}

function VideoFault({ item, code }: { item: Item; code: number | undefined }) {
  return (
    <div className="viewer-fault">
      <ImageOff size={40} strokeWidth={1.25} aria-hidden="true" />
      <p role="alert">{videoErrorText(code)}</p>
      <a className="btn btn-quiet" href={streamOf(item)} target="_blank" rel="noreferrer">
        Open original
      </a>
    </div>
  )
}

function Video({ item, open }: { item: Item; open: boolean }) {
  const ref = useRef<HTMLVideoElement>(null)
  const [fault, setFault] = useState<{ code: number | undefined } | null>(null)
  useEffect(() => {
    if (!open) ref.current?.pause()
  }, [open])
  if (fault !== null) return <VideoFault item={item} code={fault.code} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: what families film has no captions
    <video
      ref={ref}
      className="in"
      src={open ? streamOf(item) : undefined}
      poster={pictureOf(item, 'large')}
      controls={open}
      playsInline
      preload="metadata"
      data-video={open ? true : undefined}
      onError={event => setFault({ code: event.currentTarget.error?.code })}
    />
  )
}

function Motion({ item, onEnd }: { item: Item; onEnd: () => void }) {
  const [seen, setSeen] = useState(false)
  return (
    // biome-ignore lint/a11y/useMediaCaption: the few seconds round a photograph
    <video
      className={`pointer-events-none ${seen ? 'in' : ''}`}
      src={streamOf(item)}
      autoPlay
      playsInline
      onPlaying={() => setSeen(true)}
      onEnded={onEnd}
      onError={onEnd}
    />
  )
}

export interface SlideProps {
  item: Item
  stage: Size
  /** Its place beside the open one: 0, or so many to the left or right. */
  place: number
  /** Degrees, clockwise, beyond what the picture has. */
  turn: number
  /** Of the zoom, at rest. */
  scale: number
  regions: boolean
  motion: boolean
  onMotionEnd: () => void
}

export function Slide({ item, stage, place, turn, scale, regions, motion, onMotionEnd }: SlideProps) {
  const open = place === 0
  const turned = turnedSize(item, turn)
  const fit = fitWithin(turned, stage)
  const inner = turnedSize(fit, turn)
  const stand = standIn(item.thumbhash, rotationOf(item))
  const dense = Math.max(fit.width, fit.height) * devicePixelRatio
  const larger = Math.max(item.width, item.height) > largeEdge && dense * scale > largeEdge * 1.05
  const style: CSSProperties = {
    width: inner.width,
    height: inner.height,
    left: (fit.width - inner.width) / 2,
    top: (fit.height - inner.height) / 2,
    transform: turn === 0 ? undefined : `rotate(${turn}deg)`,
    backgroundImage: stand === null || item.problem !== null ? undefined : `url(${stand})`,
  }
  return (
    <div
      className="viewer-slide"
      data-open={open ? true : undefined}
      aria-hidden={!open}
      style={{ transform: place === 0 ? undefined : `translateX(calc(${place} * (100% + 24px)))` }}
    >
      {item.problem === null || item.type === 'video' ? (
        <div className="viewer-box" style={{ width: fit.width, height: fit.height }}>
          <div className="viewer-turn" style={style}>
            {item.type === 'video' ? (
              <Video item={item} open={open} />
            ) : (
              <>
                <Layer item={item} size="medium" priority={open ? 'high' : 'low'} />
                <Layer item={item} size="large" priority={open ? 'high' : 'low'} />
                {open && larger && <Layer item={item} size="variant" priority="high" />}
                {open && motion && <Motion item={item} onEnd={onMotionEnd} />}
              </>
            )}
          </div>
          {open &&
            regions &&
            sharesOf(item, turn).map(named => {
              const { x, y, width, height } = named.share
              const box = { x: x * fit.width, y: y * fit.height, width: width * fit.width, height: height * fit.height }
              return <RegionBox key={named.key} named={named} box={box} frame={fit} />
            })}
        </div>
      ) : (
        <div className="viewer-fault">
          <ImageOff size={40} strokeWidth={1.25} aria-hidden="true" />
          <p>{item.problem}</p>
        </div>
      )}
    </div>
  )
}
