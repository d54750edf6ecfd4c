/** The recycle bin: into it, out of it, and what deleting means for items that are in it or whose file is gone. */
import { Failure } from '../../schema/errors.ts'
import { itemState } from '../../schema/tables/items.ts'
import { demandOnCollection, demandSignedIn, type Viewer } from '../accounts/access.ts'
import type { Items } from '../items/items.ts'
import { seconds } from '../kernel/clock.ts'
import { batchItems } from '../kernel/database/batches.ts'
import { changeItem, demandItemToEdit } from './item-edit.ts'
import { type Forgotten, forgetItems } from './missing-items.ts'
import { type PurgeParts, purgeItem } from './purge.ts'
import type { PurgeInput } from './purge-job.ts'
import { partsOfRecycled, type RecycleInput } from './recycle-job.ts'

export function createRecycle(parts: PurgeParts & { items: Items }) {
  const { db, clock, items } = parts

  async function recycle(viewer: Viewer, id: number, deleted: number | null): Promise<void> {
    await db.transact(viewer, tx => {
      const operation = deleted === null ? 'item.restore' : 'item.recycle'
      changeItem(tx, demandItemToEdit(tx, id), { deleted }, { operation })
    })
  }

  async function many(
    viewer: Viewer,
    ids: readonly number[],
    deleted: number | null,
  ): Promise<{ step: string; changed: number | null; job: RecycleInput | null }> {
    demandSignedIn(viewer)
    const collections = await items.demandAll(viewer, ids, 'update')
    const [only = null] = collections
    const step = crypto.randomUUID()
    const all = [...new Set(ids)]
    if (all.length > batchItems) {
      const collectionId = collections.size === 1 ? only : null
      return { step, changed: null, job: { items: all, userId: viewer.userId, step, collectionId, deleted } }
    }
    const operation = deleted === null ? 'item.restore' : 'item.recycle'
    const changed = await db.transact({ userId: viewer.userId, step }, tx => {
      let n = 0
      for (const id of all) {
        const item = demandItemToEdit(tx, id)
        if (changeItem(tx, item, partsOfRecycled(tx, item, deleted), { operation }).changed) n++
      }
      return n
    })
    return { step, changed, job: null }
  }

  return {
    /** Recycles an item; a recycled one is deleted for good, a missing one forgotten. */
    async remove(viewer: Viewer, id: number): Promise<void> {
      demandSignedIn(viewer)
      const { state } = items.demand(viewer, id, 'update')
      if (state === itemState.deleted) {
        items.demand(viewer, id, 'admin')
        await purgeItem(parts, viewer, id, { jobId: null, quiet: false })
      } else if (state === itemState.missing) await forgetItems(parts, viewer, [id])
      else await recycle(viewer, id, seconds(clock))
    },

    /**
     * Recycles items as one step of the history: a few at once, or answers the input of the job `recycle`. The right to
     * update is needed on every item, one that fails refuses all. What is in the bin already, or missing, stays as it is.
     */
    removeMany: (viewer: Viewer, ids: readonly number[]) => many(viewer, ids, seconds(clock)),

    /** Brings items back in the same way; those that are not in the bin stay as they are. */
    restoreMany: (viewer: Viewer, ids: readonly number[]) => many(viewer, ids, null),

    /** Brings an item back; `conflict` where it is not in the bin. */
    async restore(viewer: Viewer, id: number): Promise<void> {
      demandSignedIn(viewer)
      const { state } = items.demand(viewer, id, 'update')
      if (state !== itemState.deleted) throw new Failure('conflict', 'This item is not in the recycle bin.')
      await recycle(viewer, id, null)
    },

    /** Forgets the missing items of a collection, 0 being all that the viewer may update. */
    async forgetMissing(viewer: Viewer, collectionId: number): Promise<Forgotten> {
      demandSignedIn(viewer)
      if (collectionId !== 0) demandOnCollection(viewer, collectionId, 'update')
      const showsHidden = viewer.unlockValue !== null
      return forgetItems(
        parts,
        viewer,
        items.goneIds(viewer, { which: 'missing', collectionId, right: 'update', showsHidden }),
      )
    },

    /** Input of the job `purge` that empties the bin of a collection, 0 being all that the viewer administers. */
    plannedPurge(viewer: Viewer, collectionId: number): PurgeInput {
      demandSignedIn(viewer)
      if (collectionId !== 0) demandOnCollection(viewer, collectionId, 'admin')
      return {
        collectionId,
        userId: viewer.userId,
        showsHidden: viewer.unlockValue !== null,
        before: seconds(clock) + 1,
      }
    },
  }
}

export type Recycle = ReturnType<typeof createRecycle>
