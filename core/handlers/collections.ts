/** Calls about collections and the work on their files. */
import { startImport } from '../moving/import-job.ts'
import { sortPlan, startSort } from '../moving/sort-job.ts'
import { startTransfer } from '../moving/transfer-job.ts'
import type { Core, GroupHandlers } from './caller.ts'

export function collectionHandlers(core: Core): GroupHandlers<'collections'> {
  const { collections, collectionChanges, folders, jobs, metadata, safetyFiles } = core
  return {
    list: ({ viewer }, { query }) => collections.list(viewer, query),
    create: ({ viewer }, { body }) => collections.create(viewer, body),
    async scan({ viewer }, { params, query }) {
      const { id } = collections.demand(viewer, params.id, 'admin')
      const taskid = await jobs.enqueue(viewer, 'scan', {
        collectionId: id,
        acceptMissing: query.acceptMissing ?? false,
        full: query.full ?? false,
      })
      return { taskid }
    },
    safetyFiles: ({ viewer }, { params, query }) => safetyFiles.list(viewer, params.id, query),
    update: ({ viewer }, { params, body }) => collectionChanges.update(viewer, params.id, body),
    async remove({ viewer }, { params }) {
      await collectionChanges.remove(viewer, params.id)
      return {}
    },
    removal: async ({ viewer }, { params }) => collectionChanges.removal(viewer, params.id),
    paths: ({ viewer }, { query }) => folders.list(viewer, query.path),
    sortPlan: ({ viewer }, { params, query }) => sortPlan(core, viewer, params.id, query),
    async sort({ viewer }, { params, query }) {
      const step = crypto.randomUUID()
      return { taskid: await startSort(core, viewer, params.id, query, { step }), step }
    },
    import: async ({ viewer }, { params }) => ({ taskid: await startImport(core, viewer, params) }),
    async transfer({ viewer }, { params, body }) {
      const step = crypto.randomUUID()
      return { taskid: await startTransfer(core, viewer, params.id, body.items, { step }), step }
    },
    importMetadata: async ({ viewer }, { params }) => ({ taskid: await metadata.startImport(viewer, params.id) }),
    exportMetadata: async ({ viewer }, { params }) => ({ taskid: await metadata.startExport(viewer, params.id) }),
  }
}
