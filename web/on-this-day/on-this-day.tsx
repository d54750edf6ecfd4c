/** On This Day: one group per year, newest first. */
import { useSignals } from '@preact/signals-react/runtime'
import { CalendarHeart, ChevronLeft, ChevronRight, Clapperboard, CloudOff, FileArchive, ImageOff } from 'lucide-react'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { limits } from '../../schema/limits.ts'
import { pictureOf } from '../api.ts'
import { address } from '../app/address.ts'
import { filter } from '../app/current-filter.ts'
import { openSlideshow } from '../app/dialogs.ts'
import { isEmpty } from '../app/filter.ts'
import { useBroken } from '../app/loading/use-broken.ts'
import { rotation } from '../app/options.ts'
import { signedIn } from '../app/session.ts'
import { accessibleName, rotationOf } from '../items/item-text.ts'
import { addressOfItem, openOneOf } from '../items/open-item.ts'
import { placeholderUrl } from '../items/pictures/thumbhash.ts'
import { turnedSize } from '../items/pictures/zoom.ts'
import { menuProps } from '../items/selection/item-menu-state.ts'
import { playSlideshow } from '../items/selection/slideshow.ts'
import { Button } from '../kit/button.tsx'
import { yearText } from '../kit/dates.ts'
import { Empty } from '../kit/empty.tsx'
import { IconButton } from '../kit/icon-button.tsx'
import { useSlow } from '../kit/time/use-slow.ts'
import { TryAgain } from '../kit/try-again.tsx'
import { useElementSize } from '../kit/use-element-size.ts'
import { narrow } from '../kit/viewport.ts'
import { listText } from '../kit/words.ts'
import { baseTexts } from '../texts/base.ts'
import { serverMessage } from '../texts/language/server-message.ts'
import { onThisDayTexts } from '../texts/on-this-day.ts'
import {
  dayFailed,
  dayKey,
  isDayLoaded,
  isToday,
  loadDay,
  shownDay,
  turnDay,
  watchDay,
  type YearOfDay,
  yearsOfDay,
} from './days.ts'
import { dayText, yearsAgo } from './month-days.ts'
import { rowOf } from './row-layout.ts'

const rowHeight = 232

/** The style of a picture that fills its tile, rotated by the option. */
function turnedIn(width: number, height: number, degrees: number): CSSProperties | undefined {
  if (degrees === 0) return undefined
  if (degrees === 180) return { rotate: '180deg' }
  return {
    position: 'absolute',
    width: height,
    height: width,
    maxWidth: 'none',
    left: (width - height) / 2,
    top: (height - width) / 2,
    rotate: `${degrees}deg`,
  }
}

function Tile({ item, width, height, onOpen }: { item: Item; width: number; height: number; onOpen: () => void }) {
  useSignals()
  const source = pictureOf(item, 'medium')
  const { broken, onError } = useBroken(source)
  const stand = placeholderUrl(item.thumbhash, rotationOf(item) + rotation.value)
  const caption = item.tags.Description?.data ?? ''
  const fault = item.problem !== null ? serverMessage(item.problem) : broken ? baseTexts.pictureCouldNotBeLoaded : null
  return (
    <a
      href={addressOfItem(item.id)}
      {...menuProps(item)}
      className="day-tile"
      style={{ width, height, backgroundImage: stand === null || fault !== null ? undefined : `url(${stand})` }}
      // Contains the visible text, which voice control needs.
      aria-label={listText([accessibleName(item), caption, item.problem === null ? (fault ?? '') : ''].filter(Boolean))}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onOpen()
      }}
    >
      {fault === null ? (
        <img
          key={item.reloads}
          src={source}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          style={turnedIn(width, height, rotation.value)}
          onError={onError}
        />
      ) : (
        <span className="card-failed">
          <ImageOff size={28} strokeWidth={1.25} aria-hidden="true" />
          <span>{fault}</span>
        </span>
      )}
      {caption !== '' && (
        <span className="day-caption" dir="auto">
          {caption}
        </span>
      )}
    </a>
  )
}

function Year({ of, place, room, all }: { of: YearOfDay; place: number; room: number; all: readonly number[] }) {
  useSignals()
  const [open, setOpen] = useState(false)
  const { year, items } = of
  const height = narrow.value ? 200 : rowHeight
  const rows: { items: readonly Item[]; widths: number[]; height: number }[] = []
  for (let rest = items; rest.length > 0 && (open || rows.length === 0); ) {
    const row = rowOf(
      rest.map(item => turnedSize(item, rotation.value)),
      room,
      height,
      { highest: narrow.value ? 340 : height },
    )
    rows.push({ ...row, items: rest.slice(0, row.widths.length) })
    rest = rest.slice(row.widths.length)
  }
  const shown = rows.reduce((sum, { widths }) => sum + widths.length, 0)
  const more = items.length - shown
  return (
    <section className="day-year" aria-label={yearText(year)}>
      <header className="day-head">
        <i
          className="day-dot"
          style={{ background: `var(--year-${(place % limits.yearColours) + 1})` }}
          aria-hidden="true"
        />
        <div>
          <h2 className="text-[22px] leading-7 font-semibold">{yearText(year)}</h2>
          <p className="date-head text-xs soft">{yearsAgo(year)}</p>
          <p className="text-xs soft">{baseTexts.itemCount({ count: items.length })}</p>
          {(more > 0 || open) && (
            <Button
              look="link"
              className="-ms-1.5 mt-1"
              text={open ? baseTexts.showFewer : onThisDayTexts.moreCount({ count: more })}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            />
          )}
        </div>
      </header>
      <div className="grid gap-1 min-w-0">
        {rows.map(row => (
          <div key={row.items[0]?.id} className="flex gap-1">
            {row.items.map((item, at) => (
              <Tile
                key={item.id}
                item={item}
                width={row.widths[at] ?? 0}
                height={row.height}
                onOpen={() => openOneOf(all, all.indexOf(item.id))}
              />
            ))}
          </div>
        ))}
      </div>
    </section>
  )
}

function Head({ all, of }: { all: readonly Item[]; of: number }) {
  useSignals()
  return (
    <header className="flex items-center gap-x-3 gap-y-1 pb-5 max-sm:flex-wrap">
      <div className="min-w-0 max-sm:basis-full">
        <h1 className="date-head text-[22px] leading-7 font-semibold">
          {dayText(shownDay.value, filter.value.calendar, isToday.value)}
        </h1>
        <p className="soft text-sm" role="status">
          {of === 0 ? ' ' : onThisDayTexts.fromYears({ items: baseTexts.itemCount({ count: all.length }), count: of })}
        </p>
      </div>
      <div className="ms-auto flex items-center gap-2">
        {all.length > 0 && (
          <IconButton icon={Clapperboard} label={baseTexts.slideshow} onClick={() => playSlideshow(all)} />
        )}
        {signedIn.value && all.length > 0 && (
          <IconButton
            icon={FileArchive}
            label={baseTexts.downloadAsSlideshow}
            onClick={() => openSlideshow(all.map(({ id }) => id))}
          />
        )}
        <IconButton icon={ChevronLeft} label={onThisDayTexts.dayBefore} onClick={() => turnDay(-1)} />
        <Button
          look="quiet"
          small
          className="h-8"
          text={baseTexts.today}
          aria-pressed={isToday.value}
          onClick={() => turnDay(0)}
        />
        <IconButton icon={ChevronRight} label={onThisDayTexts.dayAfter} onClick={() => turnDay(1)} />
      </div>
    </header>
  )
}

/** Skeleton of the years, shown after a short wait. */
function Waiting({ height }: { height: number }) {
  if (!useSlow(true)) return null
  return (
    <div className="grid gap-5" aria-busy="true">
      {[0, 1, 2].map(row => (
        <div key={row} className="day-waiting" style={{ height }} />
      ))}
    </div>
  )
}

export function OnThisDay() {
  useSignals()
  const ref = useRef<HTMLDivElement>(null)
  const { width } = useElementSize(ref)
  const key = dayKey.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what to load
  useEffect(() => {
    if (!isDayLoaded.peek()) void loadDay()
  }, [key])
  useEffect(watchDay, [])
  const shown = dayFailed.value ? [] : yearsOfDay.value
  const all = shown?.flatMap(({ items }) => items) ?? []
  const ids = all.map(({ id }) => id)
  const room = narrow.value ? width : width - 152
  return (
    <div className="day-screen">
      <div ref={ref} className={isDayLoaded.value || dayFailed.value ? '' : 'opacity-60'}>
        <Head all={all} of={shown?.length ?? 0} />
        {shown === null && <Waiting height={rowHeight} />}
        {dayFailed.value && (
          <Empty
            icon={CloudOff}
            title={onThisDayTexts.dayNotLoaded}
            actions={<TryAgain className="btn btn-primary" again={loadDay} />}
          />
        )}
        {shown?.length === 0 && isDayLoaded.value && !dayFailed.value && (
          <div className="grid justify-items-center text-center gap-2 py-20">
            <CalendarHeart size={40} strokeWidth={1.25} className="soft mb-4" aria-hidden="true" />
            <p className="text-xl font-semibold">{onThisDayTexts.noItemsToday}</p>
            <p className="soft text-balance max-w-[340px]">
              {!isEmpty(filter.value)
                ? onThisDayTexts.noMatchOnThisDay
                : isToday.value
                  ? onThisDayTexts.nothingOnThisDay
                  : onThisDayTexts.nothingOnThatDay}
            </p>
          </div>
        )}
        {width > 0 &&
          shown?.map((year, place) => (
            <Year key={`${address.value.search} ${year.year}`} of={year} place={place} room={room} all={ids} />
          ))}
      </div>
    </div>
  )
}
