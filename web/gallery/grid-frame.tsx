/** The scrolling frame of a gallery: its spacer, keys, selection by touch, and the scrubber beside it. */
import { useSignals } from '@preact/signals-react/runtime'
import { type CSSProperties, type PointerEvent, type ReactNode, useCallback } from 'react'
import { loading } from '../items/items.ts'
import { openItemAt } from '../items/open-item.ts'
import { grow } from '../items/pictures/grow.ts'
import { selected } from '../items/selection/selection.ts'
import { baseTexts } from '../texts/base.ts'
import { type Arrangement, firstVisible } from './arrangement.ts'
import { onCardKey } from './card-keys.ts'
import { spacerHeight } from './logical-scroll.ts'
import { Scrubber } from './scrubber.tsx'
import { useDragSelect } from './use-drag-select.ts'
import { useGridFocus } from './use-grid-focus.ts'
import { type GridRange, type GridView, useGridView } from './use-grid-view.ts'

/** Indices of the rendered cards: those near the screen, and the one with the tab stop. */
function cardsToDraw({ first, last }: { first: number; last: number }, tabStop: number | null): number[] {
  const cards = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return tabStop !== null && (tabStop < first || tabStop > last) ? [...cards, tabStop] : cards
}

const findViewerPicture = () => document.querySelector<HTMLElement>('.viewer-slide[data-open] .viewer-box')

/** A gallery's view and focus; `arrange` as for `useGridView`. */
export function useGrid<Rows extends Arrangement>(range: GridRange, arrange: (width: number, height: number) => Rows) {
  const { start, endless } = range
  const view = useGridView(range, arrange)
  const { tabStop, onKeyDown } = useGridFocus(view, range)
  const { anchor, scroller } = view
  const onOpen = useCallback(
    (listIndex: number) => {
      const { index: first, rest } = anchor.current
      const card = scroller.current
        ?.querySelector<HTMLElement>(`[data-index="${listIndex}"]`)
        ?.closest<HTMLElement>('.card-pic')
      grow(
        card ?? null,
        () => openItemAt(listIndex, endless ? { index: start + first, rest: Math.round(rest) } : undefined),
        findViewerPicture,
      )
    },
    [start, endless, anchor, scroller],
  )
  return {
    view,
    onOpen,
    onKeyDown,
    /** Indices within the range. */
    indices: cardsToDraw(view.drawn, tabStop),
    /** The index of the card with the tab stop. */
    stop: tabStop ?? view.drawn.first,
    /** A list that fits into the view does not scroll. */
    overflows: view.extent.content > view.extent.view,
  }
}

export function GridFrame({
  range,
  grid,
  className,
  behind,
  over,
  headings,
  shareOf,
  covered,
  children,
  ...pointing
}: {
  range: GridRange
  grid: Pick<ReturnType<typeof useGrid>, 'onKeyDown'> & { view: GridView }
  className: string
  /** Styles of the scroller and of the spacer, which are seen where no card is rendered yet. */
  behind?: { scroller: CSSProperties; spacer: CSSProperties } | undefined
  /** Stays at the top while the cards scroll. */
  over?: ReactNode
  /** Shown between the cards, but outside their list, because a list may contain only list items. */
  headings?: ReactNode
  /** The position as a share (0–1) of the scrubber's lane. */
  shareOf: (position: number, last: number) => number
  /** Pixels at the top and at the bottom that bars cover. */
  covered?: { above: number; below: number } | undefined
  children: ReactNode
  onPointerOver?: (event: PointerEvent) => void
  onPointerLeave?: () => void
}) {
  useSignals()
  const { start, endless } = range
  const { scroller, room, rows, extent, scroll } = grid.view
  useDragSelect(scroller)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move between cards, which are links */}
      <div
        ref={scroller}
        className={`grid-scroller ${endless ? 'endless' : ''} ${selected.value.size > 0 ? 'selecting' : ''} ${className}`}
        style={behind?.scroller}
        onKeyDown={event => {
          if (!onCardKey(event)) grid.onKeyDown(event)
        }}
        tabIndex={-1}
        {...pointing}
      >
        {over}
        <div className="grid-spacer" style={{ height: spacerHeight(extent), ...behind?.spacer }}>
          {headings}
          {/* biome-ignore lint/a11y/useSemanticElements: absolutely positioned cards cannot form a <ul> */}
          <div role="list" className="absolute inset-0" aria-label={baseTexts.items} aria-busy={loading.value}>
            {children}
          </div>
        </div>
      </div>
      {endless && (
        <Scrubber
          scroll={scroll}
          view={room.height}
          shareOf={shareOf}
          covered={covered}
          indexOf={position => start + firstVisible(rows, position)}
          positionOf={index => Math.max(0, rows.boxOf(index - start).top - rows.heading)}
        />
      )}
    </>
  )
}
