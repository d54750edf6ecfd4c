/** Turning an item for everybody: its file stays as it is. */
import type { Item, ItemDetails } from '../../schema/api/items.ts'
import { api } from '../api.ts'
import { replaceItem } from './item-changes.ts'
import { report } from './messages.ts'
import { doToEach } from './work.ts'

/** Turns it by a quarter; answers it as it is then, null when it did not work (and was reported). */
export async function rotateItem(item: Pick<Item, 'id'>, direction: 'left' | 'right'): Promise<ItemDetails | null> {
  try {
    const turned = await api.items.rotate({ params: { id: item.id }, query: { direction } })
    replaceItem(turned)
    return turned
  } catch (error) {
    report(error, 'Failed to rotate image')
    return null
  }
}

/** Turns many, and says how far that is. */
export async function rotateItems(items: readonly Item[], direction: 'left' | 'right'): Promise<void> {
  await doToEach(
    items,
    async ({ id }) => replaceItem(await api.items.rotate({ params: { id }, query: { direction } })),
    { text: 'Rotating', failure: 'Failed to rotate image' },
  )
}
