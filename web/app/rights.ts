/** The user's rights on items. */
import type { Item } from '../../schema/api/items.ts'
import { collections } from './collections.ts'
import { signedIn } from './session.ts'

/** May change tags, rotate and recycle. */
export function mayUpdate(item: Pick<Item, 'collection_id'>): boolean {
  if (!signedIn.value) return false
  return collections.value?.find(({ id }) => id === item.collection_id)?.rights.update === true
}

/** May do so with each of them. */
export function mayUpdateAll(items: readonly Item[]): boolean {
  return [...new Set(items.map(item => item.collection_id))].every(id => mayUpdate({ collection_id: id }))
}
