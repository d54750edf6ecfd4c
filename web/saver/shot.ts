/** What the player shows of an item. */
import type { Item } from '../../schema/api/items.ts'
import { pictureOf, streamOf } from '../api.ts'
import { rotationOf } from '../items/item-text.ts'
import type { Shot } from '../items/selection/slideshow.ts'

export function shotOf(item: Item): Shot {
  const { id, type, problem, width, height, taken, thumbhash } = item
  return {
    ...{ id, type, problem, width, height, taken, thumbhash },
    rotation: rotationOf(item),
    place: item.tags.Locations?.data.placeName ?? '',
    picture: pictureOf(item, 'large'),
    film: streamOf(item),
  }
}
