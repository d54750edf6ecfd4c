/** Recycles or restores many items as one step of the history. */
import { z } from 'zod'
import type { ItemToEdit } from './item-edit.ts'
import type { ItemParts } from './item-parts.ts'
import { changeMany, jobOnItems, type ManyParts, manyItems } from './many-items.ts'

const input = manyItems.extend({
  /** The time of recycling, in seconds since the epoch; null restores the items. */
  deleted: z.int().nullable(),
})
export type RecycleInput = z.output<typeof input>

/** The change that recycles or restores (null) an item; empty if it is recycled already, or its file is missing. */
export function partsOfRecycled({ isInGallery }: ItemToEdit, deleted: number | null): ItemParts {
  return deleted === null || isInGallery ? { deleted } : {}
}

export const operationOf = (deleted: number | null) => (deleted === null ? 'item.restore' : 'item.recycle')

export const recycleJob = (parts: ManyParts) =>
  jobOnItems('recycle', input, context => {
    const { deleted } = context.input
    return changeMany(parts, context, operationOf(deleted), () => item => partsOfRecycled(item, deleted))
  })
