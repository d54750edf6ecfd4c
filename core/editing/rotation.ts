/** Turns an item by a quarter: a property of its row, its file stays as it is. */
import { demandSignedIn, type Viewer } from '../access.ts'
import type { LibraryDatabase } from '../database.ts'
import type { Items } from '../items.ts'
import { changeItem, demandItemToEdit } from './item-edit.ts'

/** `direction` as people see it: right is clockwise. */
export async function rotateItem(
  { db, items }: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  id: number,
  direction: 'left' | 'right',
): Promise<void> {
  demandSignedIn(viewer)
  items.demand(viewer, id, 'update')
  await db.transact(viewer, tx => {
    const item = demandItemToEdit(tx, id)
    const rotation = (item.parts.rotation + (direction === 'right' ? 90 : 270)) % 360
    changeItem(tx, item, { rotation }, { operation: 'item.rotate' })
  })
}
