/** The recycle bin: recycling, restoring, and deleting items that are in it or missing. */
import { Failure } from '../../schema/errors.ts'
import { itemState } from '../../schema/tables/items.ts'
import { requireOnCollection, requireSignedIn, type Viewer } from '../accounts/access.ts'
import type { Items } from '../items/items.ts'
import { seconds } from '../kernel/clock.ts'
import { batchItems } from '../kernel/database/batches.ts'
import { changeItem, requireItemToEdit } from './item-edit.ts'
import { planForItems } from './many-items.ts'
import { type Forgotten, forgetItems } from './missing-items.ts'
import { type PurgeParts, purgeItem } from './purge.ts'
import type { PurgeInput } from './purge-job.ts'
import { operationOf, partsOfRecycled, type RecycleInput } from './recycle-job.ts'

export function createRecycle(parts: PurgeParts & { items: Items }) {
  const { db, clock, items } = parts

  async function recycleOrRestore(viewer: Viewer, id: number, deleted: number | null): Promise<void> {
    await db.transact(viewer, tx => {
      changeItem(tx, requireItemToEdit(tx, id), { deleted }, { operation: operationOf(deleted) })
    })
  }

  async function recycleOrRestoreMany(
    viewer: Viewer,
    ids: readonly number[],
    deleted: number | null,
  ): Promise<{ step: string; changed: number | null; job: RecycleInput | null }> {
    const planned = await planForItems(items, viewer, ids)
    const { step, userId } = planned
    if (planned.items.length > batchItems) return { step, changed: null, job: { ...planned, deleted } }
    const operation = operationOf(deleted)
    const changed = await db.transact({ userId, step }, tx => {
      const all = planned.items.map(id => requireItemToEdit(tx, id))
      return all.filter(item => changeItem(tx, item, partsOfRecycled(item, deleted), { operation }).changed).length
    })
    return { step, changed, job: null }
  }

  return {
    /** Recycles an item; a recycled one is deleted for good, a missing one forgotten. */
    async remove(viewer: Viewer, id: number): Promise<void> {
      requireSignedIn(viewer)
      const { state } = items.requireRight(viewer, id, 'update')
      if (state === itemState.deleted) {
        items.requireRight(viewer, id, 'admin')
        await purgeItem(parts, viewer, id, { jobId: null, quiet: false })
      } else if (state === itemState.missing) await forgetItems(parts, viewer, [id])
      else await recycleOrRestore(viewer, id, seconds(clock))
    },

    /**
     * Recycles items as one step of the history. A few are recycled at once; for many, `job` is the input of the job
     * `recycle`. Refuses all items unless the viewer may update every one. Skips recycled and missing items.
     */
    removeMany: (viewer: Viewer, ids: readonly number[]) => recycleOrRestoreMany(viewer, ids, seconds(clock)),

    /** Restores items like `removeMany`; skips items that are not in the bin. */
    restoreMany: (viewer: Viewer, ids: readonly number[]) => recycleOrRestoreMany(viewer, ids, null),

    /** Restores an item; throws `conflict` if it is not in the bin. */
    async restore(viewer: Viewer, id: number): Promise<void> {
      requireSignedIn(viewer)
      const { state } = items.requireRight(viewer, id, 'update')
      if (state !== itemState.deleted) throw new Failure('conflict', 'This item is not in the recycle bin.')
      await recycleOrRestore(viewer, id, null)
    },

    /** Forgets the missing items of a collection; 0 means all collections that the viewer may update. */
    async forgetMissing(viewer: Viewer, collectionId: number): Promise<Forgotten> {
      requireSignedIn(viewer)
      if (collectionId !== 0) requireOnCollection(viewer, collectionId, 'update')
      const request = { collectionId, right: 'update', showsHidden: viewer.unlockValue !== null } as const
      return forgetItems(parts, viewer, items.goneIds(viewer, { which: 'missing', ...request }))
    },

    /** Input of the job `purge` for a collection's bin; 0: all collections that the viewer administers. */
    planPurge(viewer: Viewer, collectionId: number): PurgeInput {
      requireSignedIn(viewer)
      if (collectionId !== 0) requireOnCollection(viewer, collectionId, 'admin')
      const { userId, unlockValue } = viewer
      return { collectionId, userId, showsHidden: unlockValue !== null, before: seconds(clock) + 1 }
    },
  }
}

export type Recycle = ReturnType<typeof createRecycle>
