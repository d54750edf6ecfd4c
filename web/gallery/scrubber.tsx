/** The scrubber beside an endless gallery: shows years, months and the scroll position, and can be dragged. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useRef, useState, type WheelEvent } from 'react'
import { indexAt, type Marks, monthOfIndex, monthTicks, yearLabels } from '../items/scrubber-marks.ts'
import { scrubberMarks } from '../items/timeline.ts'
import { monthAndYear, yearText } from '../kit/dates.ts'
import { phone } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import type { LogicalScroll } from './use-logical-scroll.ts'

/** Pixels above the first and below the last mark, so that half a label fits there. */
const margin = 16
/** Milliseconds that the bubble stays visible after the last move. */
const bubbleMs = 900

const Lane = memo(function Lane({ marks, height }: { marks: Marks; height: number }) {
  return (
    <div className="absolute inset-x-0" style={{ top: margin, height }} aria-hidden="true">
      {monthTicks(marks, height).map(({ y, length }) => (
        <i key={y} className="scrub-tick" style={{ top: y, width: Math.round(3 + length * 8) }} />
      ))}
      {yearLabels(marks, height).map(({ year, y }) => (
        <span key={year} className="scrub-year" style={{ top: y }}>
          {yearText(year)}
        </span>
      ))}
    </div>
  )
})

/** Whether the position has changed just now. */
function useMovedRecently(position: number): boolean {
  const [movedRecently, setMovedRecently] = useState(false)
  const lastPosition = useRef(position)
  useEffect(() => {
    const hasMoved = Math.abs(position - lastPosition.current) > 2
    lastPosition.current = position
    if (hasMoved) setMovedRecently(true)
    const timer = setTimeout(() => setMovedRecently(false), bubbleMs)
    return () => clearTimeout(timer)
  }, [position])
  return movedRecently
}

/** The month to which a key moves from the month of the item at `index`; undefined for other keys. */
function markByKey(event: KeyboardEvent, index: number) {
  const { months } = scrubberMarks.peek()
  const now = monthOfIndex(scrubberMarks.peek(), index)
  const at = months.findIndex(one => one.year === now?.year && one.month === now.month)
  const targets: Record<string, number> = {
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    PageUp: at - 12,
    PageDown: at + 12,
    Home: 0,
    End: months.length - 1,
  }
  const wanted = targets[event.key]
  if (wanted === undefined) return undefined
  event.preventDefault()
  event.stopPropagation()
  return months[Math.min(months.length - 1, Math.max(0, wanted))]
}

interface ScrubberProps {
  scroll: LogicalScroll
  /** Height of the view. */
  view: number
  /** Converts a scroll position to a share (0–1) of the lane; `last` is the maximum position. */
  shareOf: (position: number, last: number) => number
  /** Index of the first visible item at a position. */
  indexOf: (position: number) => number
  /** The position that shows an item's row at the top. */
  positionOf: (index: number) => number
  /** Pixels at the top and at the bottom that bars cover. */
  covered?: { above: number; below: number } | undefined
}

export function Scrubber({ scroll, view, shareOf, indexOf, positionOf, covered }: ScrubberProps) {
  useSignals()
  const marks = scrubberMarks.value
  const { position, last, speed } = scroll.place.value
  const [hoverY, setHoverY] = useState<number | null>(null)
  const [dragging, setDragging] = useState(false)
  const movedRecently = useMovedRecently(position)
  const lane = useRef<HTMLDivElement>(null)
  const edge = margin + (covered?.above ?? 0)
  const height = Math.max(1, view - edge - margin - (covered?.below ?? 0))
  const share = shareOf(position, last)

  const shareAt = (clientY: number) => {
    const top = lane.current?.getBoundingClientRect().top ?? 0
    return Math.min(1, Math.max(0, (clientY - top - edge) / height))
  }
  const goTo = (to: number) => scroll.jump(to >= 1 ? last : Math.min(last, positionOf(indexAt(marks, to))))
  const onMove = (event: PointerEvent) => {
    if (dragging) goTo(shareAt(event.clientY))
    setHoverY(event.pointerType === 'mouse' ? event.clientY : null)
  }
  const onDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    setDragging(true)
    goTo(shareAt(event.clientY))
  }
  const onUp = () => setDragging(false)
  const onKey = (event: KeyboardEvent) => {
    const mark = markByKey(event, indexOf(position))
    if (mark !== undefined) scroll.jump(positionOf(mark.before))
  }

  const isPointing = hoverY !== null && !dragging
  const bubbleShare = isPointing ? shareAt(hoverY) : share
  // In any order other than by date there are no months.
  const monthAt = (index: number) => (marks.months[0]?.year === 0 ? null : monthOfIndex(marks, index))
  const bubbleMonth = monthAt(isPointing ? indexAt(marks, bubbleShare) : indexOf(position))
  const currentMonth = monthAt(indexOf(position))
  const text = (one: typeof bubbleMonth, short = false) =>
    one === null ? '' : monthAndYear(one.year, one.month, short)
  const isBubbleShown = (dragging || movedRecently || isPointing || speed !== 0) && bubbleMonth !== null && last > 0
  const slider = {
    role: 'slider',
    'aria-label': baseTexts.timeline,
    'aria-orientation': 'vertical',
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round(share * 100),
    'aria-valuetext': text(currentMonth),
    tabIndex: 0,
    onKeyDown: onKey,
    onPointerMove: onMove,
    onPointerUp: onUp,
    onPointerCancel: onUp,
    // The wheel also scrolls the gallery here.
    onWheel: (event: WheelEvent) => scroll.jump(position + event.deltaY * (event.deltaMode === 1 ? 16 : 1)),
  } as const
  if (phone.value) {
    return (
      <div ref={lane} className="scrub-phone">
        <div
          {...slider}
          className="scrub-thumb"
          data-shown={isBubbleShown}
          style={{ top: edge + share * height }}
          onPointerDown={onDown}
        >
          <ChevronsUpDown size={18} />
          {text(bubbleMonth, true)}
        </div>
      </div>
    )
  }
  return (
    <div ref={lane} {...slider} className="scrub-lane" onPointerDown={onDown} onPointerLeave={() => setHoverY(null)}>
      {currentMonth !== null && <Lane marks={marks} height={height} />}
      {last > 0 && <i className="scrub-here" style={{ top: margin + share * height }} />}
      <span
        className="scrub-bubble float"
        data-shown={isBubbleShown}
        style={{ top: margin + bubbleShare * height }}
        aria-hidden="true"
      >
        {text(bubbleMonth)}
      </span>
    </div>
  )
}
