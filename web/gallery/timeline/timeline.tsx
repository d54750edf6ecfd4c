/** The timeline: the list as rows of uncropped pictures under the headings of their days or months. */
import { computed } from '@preact/signals-react'
import { useSignals } from '@preact/signals-react/runtime'
import {
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react'
import type { ImageSize } from '../../../schema/addresses.ts'
import { filter } from '../../app/current-filter.ts'
import { rotation, rowHeight, rowHeights } from '../../app/options.ts'
import { itemAt, list } from '../../items/items.ts'
import { addressOfItem } from '../../items/open-item.ts'
import type { Marks, Month } from '../../items/scrubber-marks.ts'
import { selected } from '../../items/selection/selection.ts'
import { needShapes, shapesOf } from '../../items/shapes.ts'
import {
  barsHidden,
  headHeight,
  lowerBarHeight,
  placeUnderBars,
  showBars,
  upperBarHeight,
} from '../../items/sliding-bars.ts'
import { scrubberMarks } from '../../items/timeline.ts'
import { throttle } from '../../kit/time/throttle.ts'
import { phone, windowHeight } from '../../kit/viewport.ts'
import { type Box, firstVisible } from '../arrangement.ts'
import { Card, CardPlaceholder, type TileLook } from '../card.tsx'
import { GridFrame, useGrid } from '../grid-frame.tsx'
import type { GridView } from '../use-grid-view.ts'
import type { LogicalScroll } from '../use-logical-scroll.ts'
import { withRoom } from './bar-room.ts'
import { Heading, headingText, widestDate } from './heading.tsx'
import { type TimelineMeasures, type TimelineRows, timelineRows } from './rows.ts'
import { TileFoot, tileClass } from './tile.tsx'
import { useRowHeight } from './use-row-height.ts'

const tile: TileLook = { classOf: tileClass, Foot: TileFoot }

/** Shapes are loaded ahead for this many items before and after the rendered ones. */
const preloadCount = 300

/** The months whose shapes are needed to show the items from `first` to `last`, and the neighbouring ones. */
function monthsNear({ months }: Marks, first: number, last: number): Month[] {
  const from = months.findIndex(({ before, count }) => before + count > first - preloadCount)
  const to = months.findLastIndex(({ before }) => before <= last + preloadCount)
  return months.slice(Math.max(0, from - 1), to + 2)
}

/** The smallest rendition with enough pixels for a box; at most 'medium'. */
function sizeFor({ width, height }: Box): ImageSize {
  const pixels = Math.max(width, height) * devicePixelRatio
  return pixels <= 160 ? 'tiny' : pixels <= 480 ? 'small' : 'medium'
}

/** `wanted`: the chosen height of rows. `isUngrouped`: whether there are no headings. */
function measuresFor(
  width: number,
  viewHeight: number,
  wanted: number,
  isPhone: boolean,
  degrees: number,
  isUngrouped: boolean,
): TimelineMeasures {
  const byMonth = isUngrouped || wanted === rowHeights.at(-1)
  const inset = isPhone ? 0 : 4
  return {
    width: Math.max(1, width - inset),
    // A whole row must always be visible, even one that is higher than wanted because it fills the width.
    height: Math.min(wanted, Math.max(56, (viewHeight * 0.6) / (viewHeight < 500 ? 1.3 : 1))),
    gap: wanted === rowHeights.at(-1) ? 2 : isPhone ? 3 : 4,
    groupGap: 16,
    heading: isUngrouped ? 0 : isPhone ? 44 : wanted <= 112 ? 36 : 40,
    minGroupWidth: widestDate(),
    turned: degrees % 180 === 90,
    inset,
    byMonth,
  }
}

/** Whether the bars cover parts of the timeline: on a phone on its side. */
const isUnderBars = computed(() => phone.value && windowHeight.value < 500)

/** Pixels above the first row that the upper bar and the head of an album or person cover. */
const roomAbove = computed(() => (isUnderBars.value ? upperBarHeight.value + headHeight.value : 0))

/** The headings of the first visible row stay at the top when they are scrolled away; while bars are hidden, only the day. */
function StickyHeadings({ rows, scroll }: { rows: TimelineRows; scroll: LogicalScroll }) {
  useSignals()
  const { position } = scroll.place.value
  const isPill = isUnderBars.value && barsHidden.value
  const covered = isPill ? 0 : roomAbove.value
  const height = rows.heading - roomAbove.value
  const edge = position + covered
  const over = rows.headingsOver(firstVisible(rows, edge)).filter(({ top }) => top < edge)
  const [first] = over
  if (first === undefined || height === 0) return null
  if (isPill)
    return (
      <div className="tl-pill-room" aria-hidden="true">
        <button type="button" className="tl-pill on-pic" tabIndex={-1} onClick={() => showBars()}>
          {headingText(first)}
        </button>
      </div>
    )
  return (
    <div className="tl-stuck" style={{ top: covered, height, marginBlockEnd: -height }} aria-hidden="true">
      {over.map(heading => (
        <Heading key={heading.first} heading={heading} top={0} height={height} selected={selected.value} />
      ))}
    </div>
  )
}

/** Shows or hides the bars when they begin to cover the timeline. */
function useBarsOver(scroller: RefObject<HTMLElement | null>, isUnder: boolean): void {
  useLayoutEffect(() => {
    if (isUnder && scroller.current !== null) placeUnderBars(scroller.current)
  }, [isUnder, scroller])
}

/** Returns the function that arranges the present list for the size of the view. */
function useArrange(marks: Marks) {
  const [shapes, wanted, isPhone, degrees] = [shapesOf.value, rowHeight.value, phone.value, rotation.value]
  const [above, below] = [roomAbove.value, isUnderBars.value ? lowerBarHeight : 0]
  // In any order other than by date there are no headings.
  const isUngrouped = filter.value.sort !== null
  return useCallback(
    (width: number, viewHeight: number) =>
      withRoom(
        timelineRows(marks, shapes, measuresFor(width, viewHeight, wanted, isPhone, degrees, isUngrouped)),
        above,
        below,
      ),
    [marks, shapes, wanted, isPhone, degrees, isUngrouped, above, below],
  )
}

/** Loads the shapes near the rendered cards; throttled, because fast scrolling passes another month in each frame. */
function useLoadShapes(marks: Marks, { first, last }: { first: number; last: number }): void {
  const wanted = useRef({ marks, first, last })
  wanted.current = { marks, first, last }
  const loadSoon = useRef<() => void>(null)
  loadSoon.current ??= throttle(() => {
    const now = wanted.current
    needShapes(now.marks, monthsNear(now.marks, now.first, now.last))
  }, 80)
  const shapes = shapesOf.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when any of these has changed
  useEffect(() => loadSoon.current?.(), [marks, shapes, first, last])
}

/** `pointed`: index of the first item under the heading that the pointer is on or below; null if there is none. */
function usePointedHeading(rows: TimelineRows) {
  const [pointed, setPointed] = useState<number | null>(null)
  const onPointerOver = ({ target, pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse' || !(target instanceof Element)) return
    const index = target.closest('.card-pic')?.querySelector<HTMLElement>('[data-index]')?.dataset.index
    const heading = target.closest<HTMLElement>('.tl-head')?.dataset.first
    if (index === undefined) setPointed(heading === undefined ? null : Number(heading))
    else setPointed(rows.headingsOver(Number(index)).findLast(({ first }) => first <= Number(index))?.first ?? null)
  }
  return { pointed, onPointerOver, onPointerLeave: () => setPointed(null) }
}

/** Number of tiles that get their pictures in one frame; hundreds of small ones at once would stall the page. */
const filledPerFrame = 40

/** Indices of the rendered tiles that show their items. Each frame adds some, those on the screen first. */
function useFilled({ rows, size, scroll }: GridView<TimelineRows>, indices: readonly number[]): ReadonlySet<number> {
  const before = useRef<ReadonlySet<number>>(new Set())
  const [, fillMore] = useReducer((n: number) => n + 1, 0)
  const { position } = scroll.place.peek()
  const { first, last } = rows.within(position, position + size.height)
  // A picture whose shape is not loaded yet would move as soon as it is.
  const ready = indices.filter(index => itemAt(index) !== undefined && rows.isLaidOut(index))
  const empty = ready.filter(index => !before.current.has(index))
  const isVisible = (index: number) => first <= index && index <= last
  const inOrder = [...empty.filter(isVisible), ...empty.filter(index => !isVisible(index))]
  const filled = new Set([...ready.filter(index => before.current.has(index)), ...inOrder.slice(0, filledPerFrame)])
  useEffect(() => {
    before.current = filled
    if (filled.size === ready.length) return
    const frame = requestAnimationFrame(fillMore)
    return () => cancelAnimationFrame(frame)
  })
  return filled
}

export function Timeline() {
  useSignals()
  const marks = scrubberMarks.value
  const range = { start: 0, count: marks.total, endless: true }
  const grid = useGrid(range, useArrange(marks))
  const { view, tabStop } = grid
  const { rows, rendered, scroll } = view
  useLoadShapes(marks, rendered)
  useRowHeight(view)
  useBarsOver(view.scroller, isUnderBars.value)
  const headingHeight = rows.heading - roomAbove.value
  const { pointed, ...pointerEvents } = usePointedHeading(rows)
  const selectedItems = selected.value
  const [from, to] = [rows.boxOf(rendered.first), rows.boxOf(Math.max(rendered.first, rendered.last))]
  const headings =
    rendered.last < rendered.first || headingHeight === 0
      ? []
      : rows.headingsWithin(from.top - headingHeight, to.top + to.height)
  const total = list.value?.total ?? marks.total
  const filled = useFilled(view, grid.indices)
  return (
    <GridFrame
      range={range}
      grid={grid}
      className={isUnderBars.value ? 'timeline under-bars' : 'timeline'}
      sticky={<StickyHeadings rows={rows} scroll={scroll} />}
      headings={headings.map(heading => (
        <Heading
          key={heading.first}
          heading={heading}
          top={heading.top - rendered.offset}
          height={headingHeight}
          selected={selectedItems}
          isPointed={pointed === heading.first}
          isReachable={heading.first <= tabStop && tabStop < heading.first + heading.count}
        />
      ))}
      shareOf={(position, last) => (position >= last ? 1 : firstVisible(rows, position) / Math.max(1, marks.total))}
      covered={isUnderBars.value ? { above: upperBarHeight.value, below: lowerBarHeight } : undefined}
      {...pointerEvents}
    >
      {grid.indices.map(index => {
        const box = rows.boxOf(index)
        const place = { left: box.left, top: box.top - rendered.offset, width: box.width, height: box.height }
        const item = itemAt(index)
        if (item === undefined || !filled.has(index))
          return <CardPlaceholder key={index} index={index} isTile {...place} />
        return (
          <Card
            key={index}
            {...place}
            item={item}
            index={index}
            total={total}
            size={sizeFor(box)}
            tile={tile}
            rotation={rotation.value}
            href={addressOfItem(item.id)}
            hasTabStop={index === tabStop}
            isSelected={selectedItems.has(item.id)}
            anySelected={selectedItems.size > 0}
            onOpen={grid.onOpen}
          />
        )
      })}
    </GridFrame>
  )
}
