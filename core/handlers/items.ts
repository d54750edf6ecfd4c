/** Calls about items. */
import { demandSignedIn, demandUpdateSomewhere, type Viewer } from '../accounts/access.ts'
import { plannedMerge } from '../editing/merge-duplicates-job.ts'
import { plannedRotation, rotateItem } from '../editing/rotation.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function itemHandlers(core: Core): GroupHandlers<'items'> {
  const { items, collections, onThisDay, duplicates, jobs, recycle, db } = core

  /** As the caller finds it afterwards: an unlocked session goes on seeing what is hidden. */
  const details = (viewer: Viewer, id: number) =>
    items.get(viewer, { id }, { includeHidden: viewer.unlockValue ?? undefined })

  return {
    list: ({ viewer }, { params, query }) => items.list(viewer, params, query),
    timeline: ({ viewer }, { params, query }) => items.timeline(viewer, params, query),
    get: ({ viewer }, { params, query }) => items.get(viewer, params, query),
    onThisDay: ({ viewer }, { params, query }) => onThisDay.list(viewer, params, query),
    duplicates: ({ viewer }, { params, query }) => duplicates.list(viewer, params, query),
    async findDuplicates({ viewer }) {
      demandUpdateSomewhere(viewer)
      return { taskid: await jobs.enqueue(viewer, 'duplicates', {}) }
    },
    async mergeDuplicates({ viewer }, { body }) {
      const planned = await plannedMerge(items, viewer, body.groups)
      return { taskid: await jobs.enqueue(viewer, 'merge-duplicates', planned), step: planned.step }
    },
    missing({ viewer }, { params, query }) {
      demandSignedIn(viewer)
      return items.listOf(viewer, { ...params, path: '/v1/item/missing', which: 'missing' }, query)
    },
    deleted({ viewer }, { params, query }) {
      demandSignedIn(viewer)
      return items.listOf(viewer, { ...params, path: '/v1/item/deleted', which: 'deleted' }, query)
    },
    async remove({ viewer }, { params }) {
      await recycle.remove(viewer, params.id)
      return {}
    },
    async removeMany({ viewer }, { body }) {
      const { step, changed, job } = await recycle.removeMany(viewer, body.items)
      return { step, changed, taskid: job === null ? null : await jobs.enqueue(viewer, 'recycle', job) }
    },
    async restoreMany({ viewer }, { body }) {
      const { step, changed, job } = await recycle.restoreMany(viewer, body.items)
      return { step, changed, taskid: job === null ? null : await jobs.enqueue(viewer, 'recycle', job) }
    },
    async rotateMany({ viewer }, { body }) {
      const planned = await plannedRotation(core, viewer, body.items, body.direction)
      return { step: planned.step, taskid: await jobs.enqueue(viewer, 'rotate', planned) }
    },
    explain: ({ viewer }, { query }) => items.explain(viewer, query),
    async emptyBin({ viewer }, { params }) {
      demandSignedIn(viewer)
      if (params.collectionId !== 0) collections.demand(viewer, params.collectionId, 'admin')
      return { taskid: await jobs.enqueue(viewer, 'purge', recycle.plannedPurge(viewer, params.collectionId)) }
    },
    async forgetMissing({ viewer }, { params }) {
      demandSignedIn(viewer)
      if (params.collectionId !== 0) collections.demand(viewer, params.collectionId, 'update')
      return recycle.forgetMissing(viewer, params.collectionId)
    },
    async restore({ viewer }, { params }) {
      await recycle.restore(viewer, params.id)
      return details(viewer, params.id)
    },
    async rotate({ viewer }, { params, query }) {
      await rotateItem({ db, items }, viewer, params.id, query.direction)
      return details(viewer, params.id)
    },
  }
}
