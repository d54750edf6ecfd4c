/** The grid: a stretch of the list as cards of one size, of which only those near the screen are drawn. */
import { useSignals } from '@preact/signals-react/runtime'
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { address } from '../state/address.ts'
import {
  cardPlace,
  cardsWithin,
  contentHeight,
  gridShape,
  overscan,
  pitch,
  positionToShow,
  type Step,
  stepFrom,
} from '../state/grid-layout.ts'
import { itemAt, list, look } from '../state/items.ts'
import { spacerHeight } from '../state/logical-scroll.ts'
import { rotation } from '../state/options.ts'
import { addressOfItem, focusWanted, lastOpened, notePlace, openId, openItemAt } from '../state/viewer.ts'
import { breakpoint, thumbnail } from '../state/viewport.ts'
import { Card, CardPlace } from './card.tsx'
import { Scrubber } from './scrubber.tsx'
import { useGridKeys } from './use-grid-keys.ts'
import { useLogicalScroll } from './use-logical-scroll.ts'

interface Drawn {
  first: number
  last: number
  offset: number
}

const steps: Record<string, Step> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'home',
  End: 'end',
}

/** Cards of the list from `start` on; `endless` has the scrubber, and remembers its place. */
export function Grid({ start, count, endless }: { start: number; count: number; endless: boolean }) {
  useSignals()
  const scroller = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState({ width: 0, height: 0 })
  const [drawn, setDrawn] = useState<Drawn>({ first: 0, last: -1, offset: 0 })
  const [rover, setRover] = useState<number | null>(null)
  const shape = gridShape(breakpoint.value, room.width, endless ? 0 : 4)
  const { columns, cardWidth, cardHeight } = shape
  const extent = { content: contentHeight(count, shape), view: room.height }
  const anchor = useRef<{ index: number; id: number | null; rest: number }>({ index: 0, id: null, rest: 0 })

  const update = () => {
    const { position, offset, speed } = scroll.place.value
    const beyond = overscan(speed, shape)
    const near = cardsWithin(position - beyond.above, position + room.height + beyond.below, count, shape)
    const index = Math.floor(position / pitch(shape)) * columns
    anchor.current = { index, id: itemAt(start + index)?.id ?? null, rest: position % pitch(shape) }
    if (room.height > 0 && near.last >= near.first) look(start + near.first, start + near.last)
    if (near.first !== drawn.first || near.last !== drawn.last || offset !== drawn.offset) {
      setDrawn({ ...near, offset })
    }
  }
  const scroll = useLogicalScroll(
    scroller,
    // What a scroll uncovers must be drawn in its own frame.
    fitting => (fitting ? update() : flushSync(update)),
    () => {
      if (endless && openId.value === null) notePlace(start + anchor.current.index, Math.round(anchor.current.rest))
    },
  )

  useLayoutEffect(() => {
    const { current } = scroller
    if (current === null) return
    const measure = () => setRoom({ width: current.clientWidth, height: current.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  // Other measures, another number: the same cards stay on the screen.
  const placed = useRef(false)
  const { height, width } = room
  // biome-ignore lint/correctness/useExhaustiveDependencies: the measures are what it depends on
  useLayoutEffect(() => {
    if (height === 0) return
    let { index, rest } = anchor.current
    if (!placed.current) {
      placed.current = true
      const { at, over } = address.value.entry
      if (endless && at !== undefined) ({ index, rest } = { index: at.index - start, rest: at.rest })
      else if (over !== undefined && over.index - start >= 0 && over.index - start < count) index = over.index - start
    }
    scroll.fit(extent, index === 0 && rest === 0 ? 0 : Math.floor(index / columns) * pitch(shape) + rest)
  }, [count, columns, width, height])

  // Items that came before the first one seen push it down: the view goes along with it.
  const { value } = list
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the list alone
  useLayoutEffect(() => {
    const { index, id, rest } = anchor.current
    if (id === null || index === 0 || itemAt(start + index)?.id === id) return
    for (const [at, item] of value?.items ?? []) {
      if (item.id !== id) continue
      scroll.jump(Math.floor((at - start) / columns) * pitch(shape) + rest)
      return
    }
  }, [value])

  const onOpen = useCallback(
    (index: number) => {
      const { index: at, rest } = anchor.current
      openItemAt(index, endless ? { index: start + at, rest: Math.round(rest) } : undefined)
    },
    [start, endless],
  )
  const show = (index: number, onlyIfUnseen = false) => {
    const { position } = scroll.place.value
    const { top } = cardPlace(index, shape)
    if (onlyIfUnseen && top < position + room.height && top + cardHeight > position) return
    const wanted = positionToShow(index, position, room.height, shape)
    if (wanted !== position) scroll.jump(wanted)
  }
  const focusCard = (index: number) => {
    const card = scroller.current?.querySelector<HTMLElement>(`[data-index="${start + index}"]`)
    card?.focus({ preventScroll: true })
  }
  const focus = (index: number) => {
    flushSync(() => setRover(index))
    show(index)
    focusCard(index)
  }

  // While the viewer is open the card of its picture comes into sight below it; when it closes, it gets the focus.
  const open = openId.value !== null
  const looked = open ? lastOpened.value : focusWanted.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the open picture alone
  useEffect(() => {
    const index = looked === null ? -1 : looked - start
    if (index < 0 || index >= count || room.height === 0) return
    setRover(index)
    show(index, true)
    if (open) return
    focusWanted.value = null
    requestAnimationFrame(() => focusCard(index))
  }, [looked, open, room.height])

  const rowsAScreen = Math.max(1, Math.floor(room.height / pitch(shape)))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || !(event.target instanceof HTMLElement))
      return
    const at = event.target.dataset.index
    if (at === undefined) return
    event.preventDefault()
    focus(stepFrom(Number(at) - start, step, count, columns, rowsAScreen))
  }
  useGridKeys({
    scrollBy: screens => {
      const { position } = scroll.place.value
      scroll.jump(position + screens * Math.max(pitch(shape), room.height - 40))
    },
    scrollTo: end => scroll.jump(end === 'start' ? 0 : extent.content),
    enter: () =>
      focus(cardsWithin(scroll.place.value.position + cardHeight / 2, Number.POSITIVE_INFINITY, count, shape).first),
  })

  const shown = Array.from({ length: Math.max(0, drawn.last - drawn.first + 1) }, (_, at) => drawn.first + at)
  if (rover !== null && rover < count && (rover < drawn.first || rover > drawn.last)) shown.push(rover)
  const stop = rover !== null && rover < count ? rover : drawn.first
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move from card to card, which are links */}
      <div ref={scroller} className={`grid-scroller ${endless ? 'endless' : ''}`} onKeyDown={onKeyDown} tabIndex={-1}>
        {/* biome-ignore lint/a11y/useSemanticElements: absolutely placed cards make no <ul> */}
        <div role="list" aria-label="Items" className="grid-spacer" style={{ height: spacerHeight(extent) }}>
          {shown.map(index => {
            const item = itemAt(start + index)
            const { left, top } = cardPlace(index, shape)
            const box = { left, top: top - drawn.offset, width: cardWidth, height: cardHeight }
            if (item === undefined) return <CardPlace key={start + index} {...box} />
            return (
              <Card
                key={start + index}
                {...box}
                item={item}
                index={start + index}
                total={list.value?.total ?? count}
                size={thumbnail.value}
                turn={rotation.value}
                href={addressOfItem(item.id)}
                stop={index === stop}
                onOpen={onOpen}
              />
            )
          })}
        </div>
      </div>
      {endless && (
        <Scrubber
          scroll={scroll}
          view={room.height}
          indexOf={position => start + Math.floor(position / pitch(shape)) * columns}
          positionOf={index => Math.floor((index - start) / columns) * pitch(shape)}
        />
      )}
    </>
  )
}
