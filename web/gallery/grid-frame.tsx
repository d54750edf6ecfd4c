/** What the grid and the timeline have in common: the scroller, its keys, selection by touch, and the scrubber. */
import { useSignals } from '@preact/signals-react/runtime'
import { type CSSProperties, type PointerEvent, type ReactNode, useCallback } from 'react'
import { loading } from '../items/items.ts'
import { openItemAt } from '../items/open-item.ts'
import { growPicture } from '../items/pictures/grow.ts'
import { selected } from '../items/selection/selection.ts'
import { baseTexts } from '../texts/base.ts'
import { type Arrangement, firstVisible } from './arrangement.ts'
import { onCardKey } from './card-keys.ts'
import { spacerHeight } from './logical-scroll.ts'
import { Scrubber } from './scrubber.tsx'
import { useDragSelect } from './use-drag-select.ts'
import { useGridFocus } from './use-grid-focus.ts'
import { type GridRange, type GridView, useGridView } from './use-grid-view.ts'

/** Indices of the cards to render: those near the screen, and the one with the tab stop. */
function renderedIndices({ first, last }: { first: number; last: number }, tabStop: number | null): number[] {
  const cards = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return tabStop !== null && (tabStop < first || tabStop > last) ? [...cards, tabStop] : cards
}

const findViewerPicture = () => document.querySelector<HTMLElement>('.viewer-slide[data-open] .viewer-box')

/** State of a gallery: what is rendered, and where the focus is. `arrange`: see `useGridView`. */
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
      growPicture(
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
    /** Indices within the range of the cards to render. */
    indices: renderedIndices(view.rendered, tabStop),
    /** Index within the range of the card with the tab stop. */
    tabStop: tabStop ?? view.rendered.first,
    /** Whether there is more than fits into the view. */
    overflows: view.extent.content > view.extent.view,
  }
}

export function GridFrame({
  range,
  grid,
  className,
  placeholders,
  sticky,
  headings,
  shareOf,
  covered,
  children,
  ...pointerEvents
}: {
  range: GridRange
  grid: Pick<ReturnType<typeof useGrid>, 'onKeyDown'> & { view: GridView }
  className: string
  /** Backgrounds of the scroller and of the spacer, which are visible where no card is rendered yet. */
  placeholders?: { scroller: CSSProperties; spacer: CSSProperties } | undefined
  /** An element that stays at the top while the cards scroll. */
  sticky?: ReactNode
  /** Headings between the cards. They are outside the list element, which may contain only list items. */
  headings?: ReactNode
  /** Converts a scroll position to a share (0–1) of the scrubber's lane; `last` is the maximum position. */
  shareOf: (position: number, last: number) => number
  /** Pixels at the top and at the bottom of the scroller that bars cover. */
  covered?: { above: number; below: number } | undefined
  children: ReactNode
  onPointerOver?: (event: PointerEvent) => void
  onPointerLeave?: () => void
}) {
  useSignals()
  const { start, endless } = range
  const { scroller, size, rows, extent, scroll } = grid.view
  useDragSelect(scroller)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move between cards, which are links */}
      <div
        ref={scroller}
        className={`grid-scroller ${endless ? 'endless' : ''} ${selected.value.size > 0 ? 'selecting' : ''} ${className}`}
        style={placeholders?.scroller}
        onKeyDown={event => {
          if (!onCardKey(event)) grid.onKeyDown(event)
        }}
        tabIndex={-1}
        {...pointerEvents}
      >
        {sticky}
        <div className="grid-spacer" style={{ height: spacerHeight(extent), ...placeholders?.spacer }}>
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
          view={size.height}
          shareOf={shareOf}
          covered={covered}
          indexOf={position => start + firstVisible(rows, position)}
          positionOf={index => Math.max(0, rows.boxOf(index - start).top - rows.heading)}
        />
      )}
    </>
  )
}
