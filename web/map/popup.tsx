/** The popup with the items of one marker: picture, date, place, 'n of m'. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronLeft, ChevronRight, ImageOff, X } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, useRef } from 'react'
import { pictureOf } from '../api.ts'
import { accessibleName, imageNotFound, rotationOf } from '../items/item-text.ts'
import { addressOfItem, openOneOf } from '../items/open-item.ts'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import { menuProps } from '../items/selection/item-menu-state.ts'
import { exactDate, longDate } from '../kit/dates.ts'
import { useLayer } from '../kit/layers/use-layer.ts'
import { baseTexts } from '../texts/base.ts'
import { serverMessage } from '../texts/language/server-message.ts'
import { mapTexts } from '../texts/map.ts'
import { closeItems, openedItems, shownItem, stepItems } from './map-items.ts'

function Picture() {
  useSignals()
  const item = shownItem.value
  if (item === 'gone' || (item !== null && item.problem !== null)) {
    return (
      <div className="map-picture grid place-items-center gap-2 text-white/80">
        <ImageOff size={32} strokeWidth={1.25} aria-hidden="true" />
        <p dir="auto">{item === 'gone' ? imageNotFound : serverMessage(item.problem ?? '')}</p>
      </div>
    )
  }
  const stand = item === null ? null : placeholderUrl(item.thumbhash, rotationOf(item))
  const style: CSSProperties = stand === null ? {} : { backgroundImage: `url(${stand})` }
  if (item === null) return <div className="map-picture" />
  const address = addressOfItem(item.id)
  return (
    <a
      className="map-picture"
      style={style}
      href={address}
      aria-label={mapTexts.open({ spoken: accessibleName(item) })}
      {...menuProps(item)}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        const now = openedItems.peek()
        if (now !== null) openOneOf(now.ids, now.at)
      }}
    >
      <img key={item.id + item.reloads} src={pictureOf(item, 'medium')} alt="" draggable={false} />
    </a>
  )
}

/** `style`: position over the map. */
export function Popup({ style, className = '' }: { style: CSSProperties; className?: string }) {
  useSignals()
  const ref = useRef<HTMLElement>(null)
  useLayer(ref, closeItems)
  const now = openedItems.value
  if (now === null) return null
  const item = shownItem.value
  const several = now.ids.length > 1
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || !several) return
    event.preventDefault()
    event.stopPropagation()
    stepItems(step)
  }
  const loaded = item === null || item === 'gone' ? null : item
  return (
    <section
      ref={ref}
      className={`map-popup float ${className}`}
      style={style}
      aria-label={mapTexts.itemsHere}
      tabIndex={-1}
      data-autofocus
      onKeyDown={onKey}
    >
      <Picture />
      <button type="button" className="on-pic map-popup-close" aria-label={baseTexts.close} onClick={closeItems}>
        <X size={18} />
      </button>
      {several && (
        <>
          <button
            type="button"
            className="on-pic map-popup-step start-2"
            aria-label={baseTexts.previous}
            onClick={() => stepItems(-1)}
          >
            <ChevronLeft size={20} />
          </button>
          <button
            type="button"
            className="on-pic map-popup-step end-2"
            aria-label={baseTexts.next}
            onClick={() => stepItems(1)}
          >
            <ChevronRight size={20} />
          </button>
        </>
      )}
      <div className="flex items-center gap-4 px-4 h-[60px]">
        <div className="min-w-0 grow">
          <p className="date-head font-semibold truncate" title={loaded === null ? undefined : exactDate(loaded)}>
            {loaded === null ? ' ' : longDate(loaded.taken)}
          </p>
          <p className="text-xs soft truncate h-4" dir="auto">
            {loaded?.tags.Locations?.data.placeName ?? ''}
          </p>
        </div>
        <p className="text-xs soft whitespace-nowrap" aria-live="polite">
          {baseTexts.doneOfTotal({ done: now.at + 1, total: now.ids.length })}
        </p>
      </div>
    </section>
  )
}
