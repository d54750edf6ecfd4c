/** What a card shows while the pointer is over it: its film plays, people and objects get their boxes. */
import type { CSSProperties } from 'react'
import type { Item } from '../../schema/api/items.ts'
import { onCover } from '../items/pictures/region-rules.ts'
import { namedBoxesOf, RegionBox } from '../items/pictures/regions.tsx'
import { type Size, turnedSize } from '../items/pictures/zoom.ts'
import { HoverVideo } from './hover-video.tsx'

export interface CardHoverProps {
  item: Item
  frame: Size
  turn: number
  /** Place of the film on the card. */
  style: CSSProperties | undefined
  /** Whether the pointer is over the card now. A film that has played keeps its data. */
  hover: boolean
  boxes: boolean
}

export function CardHover({ item, frame, turn, style, hover, boxes }: CardHoverProps) {
  if (item.type === 'video')
    return item.problem === null ? <HoverVideo item={item} playing={hover} style={style} /> : null
  if (!hover || !boxes) return null
  return namedBoxesOf(item, turn).map(named => {
    const box = onCover(named.share, turnedSize(item, turn), frame)
    return box === null ? null : <RegionBox key={named.key} named={named} box={box} frame={frame} />
  })
}
