/** The grid: a range of the list as cards of one size; only cards near the screen are rendered. */
import { useSignals } from '@preact/signals-react/runtime'
import { type CSSProperties, useCallback } from 'react'
import { rotation } from '../app/options.ts'
import { itemAt, list } from '../items/items.ts'
import { addressOfItem } from '../items/open-item.ts'
import { selected } from '../items/selection/selection.ts'
import { breakpoint, thumbnail } from '../kit/viewport.ts'
import { Card, CardPlace } from './card.tsx'
import { GridFrame, useGrid } from './grid-frame.tsx'
import { cardPlace, cardRows, type GridShape, gridShape, pitch } from './grid-layout.ts'
import type { GridRange } from './use-grid-view.ts'

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
  return { insetInlineStart: left, top: top - offset, height: pitch(shape) }
}

export function Grid(range: GridRange) {
  useSignals()
  const { start, count, endless } = range
  const size = breakpoint.value
  const shapeFor = (width: number) => gridShape(size, width, endless ? 0 : 4)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shapeFor` depends on the same
  const arrange = useCallback((width: number) => cardRows(count, shapeFor(width)), [count, size, endless])
  const grid = useGrid(range, arrange)
  const { room, drawn } = grid.view
  const shape = shapeFor(room.width)
  const chosen = selected.value
  const restBox = drawn.last === count - 1 ? restOfLastRow(count, shape, drawn.offset) : null
  const behind = { scroller: placesBehind(shape, 0), spacer: placesBehind(shape, drawn.offset) }
  return (
    <GridFrame
      range={range}
      grid={grid}
      className={grid.overflows ? 'deep' : ''}
      behind={grid.overflows ? behind : undefined}
      shareOf={(position, last) => (last === 0 ? 0 : position / last)}
    >
      {restBox !== null && <div className="grid-rest" style={restBox} aria-hidden="true" />}
      {grid.indices.map(index => {
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
            stop={index === grid.stop}
            chosen={chosen.has(item.id)}
            choosing={chosen.size > 0}
            onOpen={grid.onOpen}
          />
        )
      })}
    </GridFrame>
  )
}
