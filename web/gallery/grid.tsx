/** The grid: a range of the list as cards of one size; only cards near the screen are rendered. */
import { useSignals } from '@preact/signals-react/runtime'
import { type CSSProperties, useCallback } from 'react'
import { rotation } from '../app/options.ts'
import { itemAt, list, loading } from '../items/items.ts'
import { addressOfItem, openItemAt } from '../items/open-item.ts'
import { selected } from '../items/selection/selection.ts'
import { thumbnail } from '../kit/viewport.ts'
import { baseTexts } from '../texts/base.ts'
import { Card, CardPlace } from './card.tsx'
import { onCardKey } from './card-keys.ts'
import { cardPlace, type GridShape, pitch } from './grid-layout.ts'
import { spacerHeight } from './logical-scroll.ts'
import { Scrubber } from './scrubber.tsx'
import { useDragSelect } from './use-drag-select.ts'
import { useGridFocus } from './use-grid-focus.ts'
import { type GridRange, useGridView } from './use-grid-view.ts'

/** Indices of the rendered cards: those near the screen, and the focused one. */
function cardsToDraw({ first, last }: { first: number; last: number }, rover: number | null): number[] {
  const cards = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return rover !== null && (rover < first || rover > last) ? [...cards, rover] : cards
}

/**
 * Placeholders are painted behind the cards as the spacer's background, because browsers scroll before they notify the
 * page, and the uncovered area must not be empty. The scroller has them, too: its background does not move, so it is
 * there even when the browser scrolls faster than it paints.
 */
function placesBehind(shape: GridShape, offset: number): CSSProperties {
  return {
    backgroundSize: `${shape.cardWidth + shape.gap}px ${pitch(shape)}px`,
    backgroundPosition: `${shape.inset}px ${-(offset % pitch(shape))}px`,
  }
}

/** Covers the placeholders of missing cards in the last row; null if the row is full. */
function restOfLastRow(count: number, shape: GridShape, offset: number): CSSProperties | null {
  if (count % shape.columns === 0) return null
  const { left, top } = cardPlace(count, shape)
  return { left, top: top - offset, height: pitch(shape) }
}

export function Grid(range: GridRange) {
  useSignals()
  const { start, count, endless } = range
  const view = useGridView(range)
  const { rover, onKeyDown } = useGridFocus(view, range)
  const { scroller, room, shape, extent, drawn, scroll, anchor } = view
  const onOpen = useCallback(
    (index: number) => {
      const { index: first, rest } = anchor.current
      openItemAt(index, endless ? { index: start + first, rest: Math.round(rest) } : undefined)
    },
    [start, endless, anchor],
  )
  const stop = rover ?? drawn.first
  const chosen = selected.value
  // A list that fits into the view needs no placeholders.
  const overflows = extent.content > extent.view
  const restBox = drawn.last === count - 1 ? restOfLastRow(count, shape, drawn.offset) : null
  useDragSelect(scroller)
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move between cards, which are links */}
      <div
        ref={scroller}
        className={`grid-scroller ${endless ? 'endless' : ''} ${overflows ? 'deep' : ''} ${chosen.size > 0 ? 'selecting' : ''}`}
        style={overflows ? placesBehind(shape, 0) : undefined}
        onKeyDown={event => {
          if (!onCardKey(event)) onKeyDown(event)
        }}
        tabIndex={-1}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: absolutely positioned cards cannot form a <ul> */}
        <div
          role="list"
          aria-label={baseTexts.items}
          aria-busy={loading.value}
          className="grid-spacer"
          style={{ height: spacerHeight(extent), ...(overflows ? placesBehind(shape, drawn.offset) : {}) }}
        >
          {restBox !== null && <div className="grid-rest" style={restBox} aria-hidden="true" />}
          {cardsToDraw(drawn, rover).map(index => {
            const item = itemAt(start + index)
            const { left, top } = cardPlace(index, shape)
            const box = { left, top: top - drawn.offset, width: shape.cardWidth, height: shape.cardHeight }
            if (item === undefined) return <CardPlace key={start + index} index={start + index} {...box} />
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
                chosen={chosen.has(item.id)}
                choosing={chosen.size > 0}
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
          indexOf={position => start + Math.floor(position / pitch(shape)) * shape.columns}
          positionOf={index => Math.floor((index - start) / shape.columns) * pitch(shape)}
        />
      )}
    </>
  )
}
