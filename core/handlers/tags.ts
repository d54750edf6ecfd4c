/** Calls about tag sets and regions of items. */
import { plannedBulkEdit } from '../editing/bulk-edit-job.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function tagHandlers({ db, items, tags, jobs }: Core): GroupHandlers<'tags'> {
  return {
    async bulk({ viewer }, { query, body }) {
      const planned = await plannedBulkEdit({ db, items }, viewer, body, query.includeHidden)
      return { taskid: await jobs.enqueue(viewer, 'edit', planned), step: planned.step }
    },
    create: ({ viewer, ifMatch }, { params, query, body }) =>
      tags.save(viewer, params, body.data, { ifMatch, includeHidden: query.includeHidden }),
    update: ({ viewer, ifMatch }, { params, query, body }) =>
      tags.save(viewer, params, body.data, { ifMatch, includeHidden: query.includeHidden }),
    async remove({ viewer, ifMatch }, { params, query }) {
      await tags.remove(viewer, params, { ifMatch, includeHidden: query.includeHidden })
      return {}
    },
    createPerson: ({ viewer, ifMatch }, { params, body }) =>
      tags.saveRegion(viewer, params.id, { tag: 'People', data: body.data }, { ifMatch, mustExist: false }),
    updatePerson: ({ viewer, ifMatch }, { params, body }) =>
      tags.saveRegion(viewer, params.id, { tag: 'People', data: body.data }, { ifMatch, mustExist: true }),
    async removePerson({ viewer, ifMatch }, { params }) {
      await tags.removeRegion(viewer, params, 'People', { ifMatch })
      return {}
    },
    createObject: ({ viewer, ifMatch }, { params, body }) =>
      tags.saveRegion(viewer, params.id, { tag: 'Object', data: body.data }, { ifMatch, mustExist: false }),
    updateObject: ({ viewer, ifMatch }, { params, body }) =>
      tags.saveRegion(viewer, params.id, { tag: 'Object', data: body.data }, { ifMatch, mustExist: true }),
    async removeObject({ viewer, ifMatch }, { params }) {
      await tags.removeRegion(viewer, params, 'Object', { ifMatch })
      return {}
    },
  }
}
