/** The scrubber beside the endless grid: draggable, with years, ticks for months, and the present position. */
import { useSignals } from '@preact/signals-react/runtime'
import { ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useRef, useState, type WheelEvent } from 'react'
import { indexAt, type Marks, monthOfIndex, monthTicks, yearLabels } from '../items/scrubber-marks.ts'
import { scrubberMarks } from '../items/timeline.ts'
import { monthAndYear, yearText } from '../kit/dates.ts'
import { phone } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import type { LogicalScroll } from './use-logical-scroll.ts'

/** Pixels above the first and below the last mark, for half a label. */
const margin = 16
/** Milliseconds that the bubble stays after the last move. */
const lingers = 900

const Lane = memo(function Lane({ of, height }: { of: Marks; height: number }) {
  return (
    <div className="absolute inset-x-0" style={{ top: margin, height }} aria-hidden="true">
      {monthTicks(of, height).map(({ y, length }) => (
        <i key={y} className="scrub-tick" style={{ top: y, width: Math.round(3 + length * 8) }} />
      ))}
      {yearLabels(of, height).map(({ year, y }) => (
        <span key={year} className="scrub-year" style={{ top: y }}>
          {yearText(year)}
        </span>
      ))}
    </div>
  )
})

/** True while the position changes, and shortly after. */
function useLingering(position: number): boolean {
  const [lingering, setLingering] = useState(false)
  const moved = useRef(position)
  useEffect(() => {
    const far = Math.abs(position - moved.current) > 2
    moved.current = position
    if (far) setLingering(true)
    const timer = setTimeout(() => setLingering(false), lingers)
    return () => clearTimeout(timer)
  }, [position])
  return lingering
}

/** The month that a key moves to from an item's month; undefined for other keys, and without months. */
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
  view: number
  /** A position as a share (0–1) of the lane. */
  shareOf: (position: number, last: number) => number
  /** First visible item at a position. */
  indexOf: (position: number) => number
  /** Position with an item's row at the top. */
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
  const lingering = useLingering(position)
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

  const pointing = hoverY !== null && !dragging
  const bubbleShare = pointing ? shareAt(hoverY) : share
  // In another order than by date there are no months.
  const monthAt = (index: number) => (marks.months[0]?.year === 0 ? null : monthOfIndex(marks, index))
  const month = monthAt(pointing ? indexAt(marks, bubbleShare) : indexOf(position))
  const here = monthAt(indexOf(position))
  const text = (one: typeof month, short = false) => (one === null ? '' : monthAndYear(one.year, one.month, short))
  const shown = (dragging || lingering || pointing || speed !== 0) && month !== null && last > 0
  const slider = {
    role: 'slider',
    'aria-label': baseTexts.timeline,
    'aria-orientation': 'vertical',
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round(share * 100),
    'aria-valuetext': text(here),
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
          data-shown={shown}
          style={{ top: edge + share * height }}
          onPointerDown={onDown}
        >
          <ChevronsUpDown size={18} />
          {text(month, true)}
        </div>
      </div>
    )
  }
  return (
    <div ref={lane} {...slider} className="scrub-lane" onPointerDown={onDown} onPointerLeave={() => setHoverY(null)}>
      {here !== null && <Lane of={marks} height={height} />}
      {last > 0 && <i className="scrub-here" style={{ top: margin + share * height }} />}
      <span
        className="scrub-bubble float"
        data-shown={shown}
        style={{ top: margin + bubbleShare * height }}
        aria-hidden="true"
      >
        {text(month)}
      </span>
    </div>
  )
}
