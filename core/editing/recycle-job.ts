/** Puts many items into the recycle bin, or takes them out of it, as one step of the history. */
import { z } from 'zod'
import type { ItemToEdit } from './item-edit.ts'
import type { ItemParts } from './item-parts.ts'
import { changeMany, jobOnItems, type ManyParts, manyItems } from './many-items.ts'

const input = manyItems.extend({
  /** Seconds since the epoch; null brings them back. */
  deleted: z.int().nullable(),
})
export type RecycleInput = z.output<typeof input>

/** What recycling changes of an item, or bringing it back (null); nothing where it is so already, or its file is gone. */
export function partsOfRecycled({ isInGallery }: ItemToEdit, deleted: number | null): ItemParts {
  return deleted === null || isInGallery ? { deleted } : {}
}

export const operationOf = (deleted: number | null) => (deleted === null ? 'item.restore' : 'item.recycle')

export const recycleJob = (parts: ManyParts) =>
  jobOnItems('recycle', input, context => {
    const { deleted } = context.input
    return changeMany(parts, context, operationOf(deleted), () => item => partsOfRecycled(item, deleted))
  })
