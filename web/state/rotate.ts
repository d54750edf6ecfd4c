/** Turning an item for everybody: its file stays as it is. */
import type { Item } from '../../schema/api/items.ts'
import { api } from '../api.ts'
import { replaceItem } from './item-changes.ts'
import { report } from './messages.ts'
import { doToEach } from './work.ts'

/** Turns it by a quarter; true when it worked. */
export async function rotateItem(item: Pick<Item, 'id'>, direction: 'left' | 'right'): Promise<boolean> {
  try {
    replaceItem(await api.items.rotate({ params: { id: item.id }, query: { direction } }))
    return true
  } catch (error) {
    report(error, 'Failed to rotate image')
    return false
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
