/** What a card shows while the pointer is over it: a playing film, or boxes of people and objects. */
import type { CSSProperties } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { boxOnCover } from '../items/pictures/region-rules.ts'
import { namedBoxesOf, RegionBox } from '../items/pictures/regions.tsx'
import { type Size, turnedSize } from '../items/pictures/zoom.ts'
import { HoverVideo } from './hover-video.tsx'

export interface CardHoverProps {
  item: Item
  frame: Size
  /** Degrees of this browser's rotation option. */
  rotation: number
  /** Position and size of the film on the card. */
  style: CSSProperties | undefined
  /** Whether the pointer is over the card now. A film stays loaded when the pointer leaves. */
  isHovering: boolean
  showBoxes: boolean
}

export function CardHover({ item, frame, rotation, style, isHovering, showBoxes }: CardHoverProps) {
  if (item.type === 'video')
    return item.problem === null ? <HoverVideo item={item} playing={isHovering} style={style} /> : null
  if (!isHovering || !showBoxes) return null
  return namedBoxesOf(item, rotation).map(named => {
    const box = boxOnCover(named.share, turnedSize(item, rotation), frame)
    return box === null ? null : <RegionBox key={named.key} named={named} box={box} frame={frame} />
  })
}
