/** Rotates items by quarters: changes a property of their rows, and no files. */
import { z } from 'zod'
import { requireSignedIn, type Viewer } from '../accounts/access.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import { changeItem, type ItemToEdit, requireItemToEdit } from './item-edit.ts'
import type { ItemParts } from './item-parts.ts'
import { changeMany, jobOnItems, type ManyParts, manyItems } from './many-items.ts'

/** As users see it: right is clockwise. */
type Direction = 'left' | 'right'

function rotatedParts({ parts }: ItemToEdit, direction: Direction): ItemParts {
  return { rotation: (parts.rotation + (direction === 'right' ? 90 : 270)) % 360 }
}

export async function rotateItem(
  { db, items }: { db: LibraryDatabase; items: Items },
  viewer: Viewer,
  id: number,
  direction: Direction,
): Promise<void> {
  requireSignedIn(viewer)
  items.requireRight(viewer, id, 'update')
  await db.transact(viewer, tx => {
    const item = requireItemToEdit(tx, id)
    changeItem(tx, item, rotatedParts(item, direction), { operation: 'item.rotate' })
  })
}

const input = manyItems.extend({ direction: z.enum(['left', 'right']) })

export const rotateJob = (parts: ManyParts) =>
  jobOnItems('rotate', input, context => {
    const { direction } = context.input
    return changeMany(parts, context, 'item.rotate', () => item => rotatedParts(item, direction))
  })
