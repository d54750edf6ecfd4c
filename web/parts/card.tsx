/** An item in the grid: the picture fills the card, date and words lie over its foot. */
import { CircleDotDashed, ImageOff, Play } from 'lucide-react'
import { type CSSProperties, type MouseEvent, memo, useEffect, useRef, useState } from 'react'
import type { ImageSize } from '../../schema/api/bytes.ts'
import type { Item } from '../../schema/api/items.ts'
import { pictureOf, streamOf } from '../api.ts'
import { durationText, exactDate, longDate, shortDate } from '../state/dates.ts'
import { captionOf, rotationOf, spokenOf } from '../state/item-text.ts'
import { onCover } from '../state/regions.ts'
import { standIn } from '../state/thumbhash.ts'
import { videoErrorText } from '../state/video-errors.ts'
import { turnedSize } from '../state/zoom.ts'
import { RegionBox, sharesOf } from './regions.tsx'
import { useFilm } from './use-film.ts'

/** A pointer that only passes over starts no video. Milliseconds. */
const hoverFor = 140

/** `playing`: the pointer is over it. What was loaded stays when it leaves. */
function HoverVideo({ item, playing }: { item: Item; playing: boolean }) {
  const ref = useRef<HTMLVideoElement>(null)
  const [seen, setSeen] = useState(false)
  const { state, failed, soundOnly } = useFilm(item, playing)
  const { phase } = state
  useEffect(() => {
    const { current } = ref
    if (current === null || phase !== 'ready') return
    // React writes `muted` only as a property, after autoplay was decided.
    current.muted = true
    if (playing) current.play().catch(() => {})
    else current.pause()
  }, [playing, phase])
  if (phase === 'preparing') return <p className="card-fault">Being prepared</p>
  if (phase === 'fault') return playing ? <p className="card-fault">{videoErrorText(state.code)}</p> : null
  if (phase !== 'ready') return null
  return (
    <video
      ref={ref}
      src={streamOf(item)}
      className={seen ? 'in' : ''}
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

/** Narrower than this, a card has no room for the day of the week. Pixels. */
const roomForLongDate = 260

function Foot({ item, width }: { item: Item; width: number }) {
  const caption = captionOf(item)
  return (
    <div className="foot" aria-hidden="true">
      <div className="flex items-end gap-3">
        <div className="min-w-0 grow">
          <p className="font-semibold truncate" title={exactDate(item)}>
            {width < roomForLongDate ? shortDate(item.taken) : longDate(item.taken)}
          </p>
          <p className="text-xs text-left truncate h-4" dir="auto" title={caption === '' ? undefined : caption}>
            {caption}
          </p>
        </div>
        <div className="card-marks">
          {(item.type === 'video' || item.live) && (
            <span className="flex items-center gap-1 text-xs font-semibold">
              {item.live && <CircleDotDashed size={14} aria-label="Live photo" />}
              {item.type === 'video' && <Play size={12} fill="currentColor" aria-hidden="true" />}
              {item.type === 'video' && item.duration !== null && durationText(item.duration)}
            </span>
          )}
          {item.rating !== null && item.rating > 0 && (
            <span
              className="card-stars"
              role="img"
              aria-label={`${item.rating} of 5 stars`}
              style={{ width: item.rating * 13 }}
            />
          )}
        </div>
      </div>
    </div>
  )
}

function Failed({ reason }: { reason: string }) {
  return (
    <div className="card-failed">
      <ImageOff size={32} strokeWidth={1.25} aria-hidden="true" />
      <p>{reason}</p>
    </div>
  )
}

/** A quarter turn needs the picture's box to lie across the card. */
function turnStyle(degrees: number, width: number, height: number): CSSProperties | undefined {
  if (degrees === 0) return undefined
  if (degrees === 180) return { transform: 'rotate(180deg)' }
  return {
    inset: 'auto',
    width: height,
    height: width,
    left: (width - height) / 2,
    top: (height - width) / 2,
    transform: `rotate(${degrees}deg)`,
  }
}

function Picture({ item, size, style }: { item: Item; size: ImageSize; style: CSSProperties | undefined }) {
  const [state, setState] = useState<'loading' | 'shown' | 'broken'>('loading')
  const ref = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const { current } = ref
    return () => {
      // Browsers go on loading what was scrolled away, and what is looked at would wait for it.
      if (current?.complete !== false) return
      current.removeAttribute('srcset')
      current.removeAttribute('src')
    }
  }, [])
  if (state === 'broken') return <Failed reason="The picture could not be loaded" />
  const source = pictureOf(item, size)
  // A dense screen gets the next size, where the specification's is not enough for its pixels.
  const dense = size === 'small' ? `${source} 1x, ${pictureOf(item, 'medium')} 2x` : undefined
  return (
    <img
      // What the browser still has is there at once, without fading.
      ref={image => {
        ref.current = image
        if (image?.complete === true && image.naturalWidth > 0) image.classList.add('at-once', 'in')
      }}
      src={source}
      srcSet={dense}
      alt=""
      decoding="async"
      draggable={false}
      className={state === 'shown' ? 'in' : ''}
      style={style}
      onLoad={() => setState('shown')}
      onError={() => setState('broken')}
    />
  )
}

export interface CardProps {
  item: Item
  /** In the list, from 0. */
  index: number
  total: number
  left: number
  /** Pixels within the spacer. */
  top: number
  width: number
  height: number
  size: ImageSize
  /** Degrees: how this browser shows pictures. */
  turn: number
  href: string
  /** One card takes the Tab key; the arrows go on from there. */
  stop: boolean
  onOpen: (index: number) => void
}

export const Card = memo(function Card(props: CardProps) {
  const { item, index, width, height, turn } = props
  const [hover, setHover] = useState(false)
  const [visited, setVisited] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const stand = standIn(item.thumbhash, rotationOf(item) + turn)
  const frame = { width, height }
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    props.onOpen(index)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: absolutely placed cards make no <ul>
    <div
      role="listitem"
      className="card-pic"
      aria-setsize={props.total}
      aria-posinset={index + 1}
      style={{
        position: 'absolute',
        left: props.left,
        top: props.top,
        width,
        height,
        backgroundImage: stand === null || item.problem !== null ? undefined : `url(${stand})`,
      }}
      onPointerEnter={event => {
        if (event.pointerType !== 'mouse') return
        timer.current = setTimeout(() => {
          setHover(true)
          setVisited(true)
        }, hoverFor)
      }}
      onPointerLeave={() => {
        clearTimeout(timer.current)
        setHover(false)
      }}
    >
      {item.problem === null ? (
        <Picture key={item.reloads} item={item} size={props.size} style={turnStyle(turn, width, height)} />
      ) : (
        <Failed reason={item.problem} />
      )}
      {item.type === 'video' && item.problem === null && visited && <HoverVideo item={item} playing={hover} />}
      <Foot item={item} width={width} />
      {hover &&
        item.type === 'image' &&
        sharesOf(item, turn).map(named => {
          const box = onCover(named.share, turnedSize(item, turn), frame)
          return box === null ? null : <RegionBox key={named.key} named={named} box={box} frame={frame} />
        })}
      {/* biome-ignore lint/a11y/useAnchorContent: its name is the label; what is seen lies under it */}
      <a
        href={props.href}
        className="card-link"
        data-index={index}
        tabIndex={props.stop ? 0 : -1}
        aria-label={spokenOf(item)}
        draggable={false}
        onClick={open}
      />
    </div>
  )
})

/** The place of an item that has not come yet. It holds the focus for it. */
export function CardPlace({
  index,
  left,
  top,
  width,
  height,
}: {
  index: number
  left: number
  top: number
  width: number
  height: number
}) {
  return (
    <div className="card-pic" style={{ position: 'absolute', left, top, width, height, cursor: 'default' }}>
      <span className="card-link" data-index={index} tabIndex={-1} />
    </div>
  )
}
