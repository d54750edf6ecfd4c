/** A picture of the timeline: a card that shows nothing but the picture until the pointer is over it. */

import type { Item } from '../../../schema/api/items.ts'
import { captionOf } from '../../items/item-text.ts'
import { turnedSize } from '../../items/pictures/zoom.ts'
import { clockTime, durationText, exactDate } from '../../kit/dates.ts'
import type { CardProps, TileFootProps } from '../card.tsx'

/** Tiles lower than this show no texts and no menu button, and smaller circles. */
const roomForTexts = 120

/** At rest a tile shows only the length of a film; under the pointer, and with the focus, time and caption. */
export function TileFoot({ item, height, active, onClick }: TileFootProps) {
  const caption = captionOf(item)
  return (
    <>
      {active && height >= roomForTexts && (
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

/** `whole`: the picture is much wider or higher than its box, and is shown as a whole within it. */
export function tileClass(
  item: Item,
  { width, height, rotation }: Pick<CardProps, 'width' | 'height' | 'rotation'>,
): string {
  const own = turnedSize(item, rotation)
  const isWhole = Math.abs((own.width * height) / (own.height * width || 1) - 1) > 0.05
  return `card-pic tile ${isWhole ? 'whole' : ''} ${height < roomForTexts ? 'low' : ''}`
}
