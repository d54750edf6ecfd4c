/** The action 'Use as cover' of a single item, in albums and on the pages of people. */
import { Image } from 'lucide-react'
import type { Item } from '../../schema/api/items.ts'
import { addSelectionAction } from '../items/selection/selection-actions.ts'
import { albumsTexts } from '../texts/albums.ts'

/** `offered`: whether the gallery shows something whose cover the user may choose. Reads signals. */
export function offerCover(offered: () => boolean, use: (item: Item) => void): void {
  addSelectionAction({
    text: albumsTexts.useAsCover,
    icon: Image,
    order: 27,
    inItemMenu: true,
    offered: items => items.length === 1 && offered(),
    act: items => items.forEach(use),
  })
}
