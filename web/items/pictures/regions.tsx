/** Boxes of people and objects over a picture, with their names. */
import type { Item } from '../../../schema/api/items.ts'
import { labelPlace, labelShift, type PictureBox, shareOf, turnedShare } from './region-rules.ts'
import type { Size } from './zoom.ts'

export interface NamedBox {
  key: string
  kind: 'person' | 'object'
  name: string
  /** A face that nobody has named. */
  unnamed: boolean
  share: PictureBox
}

/** An item's boxes in shares of the shown picture, which is turned by `degrees` more. */
export function namedBoxesOf(item: Item, degrees = 0): NamedBox[] {
  const all = [...(item.tags.People?.data ?? []), ...(item.tags.Object?.data ?? [])]
  return all.flatMap(region => {
    const share = region.width > 0 && region.height > 0 ? shareOf(region, item) : null
    if (share === null) return []
    const { id, type: kind, name } = region
    const unnamed = region.type === 'person' && region.person === 0
    return [{ key: `${kind} ${id}`, kind, name, unnamed, share: turnedShare(share, degrees) }]
  })
}

/** One box in pixels of its frame. `question`: is asked, in the accent, where a face has no name. */
export function RegionBox({
  named,
  box,
  frame,
  question,
}: {
  named: NamedBox
  box: PictureBox
  frame: Size
  question?: string | undefined
}) {
  const asks = named.unnamed && question !== undefined
  const text = asks ? question : named.name
  const place = labelPlace(box, frame)
  const shift = labelShift(box)
  const label = shift === null ? undefined : place === 'inside' ? shift : { left: shift.left }
  return (
    <span
      className={`region ${place === 'above' ? '' : place}`}
      data-kind={named.kind}
      data-new={asks ? '' : undefined}
      style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
    >
      {text !== '' && (
        <b dir="auto" style={label}>
          {text}
        </b>
      )}
    </span>
  )
}
