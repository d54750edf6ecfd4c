/** Calls about work on the files of collections. */
import type { CallHandlers } from '../accounts/caller.ts'
import type { MetadataWork } from '../write-back/metadata-work.ts'
import { startImport } from './import-job.ts'
import { sortPlan, startSort } from './sort-job.ts'
import { startTransfer } from './transfer-job.ts'

export function fileWorkCalls(
  parts: Parameters<typeof startSort>[0] &
    Parameters<typeof sortPlan>[0] &
    Parameters<typeof startImport>[0] &
    Parameters<typeof startTransfer>[0] & { metadata: MetadataWork },
): Pick<
  CallHandlers<'collections'>,
  'sortPlan' | 'sort' | 'import' | 'transfer' | 'importMetadata' | 'exportMetadata'
> {
  const { metadata } = parts
  return {
    sortPlan: ({ viewer }, { params, query }) => sortPlan(parts, viewer, params.id, query),
    async sort({ viewer }, { params, query }) {
      const step = crypto.randomUUID()
      return { taskid: await startSort(parts, viewer, params.id, query, { step }), step }
    },
    import: async ({ viewer }, { params }) => ({ taskid: await startImport(parts, viewer, params) }),
    async transfer({ viewer }, { params, body }) {
      const step = crypto.randomUUID()
      return { taskid: await startTransfer(parts, viewer, params.id, body.items, { step }), step }
    },
    importMetadata: async ({ viewer }, { params }) => ({ taskid: await metadata.startImport(viewer, params.id) }),
    exportMetadata: async ({ viewer }, { params }) => ({ taskid: await metadata.startExport(viewer, params.id) }),
  }
}
