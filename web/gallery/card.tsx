/**
 * An item of the gallery. As a card, the picture fills it, and date and texts are over its lower edge. As a tile of the
 * timeline, it shows nothing but the picture until the pointer is over it.
 */
import { useSignals } from '@preact/signals-react/runtime'
import { CircleDotDashed, ImageOff, Play } from 'lucide-react'
import { type ComponentType, type CSSProperties, type MouseEvent, memo, useEffect, useRef, useState } from 'react'
import type { ImageSize } from '../../schema/addresses.ts'
import type { Item } from '../../schema/api/items.ts'
import { pictureOf } from '../api.ts'
import { createPart } from '../app/loading/part.ts'
import { useBroken } from '../app/loading/use-broken.ts'
import { favouritesPart } from '../items/favourites/part.ts'
import { captionOf, rotationOf, spokenOf } from '../items/item-text.ts'
import { notePicture } from '../items/pictures/shown-pictures.ts'
import { standIn } from '../items/pictures/thumbhash.ts'
import { coveredPart, type Size, turnedSize } from '../items/pictures/zoom.ts'
import { menuPlaceOf, openItemMenu } from '../items/selection/item-menu-state.ts'
import { selecting, selectRange, toggle } from '../items/selection/selection.ts'
import { durationText, exactDate, longDate, shortDate } from '../kit/dates.ts'
import { baseTexts } from '../texts/base.ts'
import { galleryTexts } from '../texts/gallery.ts'
import { serverMessage } from '../texts/language/server-message.ts'
import type { CardHoverProps } from './card-hover.tsx'

/** Whether a touch caused the event, as browsers report for presses and menus. */
function isTouch({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
}

/** Milliseconds before a video starts or boxes appear, so that a passing pointer causes neither. */
const hoverFor = 140

/** Cards narrower than this (in pixels) show the short date. */
const roomForLongDate = 260

const hoverPart = createPart(() => import('./card-hover.tsx'))

function Hover(props: CardHoverProps) {
  useSignals()
  const part = hoverPart.part.value
  return part === null ? null : <part.CardHover {...props} />
}

function Heart({ item, near, reach }: { item: Item; near: boolean; reach: 0 | -1 }) {
  useSignals()
  const part = favouritesPart.value
  return part === null ? null : <part.CardHeart item={item} near={near} reach={reach} />
}

interface FootProps {
  item: Item
  onClick: (event: MouseEvent) => void
}

function Foot({ item, width, onClick }: FootProps & { width: number }) {
  const caption = captionOf(item)
  return (
    // A press on the text acts like a press on the card, whose link handles the keys.
    <div className="foot" aria-hidden="true" onClick={onClick}>
      <div className="flex items-end gap-3">
        <div className="min-w-0 grow">
          <p className="date-head font-semibold truncate" title={exactDate(item)}>
            {width < roomForLongDate ? shortDate(item.taken) : longDate(item.taken)}
          </p>
          <p className="text-xs truncate h-4" dir="auto" title={caption === '' ? undefined : caption}>
            {caption}
          </p>
        </div>
        <div className="card-marks">
          {(item.type === 'video' || item.live) && (
            <span className="flex items-center gap-1 text-xs font-semibold">
              {item.live && <CircleDotDashed size={14} aria-label={galleryTexts.livePhoto} />}
              {item.type === 'video' && <Play size={12} fill="currentColor" aria-hidden="true" />}
              {item.type === 'video' && item.duration !== null && durationText(item.duration)}
            </span>
          )}
          {item.rating !== null && item.rating > 0 && (
            <span
              className="card-stars"
              role="img"
              aria-label={baseTexts.starsOfFive({ rating: item.rating })}
              style={{ width: item.rating * 13 }}
            />
          )}
        </div>
      </div>
    </div>
  )
}

/** The reason why a picture is missing. `over`: whether the picture's placeholder is visible behind it. */
function Failed({ reason, over }: { reason: string; over: boolean }) {
  return (
    <div className="card-failed" data-over={over}>
      <ImageOff size={32} strokeWidth={1.25} aria-hidden="true" />
      <p dir="auto">{serverMessage(reason)}</p>
    </div>
  )
}

const positions: Record<number, string> = { 90: '35% 50%', 180: '50% 65%', 270: '65% 50%' }

/**
 * Places a picture on its card if it is rotated or too small to cover the card. For a quarter turn, its box gets the
 * covered height as its width, and the reverse. The part of a cropped picture that stays visible is a little above its
 * centre, as on other cards.
 */
function placedOn(card: Size, covered: Size, degrees: number): CSSProperties | undefined {
  if (degrees === 0 && covered === card) return undefined
  const { width, height } = turnedSize(covered, degrees)
  return {
    inset: 'auto',
    width,
    height,
    left: (card.width - width) / 2,
    top: (card.height - height) / 2,
    objectPosition: positions[degrees],
    transform: degrees === 0 ? undefined : `rotate(${degrees}deg)`,
  }
}

function Picture({
  item,
  size,
  isTile,
  style,
}: {
  item: Item
  size: ImageSize
  isTile: boolean
  style: CSSProperties | undefined
}) {
  const [shown, setShown] = useState(false)
  const source = pictureOf(item, size)
  const { broken, onError } = useBroken(source)
  const ref = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const { current } = ref
    return () => {
      // Cancel loading: browsers keep loading pictures that were scrolled away, and visible ones would have to wait.
      if (current?.complete !== false) return
      current.removeAttribute('srcset')
      current.removeAttribute('src')
    }
  }, [])
  if (broken) return <Failed reason={baseTexts.pictureCouldNotBeLoaded} over={item.thumbhash !== null} />
  // On a dense screen, cards use the next size if the specified one has too few pixels.
  const dense = size === 'small' && !isTile ? `${source} 1x, ${pictureOf(item, 'medium')} 2x` : undefined
  return (
    <img
      // Cached pictures appear at once, without fading.
      ref={image => {
        ref.current = image
        if (image?.complete === true && image.naturalWidth > 0) image.classList.add('at-once', 'in')
      }}
      src={source}
      srcSet={dense}
      alt=""
      decoding="async"
      draggable={false}
      className={shown ? 'in' : ''}
      style={style}
      onLoad={({ currentTarget }) => {
        setShown(true)
        notePicture(item.id, currentTarget.currentSrc)
      }}
      onError={onError}
    />
  )
}

export interface TileFootProps extends FootProps {
  height: number
  near: boolean
}

/** The look of a tile, which belongs to the timeline. */
export interface TileLook {
  classOf: (item: Item, box: Pick<CardProps, 'width' | 'height' | 'turn'>) => string
  Foot: ComponentType<TileFootProps>
}

export interface CardProps {
  item: Item
  index: number
  total: number
  /** Pixels from the edge where rows start: the right one if the page is read from right to left. */
  left: number
  /** Position in pixels within the spacer. */
  top: number
  width: number
  height: number
  size: ImageSize
  /** How it looks as a tile of the timeline. */
  tile?: TileLook
  /** Degrees of this browser's rotation option. */
  turn: number
  href: string
  /** Whether the card has the tab stop; arrow keys move on from it. */
  stop: boolean
  chosen: boolean
  /** Whether something is selected, so that every card shows its circle. */
  choosing: boolean
  onOpen: (index: number) => void
}

/** The circle and the menu button; rendered only if they are visible or reachable. */
function Buttons({
  item,
  index,
  stop,
  chosen,
  near,
}: Pick<CardProps, 'item' | 'index' | 'stop' | 'chosen'> & { near: boolean }) {
  const label = spokenOf(item)
  const reach = stop ? 0 : -1
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: an input could not be styled as a circle */}
      <button
        type="button"
        role="checkbox"
        aria-checked={chosen}
        aria-label={galleryTexts.selectItem({ label })}
        className="pick-button on-hover"
        tabIndex={reach}
        onClick={event => (event.shiftKey ? void selectRange(index) : toggle(item, index))}
      >
        <i className="pick" />
      </button>
      {near && (
        <button
          type="button"
          aria-label={galleryTexts.actionsForItem({ label })}
          aria-haspopup="menu"
          title={baseTexts.actions}
          className="card-more on-hover"
          tabIndex={reach}
          onClick={event => {
            const { x, y, width, height } = event.currentTarget.getBoundingClientRect()
            openItemMenu(item, { x, y, width, height })
          }}
        >
          <i className="on-pic" />
        </button>
      )}
    </>
  )
}

export const Card = memo(function Card(props: CardProps) {
  const { item, index, width, height, turn, stop, chosen, choosing, tile } = props
  const [near, setNear] = useState(false)
  const [hover, setHover] = useState(false)
  const [visited, setVisited] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const frame = { width, height }
  const covered = coveredPart(turnedSize(item, turn), frame, devicePixelRatio)
  // Around a small picture, its blurred stand-in would be enlarged after all.
  const stand = covered === frame ? standIn(item.thumbhash, rotationOf(item) + turn) : null
  const turned = (rotationOf(item) + turn) % 360
  const press = (event: MouseEvent) => {
    if (event.altKey) return
    event.preventDefault()
    if (event.shiftKey) void selectRange(index)
    else if (event.metaKey || event.ctrlKey || (selecting.peek() && isTouch(event))) toggle(item, index)
    else props.onOpen(index)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: absolutely positioned cards cannot form a <ul>
    <div
      role="listitem"
      className={tile?.classOf(item, props) ?? 'card-pic'}
      aria-setsize={props.total}
      aria-posinset={index + 1}
      data-selected={chosen ? true : undefined}
      style={{
        position: 'absolute',
        insetInlineStart: props.left,
        top: props.top,
        width,
        height,
        backgroundImage: stand === null ? undefined : `url(${stand})`,
      }}
      onPointerEnter={event => {
        if (event.pointerType !== 'mouse') return
        setNear(true)
        hoverPart.load()
        timer.current = setTimeout(() => {
          setHover(true)
          setVisited(true)
        }, hoverFor)
      }}
      onPointerLeave={() => {
        clearTimeout(timer.current)
        setNear(false)
        setHover(false)
      }}
      onContextMenu={event => {
        event.preventDefault()
        // A long press selects; on a selected card it opens the menu (use-drag-select.ts).
        if (!isTouch(event)) openItemMenu(item, menuPlaceOf(event))
      }}
    >
      {item.problem === null ? (
        <Picture
          key={item.reloads}
          item={item}
          size={props.size}
          isTile={tile !== undefined}
          style={placedOn(frame, covered, turn)}
        />
      ) : (
        <Failed reason={serverMessage(item.problem)} over={stand !== null} />
      )}
      {visited && (
        <Hover
          item={item}
          frame={frame}
          turn={turn}
          style={placedOn(frame, covered, turned)}
          hover={hover}
          boxes={tile === undefined}
        />
      )}
      {tile === undefined ? (
        <Foot item={item} width={width} onClick={press} />
      ) : (
        <tile.Foot item={item} height={height} near={near || stop} onClick={press} />
      )}
      {/* biome-ignore lint/a11y/useAnchorContent: its name is the label; the visible content is below it */}
      <a
        href={props.href}
        className="card-link"
        data-index={index}
        tabIndex={stop ? 0 : -1}
        aria-label={chosen ? galleryTexts.selectedItem({ spoken: spokenOf(item) }) : spokenOf(item)}
        draggable={false}
        onClick={press}
      />
      {(near || stop || choosing) && (
        <Buttons item={item} index={index} stop={stop} chosen={chosen} near={near || stop} />
      )}
      <Heart item={item} near={near || stop} reach={stop ? 0 : -1} />
    </div>
  )
})

/** Placeholder of an item that is not loaded yet; it keeps the item's keyboard focus. */
export function CardPlace({
  index,
  left,
  top,
  width,
  height,
  isTile = false,
}: {
  index: number
  left: number
  top: number
  width: number
  height: number
  isTile?: boolean
}) {
  return (
    <div
      className={`card-pic ${isTile ? 'tile' : ''}`}
      style={{ position: 'absolute', insetInlineStart: left, top, width, height, cursor: 'default' }}
    >
      <span className="card-link" data-index={index} tabIndex={-1} />
    </div>
  )
}
