/** Boxes of people and objects over a picture, with their names. */
import type { Item } from '../../../schema/api/items.ts'
import { boxAsShares, labelPlace, labelShift, type PictureBox, rotatedBox } from './region-rules.ts'
import type { Size } from './zoom.ts'

export interface NamedBox {
  key: string
  kind: 'person' | 'object'
  name: string
  /** Whether it is a face without a name. */
  unnamed: boolean
  /** In shares (0–1) of the shown picture. */
  share: PictureBox
}

/** An item's boxes on its picture, which is shown rotated by another `degrees`. */
export function namedBoxesOf(item: Item, degrees = 0): NamedBox[] {
  const all = [...(item.tags.People?.data ?? []), ...(item.tags.Object?.data ?? [])]
  return all.flatMap(region => {
    const share = region.width > 0 && region.height > 0 ? boxAsShares(region, item) : null
    if (share === null) return []
    const { id, type: kind, name } = region
    const unnamed = region.type === 'person' && region.person === 0
    return [{ key: `${kind} ${id}`, kind, name, unnamed, share: rotatedBox(share, degrees) }]
  })
}

/** One box in pixels of its frame, with its name. `question`: highlighted text for a face without a name. */
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
  const asksForName = named.unnamed && question !== undefined
  const text = asksForName ? question : named.name
  const place = labelPlace(box, frame)
  const shift = labelShift(box)
  const labelStyle = shift === null ? undefined : place === 'inside' ? shift : { left: shift.left }
  return (
    <span
      className={`region ${place === 'above' ? '' : place}`}
      data-kind={named.kind}
      data-new={asksForName ? '' : undefined}
      style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
    >
      {text !== '' && (
        <b dir="auto" style={labelStyle}>
          {text}
        </b>
      )}
    </span>
  )
}
