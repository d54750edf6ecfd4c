/** Calls that change items, and undo. */
import { requireSignedIn, type Viewer } from '../accounts/access.ts'
import { type CallHandlers, done } from '../accounts/caller.ts'
import type { Collections } from '../collections/collections.ts'
import type { Items } from '../items/items.ts'
import type { LibraryDatabase } from '../kernel/database/database.ts'
import type { Jobs } from '../work/jobs.ts'
import { planBulkEdit } from './bulk-edit-job.ts'
import type { History } from './history.ts'
import { planForItems } from './many-items.ts'
import { planMerge } from './merge-duplicates-job.ts'
import type { Recycle } from './recycle.ts'
import { rotateItem } from './rotation.ts'
import type { Tags } from './tags.ts'

interface EditingParts {
  db: LibraryDatabase
  items: Items
  collections: Collections
  jobs: Jobs
  recycle: Recycle
  tags: Tags
}

export function itemEditCalls({ db, items, collections, jobs, recycle }: Omit<EditingParts, 'tags'>) {
  /** The changed item as its caller sees it: an unlocked session still sees hidden data. */
  const details = (viewer: Viewer, id: number) =>
    items.get(viewer, { id }, { includeHidden: viewer.unlockValue ?? undefined })

  async function startedRecycling(viewer: Viewer, { job, ...rest }: Awaited<ReturnType<Recycle['removeMany']>>) {
    return { ...rest, taskid: job === null ? null : await jobs.enqueue(viewer, 'recycle', job) }
  }

  return {
    async mergeDuplicates({ viewer }, { body }) {
      const planned = await planMerge(items, viewer, body.groups)
      return { taskid: await jobs.enqueue(viewer, 'merge-duplicates', planned), step: planned.step }
    },
    remove: ({ viewer }, { params }) => done(recycle.remove(viewer, params.id)),
    removeMany: async ({ viewer }, { body }) => startedRecycling(viewer, await recycle.removeMany(viewer, body.items)),
    restoreMany: async ({ viewer }, { body }) =>
      startedRecycling(viewer, await recycle.restoreMany(viewer, body.items)),
    async rotateMany({ viewer }, { body }) {
      const planned = await planForItems(items, viewer, body.items)
      const { direction } = body
      return { step: planned.step, taskid: await jobs.enqueue(viewer, 'rotate', { ...planned, direction }) }
    },
    async emptyBin({ viewer }, { params }) {
      requireSignedIn(viewer)
      if (params.collectionId !== 0) collections.requireRight(viewer, params.collectionId, 'admin')
      return { taskid: await jobs.enqueue(viewer, 'purge', recycle.planPurge(viewer, params.collectionId)) }
    },
    async forgetMissing({ viewer }, { params }) {
      requireSignedIn(viewer)
      if (params.collectionId !== 0) collections.requireRight(viewer, params.collectionId, 'update')
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
  } satisfies Partial<CallHandlers<'items'>>
}

export function tagCalls(parts: Pick<EditingParts, 'db' | 'items' | 'tags' | 'jobs'>): CallHandlers<'tags'> {
  const { db, items, tags, jobs } = parts
  const save: CallHandlers<'tags'>['create'] = ({ viewer, ifMatch }, { params, query, body }) =>
    tags.save(viewer, params, body.data, { ifMatch, includeHidden: query.includeHidden })
  return {
    async bulk({ viewer }, { query, body }) {
      const planned = await planBulkEdit({ db, items }, viewer, body, query.includeHidden)
      return { taskid: await jobs.enqueue(viewer, 'edit', planned), step: planned.step }
    },
    create: save,
    update: save,
    remove: ({ viewer, ifMatch }, { params, query }) =>
      done(tags.remove(viewer, params, { ifMatch, includeHidden: query.includeHidden })),
    createPerson: ({ viewer, ifMatch }, { params, body }) =>
      tags.saveRegion(viewer, params.id, { tag: 'People', data: body.data }, { ifMatch, mustExist: false }),
    updatePerson: ({ viewer, ifMatch }, { params, body }) =>
      tags.saveRegion(viewer, params.id, { tag: 'People', data: body.data }, { ifMatch, mustExist: true }),
    removePerson: ({ viewer, ifMatch }, { params }) => done(tags.removeRegion(viewer, params, 'People', { ifMatch })),
    createObject: ({ viewer, ifMatch }, { params, body }) =>
      tags.saveRegion(viewer, params.id, { tag: 'Object', data: body.data }, { ifMatch, mustExist: false }),
    updateObject: ({ viewer, ifMatch }, { params, body }) =>
      tags.saveRegion(viewer, params.id, { tag: 'Object', data: body.data }, { ifMatch, mustExist: true }),
    removeObject: ({ viewer, ifMatch }, { params }) => done(tags.removeRegion(viewer, params, 'Object', { ifMatch })),
  }
}

export function historyCalls({ history, jobs }: { history: History; jobs: Jobs }): CallHandlers<'history'> {
  return {
    list: ({ viewer }, { params, query }) => history.list(viewer, params, query),
    undo: async ({ viewer }, { params }) => ({
      taskid: await jobs.enqueue(viewer, 'undo', history.planUndo(viewer, params.step)),
    }),
  }
}
