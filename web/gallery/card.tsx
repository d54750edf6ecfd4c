/**
 * An item of the gallery. A card of the grid has the date and texts over the lower edge of its picture. A tile of the
 * timeline shows only the picture until the pointer is over it.
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
import { accessibleName, captionOf, rotationOf } from '../items/item-text.ts'
import { rememberPicture } from '../items/pictures/shown-pictures.ts'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import { coveredPart, type Size, turnedSize } from '../items/pictures/zoom.ts'
import { menuPlaceOf, openItemMenu } from '../items/selection/item-menu-state.ts'
import { selecting, selectRange, toggle } from '../items/selection/selection.ts'
import { durationText, exactDate, longDate, shortDate } from '../kit/dates.ts'
import { baseTexts } from '../texts/base.ts'
import { galleryTexts } from '../texts/gallery.ts'
import { serverMessage } from '../texts/language/server-message.ts'
import type { CardHoverProps } from './card-hover.tsx'

/** Whether a touch caused the event; browsers say so for clicks and context menus. */
function isTouch({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
}

/** Milliseconds over a card before its video starts or its boxes appear, so that a passing pointer causes neither. */
const hoverMs = 140

/** Cards narrower than this (in pixels) show the short date. */
const minWidthForLongDate = 260

const hoverPart = createPart(() => import('./card-hover.tsx'))

function Hover(props: CardHoverProps) {
  useSignals()
  const part = hoverPart.part.value
  return part === null ? null : <part.CardHover {...props} />
}

function Heart({ item, active, tabIndex }: { item: Item; active: boolean; tabIndex: 0 | -1 }) {
  useSignals()
  const part = favouritesPart.value
  return part === null ? null : <part.CardHeart item={item} active={active} tabIndex={tabIndex} />
}

interface FootProps {
  item: Item
  onClick: (event: MouseEvent) => void
}

function Foot({ item, width, onClick }: FootProps & { width: number }) {
  const caption = captionOf(item)
  return (
    // A click on the text acts like a click on the card. Keys need no handler here: the card's link has the focus.
    <div className="foot" aria-hidden="true" onClick={onClick}>
      <div className="flex items-end gap-3">
        <div className="min-w-0 grow">
          <p className="date-head font-semibold truncate" title={exactDate(item)}>
            {width < minWidthForLongDate ? shortDate(item.taken) : longDate(item.taken)}
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

/** Shown instead of a picture. `hasPlaceholder`: whether the blurred placeholder is visible behind it. */
function FailedPicture({ reason, hasPlaceholder }: { reason: string; hasPlaceholder: boolean }) {
  return (
    <div className="card-failed" data-over={hasPlaceholder}>
      <ImageOff size={32} strokeWidth={1.25} aria-hidden="true" />
      <p dir="auto">{serverMessage(reason)}</p>
    </div>
  )
}

/** `object-position` of pictures by rotation: shows the part a little above the centre, as on other cards. */
const objectPositions: Record<number, string> = { 90: '35% 50%', 180: '50% 65%', 270: '65% 50%' }

/**
 * Style of a picture that is rotated or too small to cover its card; undefined for others. `covered`: size of the area
 * that the rotated picture covers. CSS rotates after the layout, so a quarter turn swaps width and height of the box.
 */
function placeOnCard(card: Size, covered: Size, degrees: number): CSSProperties | undefined {
  if (degrees === 0 && covered === card) return undefined
  const { width, height } = turnedSize(covered, degrees)
  return {
    inset: 'auto',
    width,
    height,
    left: (card.width - width) / 2,
    top: (card.height - height) / 2,
    objectPosition: objectPositions[degrees],
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
  const [isLoaded, setIsLoaded] = useState(false)
  const source = pictureOf(item, size)
  const { broken, onError } = useBroken(source)
  const ref = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const { current } = ref
    return () => {
      // Cancel loading: browsers would go on loading pictures that were scrolled away, and visible ones would wait.
      if (current?.complete !== false) return
      current.removeAttribute('srcset')
      current.removeAttribute('src')
    }
  }, [])
  if (broken)
    return <FailedPicture reason={baseTexts.pictureCouldNotBeLoaded} hasPlaceholder={item.thumbhash !== null} />
  // On dense screens, the size 'small' has too few pixels for a card.
  const sourceSet = size === 'small' && !isTile ? `${source} 1x, ${pictureOf(item, 'medium')} 2x` : undefined
  return (
    <img
      // Cached pictures appear at once, without fading.
      ref={image => {
        ref.current = image
        if (image?.complete === true && image.naturalWidth > 0) image.classList.add('at-once', 'in')
      }}
      src={source}
      srcSet={sourceSet}
      alt=""
      decoding="async"
      draggable={false}
      className={isLoaded ? 'in' : ''}
      style={style}
      onLoad={({ currentTarget }) => {
        setIsLoaded(true)
        rememberPicture(item.id, currentTarget.currentSrc)
      }}
      onError={onError}
    />
  )
}

export interface TileFootProps extends FootProps {
  height: number
  active: boolean
}

/** What makes a card a tile; passed in, because the timeline's code is loaded only when it is shown. */
export interface TileLook {
  classOf: (item: Item, box: Pick<CardProps, 'width' | 'height' | 'rotation'>) => string
  Foot: ComponentType<TileFootProps>
}

export interface CardProps {
  item: Item
  index: number
  total: number
  /** Pixels from the edge at which rows start: the right one if the page is read from right to left. */
  left: number
  /** Position in pixels within the spacer. */
  top: number
  width: number
  height: number
  size: ImageSize
  /** Given for tiles of the timeline. */
  tile?: TileLook
  /** Degrees of this browser's rotation option. */
  rotation: number
  href: string
  /** Whether Tab reaches this card: only one card, from which arrow keys move on. */
  hasTabStop: boolean
  isSelected: boolean
  /** Whether something is selected, so that every card shows its circle. */
  anySelected: boolean
  onOpen: (index: number) => void
}

/** The circle that selects the item and, on an `active` card, the menu button. */
function Buttons({
  item,
  index,
  hasTabStop,
  isSelected,
  active,
}: Pick<CardProps, 'item' | 'index' | 'hasTabStop' | 'isSelected'> & { active: boolean }) {
  const label = accessibleName(item)
  const tabIndex = hasTabStop ? 0 : -1
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: an input could not be styled as a circle */}
      <button
        type="button"
        role="checkbox"
        aria-checked={isSelected}
        aria-label={galleryTexts.selectItem({ label })}
        className="pick-button on-hover"
        tabIndex={tabIndex}
        onClick={event => (event.shiftKey ? void selectRange(index) : toggle(item, index))}
      >
        <i className="pick" />
      </button>
      {active && (
        <button
          type="button"
          aria-label={galleryTexts.actionsForItem({ label })}
          aria-haspopup="menu"
          title={baseTexts.actions}
          className="card-more on-hover"
          tabIndex={tabIndex}
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
  const { item, index, width, height, rotation, hasTabStop, isSelected, anySelected, tile } = props
  const [hasPointer, setHasPointer] = useState(false)
  const [isHovering, setIsHovering] = useState(false)
  const [wasHovered, setWasHovered] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const frame = { width, height }
  const covered = coveredPart(turnedSize(item, rotation), frame, devicePixelRatio)
  // A picture that is too small to cover the card has no placeholder: that would fill the whole card.
  const placeholder = covered === frame ? placeholderUrl(item.thumbhash, rotationOf(item) + rotation) : null
  const filmRotation = (rotationOf(item) + rotation) % 360
  /** Whether the card's buttons are rendered as for a pointer over it. */
  const isActive = hasPointer || hasTabStop
  const onPress = (event: MouseEvent) => {
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
      data-selected={isSelected ? true : undefined}
      style={{
        position: 'absolute',
        insetInlineStart: props.left,
        top: props.top,
        width,
        height,
        backgroundImage: placeholder === null ? undefined : `url(${placeholder})`,
      }}
      onPointerEnter={event => {
        if (event.pointerType !== 'mouse') return
        setHasPointer(true)
        hoverPart.load()
        timer.current = setTimeout(() => {
          setIsHovering(true)
          setWasHovered(true)
        }, hoverMs)
      }}
      onPointerLeave={() => {
        clearTimeout(timer.current)
        setHasPointer(false)
        setIsHovering(false)
      }}
      onContextMenu={event => {
        event.preventDefault()
        // For touches, use-drag-select.ts handles long presses.
        if (!isTouch(event)) openItemMenu(item, menuPlaceOf(event))
      }}
    >
      {item.problem === null ? (
        <Picture
          key={item.reloads}
          item={item}
          size={props.size}
          isTile={tile !== undefined}
          style={placeOnCard(frame, covered, rotation)}
        />
      ) : (
        <FailedPicture reason={serverMessage(item.problem)} hasPlaceholder={placeholder !== null} />
      )}
      {wasHovered && (
        <Hover
          item={item}
          frame={frame}
          rotation={rotation}
          style={placeOnCard(frame, covered, filmRotation)}
          isHovering={isHovering}
          showBoxes={tile === undefined}
        />
      )}
      {tile === undefined ? (
        <Foot item={item} width={width} onClick={onPress} />
      ) : (
        <tile.Foot item={item} height={height} active={isActive} onClick={onPress} />
      )}
      {/* biome-ignore lint/a11y/useAnchorContent: its name is the label; the visible content is below it */}
      <a
        href={props.href}
        className="card-link"
        data-index={index}
        tabIndex={hasTabStop ? 0 : -1}
        aria-label={isSelected ? galleryTexts.selectedItem({ spoken: accessibleName(item) }) : accessibleName(item)}
        draggable={false}
        onClick={onPress}
      />
      {(isActive || anySelected) && (
        <Buttons item={item} index={index} hasTabStop={hasTabStop} isSelected={isSelected} active={isActive} />
      )}
      <Heart item={item} active={isActive} tabIndex={hasTabStop ? 0 : -1} />
    </div>
  )
})

/** Takes the place of a card whose item is not loaded yet, and can have the focus for it. */
export function CardPlaceholder({
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
