/** The look of a tile: a card of the timeline, which shows only the picture until the pointer is over it. */
import type { Item } from '../../../schema/api/items.ts'
import { captionOf } from '../../items/item-text.ts'
import { turnedSize } from '../../items/pictures/zoom.ts'
import { clockTime, durationText, exactDate } from '../../kit/dates.ts'
import type { CardProps, TileFootProps } from '../card.tsx'

/** Tiles lower than this (in pixels) show no texts and no menu button, and their circles are smaller. */
const minHeightForTexts = 120

/** The duration of a video, always; time and caption only under the pointer and with the focus. */
export function TileFoot({ item, height, active, onClick }: TileFootProps) {
  const caption = captionOf(item)
  return (
    <>
      {active && height >= minHeightForTexts && (
        <p className="tile-foot truncate" dir="auto" aria-hidden="true" title={exactDate(item)} onClick={onClick}>
          {clockTime(item.taken)}
          {caption !== '' && ` · ${caption}`}
        </p>
      )}
      {item.type === 'video' && (
        <span className="tile-film" aria-hidden="true">
          {height >= 80 && item.duration !== null && durationText(item.duration)}
        </span>
      )}
    </>
  )
}

/** CSS classes of a tile. `whole`: the box has another shape than the picture, which is shown in full within it. */
export function tileClass(
  item: Item,
  { width, height, rotation }: Pick<CardProps, 'width' | 'height' | 'rotation'>,
): string {
  const own = turnedSize(item, rotation)
  const isWhole = Math.abs((own.width * height) / (own.height * width || 1) - 1) > 0.05
  return `card-pic tile ${isWhole ? 'whole' : ''} ${height < minHeightForTexts ? 'low' : ''}`
}
