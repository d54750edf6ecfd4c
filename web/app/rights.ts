/** The user's rights on items. */
import type { Item } from '../../schema/api/items.ts'
import { collections } from './collections.ts'
import { signedIn } from './session.ts'

/** Whether the user may change an item's tags, rotate and recycle it. */
export function mayUpdate(item: Pick<Item, 'collection_id'>): boolean {
  if (!signedIn.value) return false
  return collections.value?.find(({ id }) => id === item.collection_id)?.rights.update === true
}

/** Whether the user may update every one of these items. */
export function mayUpdateAll(items: readonly Item[]): boolean {
  return [...new Set(items.map(item => item.collection_id))].every(id => mayUpdate({ collection_id: id }))
}
