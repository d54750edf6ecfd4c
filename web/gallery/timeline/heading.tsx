/** A heading of the timeline: a day or month, its most frequent places, and a circle that selects all its items. */
import { useSignals } from '@preact/signals-react/runtime'
import type { Item } from '../../../schema/api/items.ts'
import { monthStart } from '../../../schema/calendar.ts'
import { itemAt } from '../../items/items.ts'
import { selectMany } from '../../items/selection/selection.ts'
import { showBars } from '../../items/sliding-bars.ts'
import { dayHeading, monthAndYear } from '../../kit/dates.ts'
import { listText } from '../../kit/words.ts'
import { baseTexts } from '../../texts/base.ts'
import { galleryTexts } from '../../texts/gallery.ts'
import type { TimelineHeading } from './rows.ts'

/** Maximum number of a heading's items whose places are counted. */
const maxSearched = 200

/** The `most` most frequent towns of the loaded items under a heading, the most frequent first. */
function townsOf({ first, count }: TimelineHeading, most: number): string[] {
  const counts = new Map<string, number>()
  for (let index = first; index < first + Math.min(count, maxSearched); index++) {
    const [town = ''] = itemAt(index)?.tags.Locations?.data.placeName.split(',') ?? []
    if (town.trim() !== '') counts.set(town.trim(), (counts.get(town.trim()) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([town]) => town)
}

/** First second of the heading's day or month, in the time of `Item.taken`. */
const startOf = ({ year, month, day }: TimelineHeading) => monthStart(year, month) + ((day ?? 1) - 1) * 86_400

export function headingText(heading: TimelineHeading): string {
  return heading.day === null ? monthAndYear(heading.year, heading.month) : dayHeading(startOf(heading))
}

/** How many of the selected items are under a heading. */
function chosenUnder(heading: TimelineHeading, selected: ReadonlyMap<number, Item>): number {
  const from = startOf(heading)
  const to = heading.day === null ? monthStart(heading.year, heading.month + 1) : from + 86_400
  let count = 0
  for (const { taken } of selected.values()) if (taken >= from && taken < to) count++
  return Math.min(count, heading.count)
}

let widest: number | null = null

/** Width in pixels of a heading that has room for any day's date in the page's font; at least 176. */
export function widestDate(): number {
  if (widest !== null) return widest
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return 176
  context.font = `600 14px ${getComputedStyle(document.body).fontFamily}`
  // Each month of either calendar and each day of the week is among these days.
  const days = Array.from({ length: 73 }, (_, n) => dayHeading(Date.UTC(2000, 0, 1 + n * 5) / 1000))
  widest = Math.max(176, ...days.map(day => Math.ceil(context.measureText(day).width) + 12))
  return widest
}

export function Heading({
  heading,
  top,
  height,
  selected,
  isPointed = false,
  isReachable = false,
}: {
  heading: TimelineHeading
  /** Pixels within the spacer. */
  top: number
  height: number
  selected: ReadonlyMap<number, Item>
  /** Whether the pointer is over one of its pictures. */
  isPointed?: boolean
  /** Whether Tab reaches the circle: if the card with the tab stop is under this heading. */
  isReachable?: boolean
}) {
  useSignals()
  const { first, count, left, width, day } = heading
  const chosen = chosenUnder(heading, selected)
  const towns = townsOf(heading, day === null ? 3 : 2)
  const state = chosen === 0 ? 'false' : chosen === count ? 'true' : 'mixed'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the bars come back by themselves when the focus moves into them
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      className="tl-head"
      onClick={() => showBars()}
      style={{ insetInlineStart: left, top, width, height }}
      data-first={first}
      data-pointed={isPointed ? true : undefined}
    >
      <h2>{headingText(heading)}</h2>
      {towns.length > 0 && (
        <p className="tl-place">
          <i />
          <span>
            <span aria-hidden="true">·</span> <bdi>{listText(towns)}</bdi>
          </span>
        </p>
      )}
      {day === null && <span className="tl-count">{baseTexts.itemCount({ count })}</span>}
      {/* biome-ignore lint/a11y/useSemanticElements: an input could not be styled as a circle */}
      <button
        type="button"
        role="checkbox"
        className="tl-pick"
        aria-checked={state}
        aria-label={galleryTexts.selectAllOf({ heading: headingText(heading) })}
        tabIndex={isReachable ? 0 : -1}
        onClick={() => void selectMany(first, count, chosen < count)}
      >
        <i className="pick" data-state={state} />
        <span>
          {state === 'mixed' ? galleryTexts.partSelected({ chosen, count }) : galleryTexts.selectAllCount({ count })}
        </span>
      </button>
    </div>
  )
}
