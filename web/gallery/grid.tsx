/** The grid: a range of the gallery's list as cards of one size, of which only those near the screen are rendered. */
import { useSignals } from '@preact/signals-react/runtime'
import { type CSSProperties, useCallback } from 'react'
import { rotation } from '../app/options.ts'
import { itemAt, list } from '../items/items.ts'
import { addressOfItem } from '../items/open-item.ts'
import { selected } from '../items/selection/selection.ts'
import { breakpoint, thumbnail } from '../kit/viewport.ts'
import { Card, CardPlaceholder } from './card.tsx'
import { GridFrame, useGrid } from './grid-frame.tsx'
import { cardPlace, cardRows, type GridShape, gridShape, pitch } from './grid-layout.ts'
import type { GridRange } from './use-grid-view.ts'

/**
 * Background with a placeholder at the place of each card. Browsers scroll before they notify the page, and until cards
 * are rendered the new area must not be empty. Both the spacer and the scroller have it: the scroller's does not move, so
 * it is there even when the browser scrolls faster than it paints. `offset`: height of the content above the spacer.
 */
function placeholderPattern(shape: GridShape, offset: number): CSSProperties {
  return {
    backgroundSize: `${shape.cardWidth + shape.gap}px ${pitch(shape)}px`,
    backgroundPosition: `${shape.inset}px ${-(offset % pitch(shape))}px`,
  }
}

/** The end of the last row, which has no cards and must cover its placeholders; null if the row is full. */
function emptyEndOfLastRow(count: number, shape: GridShape, offset: number): CSSProperties | null {
  if (count % shape.columns === 0) return null
  const { left, top } = cardPlace(count, shape)
  return { insetInlineStart: left, top: top - offset, height: pitch(shape) }
}

export function Grid(range: GridRange) {
  useSignals()
  const { start, count, endless } = range
  const currentBreakpoint = breakpoint.value
  const shapeFor = (width: number) => gridShape(currentBreakpoint, width, endless ? 0 : 4)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shapeFor` depends on the same
  const arrange = useCallback((width: number) => cardRows(count, shapeFor(width)), [count, currentBreakpoint, endless])
  const grid = useGrid(range, arrange)
  const { size, rendered } = grid.view
  const shape = shapeFor(size.width)
  const selectedItems = selected.value
  const emptyEnd = rendered.last === count - 1 ? emptyEndOfLastRow(count, shape, rendered.offset) : null
  const placeholders = { scroller: placeholderPattern(shape, 0), spacer: placeholderPattern(shape, rendered.offset) }
  return (
    <GridFrame
      range={range}
      grid={grid}
      className={grid.overflows ? 'has-placeholders' : ''}
      placeholders={grid.overflows ? placeholders : undefined}
      shareOf={(position, last) => (last === 0 ? 0 : position / last)}
    >
      {emptyEnd !== null && <div className="grid-empty-end" style={emptyEnd} aria-hidden="true" />}
      {grid.indices.map(index => {
        const item = itemAt(start + index)
        const { left, top } = cardPlace(index, shape)
        const box = { left, top: top - rendered.offset, width: shape.cardWidth, height: shape.cardHeight }
        if (item === undefined) return <CardPlaceholder key={start + index} index={start + index} {...box} />
        return (
          <Card
            key={start + index}
            {...box}
            item={item}
            index={start + index}
            total={list.value?.total ?? count}
            size={thumbnail.value}
            rotation={rotation.value}
            href={addressOfItem(item.id)}
            hasTabStop={index === grid.tabStop}
            isSelected={selectedItems.has(item.id)}
            anySelected={selectedItems.size > 0}
            onOpen={grid.onOpen}
          />
        )
      })}
    </GridFrame>
  )
}
